import { createHash, generateKeyPairSync, randomUUID, sign, type KeyObject } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

type Endpoint = 'discovery' | 'keys' | 'token';
type Claims = Record<string, unknown>;

/** Faults of the issuer's answers; none if empty. */
export type Misbehavior = {
  /** Changes the metadata, the claims of ID tokens, or the response of the token endpoint. */
  metadata?: Record<string, unknown>;
  claims?: (claims: Claims) => Claims;
  tokens?: (tokens: Record<string, unknown>) => Record<string, unknown>;
  /** How ID tokens are signed, instead of by the issuer's key. */
  signature?: 'none' | 'unknown-key';
  /** Responds with 503, with text that is no JSON, or not at all. */
  outage?: { at: Endpoint; kind: 'unavailable' | 'garbled' | 'silent' };
};

export type OidcIssuer = {
  url: string;
  misbehavior: Misbehavior;
  /** Requests, by endpoint. */
  calls: Endpoint[];
  /** The person agrees at the authorization URL. @returns the query of the redirect URI */
  authorize(url: string, subject: string, claims?: Claims): URLSearchParams;
  close(): Promise<void>;
};

const KEY_ID = 'key';
const CLIENT = { id: 'mems', secret: 'secret of the client' };
export const OIDC_CLIENT_SETTINGS = { OIDC_CLIENT_ID: CLIENT.id, OIDC_CLIENT_SECRET: CLIENT.secret };

/** An OpenID Connect issuer for hostile and broken responses. It checks the client, the code and PKCE. */
export async function startOidcIssuer(): Promise<OidcIssuer> {
  const [own, unknown] = [createKey(), createKey()];
  const codes = new Map<string, { params: URLSearchParams; claims: Claims }>();
  const server = createServer((request, response) => {
    respond(request, response).catch((error: unknown) => response.writeHead(500).end(String(error)));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

  const issuer: OidcIssuer = {
    url,
    misbehavior: {},
    calls: [],
    authorize(address, subject, claims = {}) {
      const params = new URL(address).searchParams;
      const code = randomUUID();
      codes.set(code, { params, claims: { sub: subject, ...claims } });
      return new URLSearchParams({ code, state: params.get('state') ?? '', iss: url });
    },
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
  return issuer;

  async function respond(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const endpoint = ENDPOINTS[new URL(request.url ?? '', url).pathname];
    if (!endpoint) return void response.writeHead(404).end();
    issuer.calls.push(endpoint);
    const { outage } = issuer.misbehavior;
    if (outage?.at === endpoint) {
      if (outage.kind === 'silent') return;
      return void response.writeHead(outage.kind === 'garbled' ? 200 : 503).end('<h1>Sorry</h1>');
    }
    const [status, body] = endpoint === 'token' ? await redeem(request) : [200, describe(endpoint)];
    response.writeHead(status, { 'Content-Type': 'application/json' }).end(JSON.stringify(body));
  }

  function describe(endpoint: Endpoint): object {
    if (endpoint === 'keys')
      return {
        keys: [{ ...own.publicKey.export({ format: 'jwk' }), kid: KEY_ID, alg: 'RS256', use: 'sig' }],
      };
    return {
      issuer: url,
      authorization_endpoint: `${url}/authorize`,
      token_endpoint: `${url}/token`,
      jwks_uri: `${url}/keys`,
      response_types_supported: ['code'],
      subject_types_supported: ['public'],
      id_token_signing_alg_values_supported: ['RS256'],
      code_challenge_methods_supported: ['S256'],
      authorization_response_iss_parameter_supported: true,
      ...issuer.misbehavior.metadata,
    };
  }

  async function redeem(request: IncomingMessage): Promise<[number, object]> {
    const form = new URLSearchParams(await text(request));
    const client = Buffer.from(
      request.headers.authorization?.replace('Basic ', '') ?? '',
      'base64',
    ).toString();
    if (client !== `${CLIENT.id}:${encodeURIComponent(CLIENT.secret).replaceAll('%20', '+')}`)
      return [401, { error: 'invalid_client' }];
    const granted = codes.get(form.get('code') ?? '');
    codes.delete(form.get('code') ?? '');
    const challenge = createHash('sha256')
      .update(form.get('code_verifier') ?? '')
      .digest('base64url');
    if (
      granted?.params.get('code_challenge') !== challenge ||
      granted.params.get('redirect_uri') !== form.get('redirect_uri')
    )
      return [400, { error: 'invalid_grant' }];
    const tokens = {
      access_token: randomUUID(),
      token_type: 'Bearer',
      id_token: signToken(toClaims(granted.params, granted.claims)),
    };
    return [200, issuer.misbehavior.tokens?.(tokens) ?? tokens];
  }

  function toClaims(params: URLSearchParams, given: Claims): Claims {
    const now = Math.floor(Date.now() / 1000);
    const nonce = params.get('nonce');
    const claims = { iss: url, aud: CLIENT.id, iat: now, exp: now + 300, nonce, ...given };
    return issuer.misbehavior.claims?.(claims) ?? claims;
  }

  function signToken(claims: Claims): string {
    const { signature } = issuer.misbehavior;
    const header = signature === 'none' ? { alg: 'none' } : { alg: 'RS256', kid: KEY_ID };
    const signed = [header, claims].map((part) => toBase64Url(JSON.stringify(part))).join('.');
    if (signature === 'none') return `${signed}.`;
    const key: KeyObject = signature === 'unknown-key' ? unknown.privateKey : own.privateKey;
    return `${signed}.${sign('sha256', Buffer.from(signed), key).toString('base64url')}`;
  }
}

const ENDPOINTS: Record<string, Endpoint> = {
  '/.well-known/openid-configuration': 'discovery',
  '/keys': 'keys',
  '/token': 'token',
};

function createKey() {
  return generateKeyPairSync('rsa', { modulusLength: 2048 });
}

function toBase64Url(part: string): string {
  return Buffer.from(part).toString('base64url');
}
