import type { Request, RequestHandler } from 'express';
import { isLoopbackOrigin } from '../security/local-requests.ts';

/** For private photos: after the session ended, not even the browser's cache shows them. A 304 is cheap. */
export const REVALIDATED = 'private, no-cache';

const SHORT_LIVED = 'private, max-age=300';

/**
 * For tiles, of which a page has many. With `Vary: Cookie`, only the session that fetched one finds it in the cache, until
 * `GET /api/user` answers that it has ended: with `Clear-Site-Data`, which browsers ignore over http, except at localhost.
 */
export function tileCaching({ secure, host }: Pick<Request, 'secure' | 'host'>): string {
  return secure || isLoopbackOrigin(`http://${host}`) ? SHORT_LIVED : REVALIDATED;
}

/** A browser may store a response of the API, but must revalidate it, which an ETag makes cheap. */
export const revalidate: RequestHandler = (_request, response, next) => {
  response.set('Cache-Control', REVALIDATED);
  next();
};
