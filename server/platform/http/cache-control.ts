import type { RequestHandler } from 'express';

/** For private photos: after the session ended, not even the browser's cache shows them. A 304 is cheap. */
export const REVALIDATED = 'private, no-cache';

/**
 * For tiles, of which a page has many. With `Vary: Cookie`, only the session that fetched one finds it in the cache, until
 * `GET /api/user` answers that it has ended.
 */
export const SHORT_LIVED = 'private, max-age=300';

/** A browser may store a response of the API, but must revalidate it, which an ETag makes cheap. */
export const revalidate: RequestHandler = (_request, response, next) => {
  response.set('Cache-Control', REVALIDATED);
  next();
};
