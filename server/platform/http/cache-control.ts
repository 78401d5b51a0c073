import type { RequestHandler } from 'express';

/** A browser may store a response of the API, but must revalidate it, which an ETag makes cheap. */
export const revalidate: RequestHandler = (_request, response, next) => {
  response.set('Cache-Control', 'private, no-cache');
  next();
};
