import type { AppContext } from '../../platform/context.ts';

type HttpConfig = Pick<AppContext['config'], 'http'>;

export const SESSION_LIFETIME_MS = 30 * 24 * 60 * 60 * 1000;

/** `__Host-` binds the cookie to this very host and to https; browsers refuse it on plain http. */
export function sessionCookieName({ http }: HttpConfig): string {
  return http.isHttps ? '__Host-mems.sid' : 'mems.sid';
}

export function sessionCookieOptions({ http }: HttpConfig) {
  return { httpOnly: true, sameSite: 'lax', secure: http.isHttps, path: '/' } as const;
}
