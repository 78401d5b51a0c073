import type * as z from 'zod';
import { text } from './setting-schemas.ts';

/** The whole button, "Sign in with …", fits a small phone. */
const MAX_NAME_LENGTH = 30;

const issuer = text.refine(
  isIssuer,
  'must be an issuer like https://auth.example, without a query; http only for this machine',
);

function isIssuer(value: string): boolean {
  if (!URL.canParse(value)) return false;
  const { protocol, hostname, search, hash, username, password } = new URL(value);
  const isLoopback = /^(localhost|127(\.\d+){3}|\[::1\])$/.test(hostname);
  const isSecure = protocol === 'https:' || (protocol === 'http:' && isLoopback);
  return isSecure && !search && !hash && !username && !password;
}

const variables = {
  OIDC_ISSUER: issuer.optional(),
  OIDC_CLIENT_ID: text.optional(),
  OIDC_CLIENT_SECRET: text.optional(),
  OIDC_NAME: text.max(MAX_NAME_LENGTH, `must have at most ${MAX_NAME_LENGTH} characters`).optional(),
};

type Env = z.infer<z.ZodObject<typeof variables>>;

function findMissing(env: Env & { NODE_ENV: string; PUBLIC_URL?: string | undefined }): string[] {
  const given = (Object.keys(variables) as (keyof Env)[]).filter((name) => env[name]);
  if (given.length === 0) return [];
  const missing = (['OIDC_ISSUER', 'OIDC_CLIENT_ID'] as const).filter((name) => !env[name]);
  const errors = missing.map((name) => `${name}: is required with ${given[0]}`);
  if (env.NODE_ENV === 'production' && !env.PUBLIC_URL)
    errors.push('PUBLIC_URL: is required with OIDC_ISSUER, which sends people back there');
  return errors;
}

function toSettings(env: Env) {
  if (!env.OIDC_ISSUER || !env.OIDC_CLIENT_ID) return null;
  return {
    issuer: env.OIDC_ISSUER,
    clientId: env.OIDC_CLIENT_ID,
    /** Null for a public client, which PKCE protects alone. */
    clientSecret: env.OIDC_CLIENT_SECRET ?? null,
    /** "Sign in with …" */
    name: env.OIDC_NAME ?? new URL(env.OIDC_ISSUER).hostname.slice(0, MAX_NAME_LENGTH),
  };
}

export const oidcSettings = { variables, findMissing, toSettings };
