import { randomUUID, timingSafeEqual } from 'node:crypto';
import type { Request, Response } from 'express';
import type { AppContext } from '../../platform/context.ts';

const COOKIE = 'mems.device';
const LIFETIME_MS = 365 * 24 * 60 * 60 * 1000;

type Context = Pick<AppContext, 'config' | 'keyedHash'>;

/** A browser that has proven its right to this account before; null for others. Its cookie outlives the session. */
export function findKnownDevice({ keyedHash }: Context, request: Request, userId: string): string | null {
  const cookie = request.headers.cookie?.split('; ').find((each) => each.startsWith(`${COOKIE}=`));
  const [deviceId = '', proof = ''] = cookie?.slice(COOKIE.length + 1).split('.') ?? [];
  return isEqual(proof, keyedHash('known-device', deviceId, userId)) ? deviceId : null;
}

export function rememberDevice(context: Context, request: Request, response: Response, userId: string): void {
  const deviceId = findKnownDevice(context, request, userId) ?? randomUUID();
  response.cookie(COOKIE, `${deviceId}.${context.keyedHash('known-device', deviceId, userId)}`, {
    httpOnly: true,
    sameSite: 'lax',
    secure: context.config.http.isHttps,
    path: '/api/login',
    maxAge: LIFETIME_MS,
  });
}

function isEqual(one: string, other: string): boolean {
  const [first, second] = [Buffer.from(one), Buffer.from(other)];
  return first.length === second.length && timingSafeEqual(first, second);
}
