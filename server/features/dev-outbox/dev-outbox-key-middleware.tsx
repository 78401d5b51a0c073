import type { Request, RequestHandler } from 'express';
import { UnauthorizedError } from '../../platform/errors.ts';
import { sendPublicPage } from '../../platform/http/pages/public-page.tsx';
import { isSameSecret } from '../../platform/security/same-secret.ts';

export const DEV_OUTBOX_COOKIE = 'mems.outbox';
const COOKIE_LIFETIME_MS = 30 * 24 * 60 * 60 * 1000;

/** A proxy on this machine that sends no forwarding headers looks like this machine, so the address alone is no proof. */
export function requireDevOutboxKey(key: string): RequestHandler {
  return (request, response, next) => {
    const given = request.query['key'];
    if (request.method === 'GET' && typeof given === 'string' && isSameSecret(given, key)) {
      const options = {
        httpOnly: true,
        sameSite: 'strict',
        path: '/dev',
        maxAge: COOKIE_LIFETIME_MS,
      } as const;
      // Without the key, which would stay in the browser's history.
      response.cookie(DEV_OUTBOX_COOKIE, key, options).set('Cache-Control', 'no-store');
      response.redirect(303, withoutKey(request.originalUrl));
    } else if (hasDevOutboxKey(request, key)) next();
    else if (request.accepts(['html', 'json']) !== 'html')
      throw new UnauthorizedError('The key of the outbox is missing or wrong.');
    else
      sendPublicPage(response, {
        status: 401,
        title: 'Outbox',
        children: (
          <>
            <h1>This outbox needs its key</h1>
            <p>
              Open it with the link that the app printed when it started. This browser will remember the key.
            </p>
          </>
        ),
      });
  };
}

/** Whether the browser has the key. */
export function hasDevOutboxKey(request: Request, key: string): boolean {
  return isSameSecret(readCookie(request), key);
}

function withoutKey(path: string): string {
  const { pathname, searchParams } = new URL(path, 'http://localhost');
  searchParams.delete('key');
  return searchParams.size > 0 ? `${pathname}?${searchParams.toString()}` : pathname;
}

function readCookie({ headers }: Request): string | undefined {
  const prefix = `${DEV_OUTBOX_COOKIE}=`;
  const pairs = headers.cookie?.split(';').map((each) => each.trim()) ?? [];
  return pairs.find((each) => each.startsWith(prefix))?.slice(prefix.length);
}
