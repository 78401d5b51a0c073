import { randomUUID } from 'node:crypto';
import type { Request, Response } from 'express';
import type { AppContext } from '../../../platform/context.ts';
import { isSameSecret } from '../../../platform/security/same-secret.ts';
import { toPasswordKey, type UserRow } from '../users/user-queries.ts';

/** One cookie per account: people who share a browser do not make it forget each other. */
const COOKIE_PREFIX = 'mems.device-';
const MAX_ACCOUNTS = 5;
const LIFETIME_MS = 365 * 24 * 60 * 60 * 1000;
/** Passwords are checked at /api/login; other ways to sign in come back elsewhere. */
const PATH = '/api';

type Context = Pick<AppContext, 'config' | 'keyedHash'>;
type KnownUser = Pick<UserRow, 'id' | 'passwordHash' | 'boundPasswordHash'>;

/**
 * A browser that has signed in to this account before; null for others. Its cookie outlives the session, but not the
 * password: the person who knew the old one may have another device.
 */
export function findKnownDevice(context: Context, request: Request, user: KnownUser): string | null {
  const name = toCookieName(context, user.id);
  const [deviceId = '', signature = ''] =
    listCookies(request)
      .find((each) => each.name === name)
      ?.value.split('.') ?? [];
  return isSameSecret(signature, toSignature(context, deviceId, user)) ? deviceId : null;
}

export function rememberDevice(
  context: Context,
  request: Request,
  response: Response,
  user: KnownUser,
): void {
  const deviceId = findKnownDevice(context, request, user) ?? randomUUID();
  const name = toCookieName(context, user.id);
  const value = `${deviceId}.${toSignature(context, deviceId, user)}`;
  const options = {
    httpOnly: true,
    sameSite: 'lax',
    secure: context.config.http.isHttps,
    path: PATH,
  } as const;
  response.cookie(name, value, { ...options, maxAge: LIFETIME_MS });
  // Browsers send the oldest first.
  const others = listCookies(request).filter((each) => each.name !== name);
  for (const { name: oldest } of others.slice(0, Math.max(0, others.length + 1 - MAX_ACCOUNTS)))
    response.clearCookie(oldest, options);
}

function toSignature({ keyedHash }: Context, deviceId: string, user: KnownUser): string {
  return keyedHash('known-device', deviceId, user.id, toPasswordKey(user));
}

/** Does not reveal the account. */
function toCookieName({ keyedHash }: Context, userId: string): string {
  return `${COOKIE_PREFIX}${keyedHash('known-device name', userId).slice(0, 12)}`;
}

function listCookies({ headers }: Request): { name: string; value: string }[] {
  return (headers.cookie?.split('; ') ?? [])
    .filter((each) => each.startsWith(COOKIE_PREFIX))
    .map((each) => {
      const [name = '', ...value] = each.split('=');
      return { name, value: value.join('=') };
    });
}
