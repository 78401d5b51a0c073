import { generateKeyPairSync } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import Provider from 'oidc-provider';
import { OIDC_CLIENT_SETTINGS } from './oidc-issuer.ts';

const HOUR = 60 * 60;

export type OidcProvider = {
  url: string;
  /** The settings of an app that uses this provider. */
  env: Record<string, string>;
  /** Allows the app at this origin to use it. */
  register(origin: string): void;
  /** Signs in at the provider, without a browser. @returns where the provider sends the browser then */
  signIn(authorizationUrl: string, login: string): Promise<URL>;
  close(): Promise<void>;
};

/** oidc-provider with a page that accepts any name, and asks for nothing else. */
export async function startOidcProvider(): Promise<OidcProvider> {
  let provider: Provider | null = null;
  const server = createServer((request, response) => {
    if (!provider) response.writeHead(503).end();
    else if (request.url?.startsWith('/interaction/'))
      interact(provider, request, response).catch((error: unknown) =>
        response.writeHead(500).end(String(error)),
      );
    else void provider.callback()(request, response);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

  return {
    url,
    env: { OIDC_ISSUER: url, OIDC_NAME: 'Our house', ...OIDC_CLIENT_SETTINGS },
    register(origin) {
      provider = createProvider(url, `${origin}/api/oidc/callback`);
    },
    async signIn(authorizationUrl, login) {
      const cookies = new Map<string, string>();
      const visit = async (address: string, body?: URLSearchParams) => {
        const response = await fetch(address, {
          redirect: 'manual',
          headers: { Cookie: [...cookies].map((each) => each.join('=')).join('; ') },
          ...(body && { method: 'POST', body }),
        });
        for (const cookie of response.headers.getSetCookie()) {
          const [name = '', value = ''] = cookie.split(';')[0]?.split(/=(.*)/s) ?? [];
          cookies.set(name, value);
        }
        await response.arrayBuffer();
        return new URL(response.headers.get('Location') ?? '', address);
      };
      let next = await visit(authorizationUrl);
      next = await visit(next.href, new URLSearchParams({ login }));
      while (next.origin === url) next = await visit(next.href);
      return next;
    },
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

function createProvider(url: string, redirectUri: string): Provider {
  const scope = 'openid email profile';
  return new Provider(url, {
    clients: [
      {
        client_id: OIDC_CLIENT_SETTINGS.OIDC_CLIENT_ID,
        client_secret: OIDC_CLIENT_SETTINGS.OIDC_CLIENT_SECRET,
        redirect_uris: [redirectUri],
      },
    ],
    jwks: {
      keys: [generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey.export({ format: 'jwk' })],
    },
    // Without them, it warns for each one.
    ttl: { AccessToken: HOUR, Grant: HOUR, IdToken: HOUR, Interaction: HOUR, Session: HOUR },
    pkce: { methods: ['S256'], required: () => true },
    cookies: { keys: ['a key for tests'] },
    claims: { openid: ['sub'], email: ['email', 'email_verified'], profile: ['name'] },
    // The ID token has them, too.
    conformIdTokenClaims: false,
    features: { devInteractions: { enabled: false } },
    interactions: { url: (_context, { uid }) => `/interaction/${uid}` },
    findAccount: (_context, accountId) => ({
      accountId,
      claims: () => ({ sub: accountId, email: `${accountId}@house.example`, email_verified: true }),
    }),
    async loadExistingGrant({ oidc }) {
      const grant = new oidc.provider.Grant({
        clientId: oidc.client?.clientId ?? '',
        accountId: oidc.session?.accountId ?? '',
      });
      grant.addOIDCScope(scope);
      await grant.save();
      return grant;
    },
  });
}

async function interact(provider: Provider, request: IncomingMessage, response: ServerResponse) {
  if (request.method !== 'POST')
    return void response.writeHead(200, { 'Content-Type': 'text/html' }).end(PAGE);
  const login = new URLSearchParams(await text(request)).get('login');
  const result = login
    ? { login: { accountId: login } }
    : { error: 'access_denied', error_description: 'The person pressed cancel' };
  await provider.interactionFinished(request, response, result);
}

const PAGE = `<!doctype html><html lang="en"><title>The provider</title><link rel="icon" href="data:,">
<h1>The provider</h1>
<form method="post"><label>Name at the provider <input name="login" required></label><button>Continue</button></form>
<form method="post"><button>Cancel</button></form></html>`;
