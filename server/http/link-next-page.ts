import type { Request, Response } from 'express';

/** `Link: <…>; rel="next"`: the same address with the cursor of the page that follows. */
export function linkNextPage(request: Request, response: Response, cursor: string): void {
  const next = new URL(request.originalUrl, 'http://here');
  next.searchParams.set('cursor', cursor);
  response.set('Link', `<${next.pathname}${next.search}>; rel="next"`);
}
