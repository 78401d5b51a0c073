import * as oidc from 'openid-client';
import type { Config } from '../config/config.ts';
import type { Clock } from '../time/clock.ts';

const TIMEOUT_SECONDS = 5;
const METADATA_LIFETIME_MS = 60 * 60 * 1000;
/** OpenID Connect Core, 2. */
const MAX_SUBJECT_LENGTH = 255;
const MAX_LABEL_LENGTH = 200;

/** Bound to one browser and used once. */
export type OidcSecrets = { state: string; nonce: string; codeVerifier: string };

export type OidcIdentity = {
  issuer: string;
  subject: string;
  /** Only to be shown: the provider may not have verified it. */
  label: string | null;
};

export type OidcClient = {
  /** @throws OidcError if the provider is unavailable */
  authorizationUrl(redirectUri: string, secrets: OidcSecrets): Promise<string>;
  /** Checks the provider's response and redeems its code. `url` is the redirect URI with the response. @throws OidcError */
  redeem(url: URL, secrets: OidcSecrets): Promise<OidcIdentity>;
};

type OidcErrorReason = 'cancelled' | 'unavailable' | 'rejected';

export class OidcError extends Error {
  override readonly name = 'OidcError';
  constructor(
    readonly reason: OidcErrorReason,
    cause: unknown,
  ) {
    super(`Signing in with OpenID Connect failed: ${reason}`, { cause });
  }
}

/** Discovers the provider at first use, so that the app starts while it is down. */
export function createOidcClient(settings: NonNullable<Config['oidc']>, clock: Clock): OidcClient {
  let discovered: { configuration: Promise<oidc.Configuration>; at: number } | null = null;

  return {
    async authorizationUrl(redirectUri, { state, nonce, codeVerifier }) {
      const url = oidc.buildAuthorizationUrl(await configuration(), {
        redirect_uri: redirectUri,
        scope: 'openid email profile',
        state,
        nonce,
        code_challenge: await oidc.calculatePKCECodeChallenge(codeVerifier),
        code_challenge_method: 'S256',
      });
      return url.href;
    },
    async redeem(url, { state, nonce, codeVerifier }) {
      const provider = await configuration();
      try {
        const tokens = await oidc.authorizationCodeGrant(provider, url, {
          expectedState: state,
          expectedNonce: nonce,
          pkceCodeVerifier: codeVerifier,
          idTokenExpected: true,
        });
        return toIdentity(tokens.claims());
      } catch (error) {
        throw error instanceof OidcError ? error : new OidcError(toReason(error), error);
      }
    },
  };

  /** Concurrent callers share one request. A failed one is repeated by the next caller. */
  async function configuration(): Promise<oidc.Configuration> {
    const now = clock.now().getTime();
    if (!discovered || now - discovered.at > METADATA_LIFETIME_MS)
      discovered = { configuration: discover(settings), at: now };
    const current = discovered;
    try {
      return await current.configuration;
    } catch (error) {
      if (discovered === current) discovered = null;
      throw new OidcError('unavailable', error);
    }
  }
}

function discover({ issuer, clientId, clientSecret }: NonNullable<Config['oidc']>) {
  const isHttp = issuer.startsWith('http:');
  return oidc.discovery(
    new URL(issuer),
    clientId,
    undefined,
    clientSecret === null ? oidc.None() : authenticateClient(clientSecret),
    {
      timeout: TIMEOUT_SECONDS,
      // By default only TLS proves the ID token. The settings allow http for this machine only.
      execute: [oidc.enableNonRepudiationChecks, ...(isHttp ? [oidc.allowInsecureRequests] : [])],
    },
  );
}

/** By the method that is the default of OpenID Connect, unless the provider only supports the other. */
function authenticateClient(clientSecret: string): oidc.ClientAuth {
  const basic = oidc.ClientSecretBasic(clientSecret);
  const post = oidc.ClientSecretPost(clientSecret);
  return (server, ...rest) => {
    const methods = server.token_endpoint_auth_methods_supported;
    const authenticate = !methods || methods.includes('client_secret_basic') ? basic : post;
    return authenticate(server, ...rest);
  };
}

function toIdentity(claims: oidc.IDToken | undefined): OidcIdentity {
  const { iss: issuer = '', sub: subject = '' } = claims ?? {};
  if (!isStorable(subject) || subject.length > MAX_SUBJECT_LENGTH)
    throw new OidcError('rejected', new Error('The ID token has no usable subject'));
  const names = [claims?.['email'], claims?.['preferred_username'], claims?.['name']];
  const label = names.find((each): each is string => typeof each === 'string' && isStorable(each));
  return { issuer, subject, label: label?.slice(0, MAX_LABEL_LENGTH).toWellFormed() ?? null };
}

/** Postgres stores neither NUL nor unpaired surrogates. */
function isStorable(text: string): boolean {
  return text.trim() !== '' && text.isWellFormed() && !text.includes('\0');
}

function toReason(error: unknown): OidcErrorReason {
  if (error instanceof oidc.AuthorizationResponseError) {
    if (error.error === 'access_denied') return 'cancelled';
    return ['server_error', 'temporarily_unavailable'].includes(error.error) ? 'unavailable' : 'rejected';
  }
  return isOutage(error) ? 'unavailable' : 'rejected';
}

function isOutage(error: unknown): boolean {
  // fetch throws it for network errors.
  if (error instanceof TypeError) return true;
  if (error instanceof oidc.ResponseBodyError) return error.status >= 500;
  if (!(error instanceof oidc.ClientError)) return false;
  if (error.code === 'OAUTH_TIMEOUT' || error.code === 'OAUTH_ABORT') return true;
  return error.cause instanceof Response && error.cause.status >= 500;
}
