import type { Request, Response } from 'express';
import type { CursorKind, Page } from '../pagination.ts';

/** Cuts the extra row off again; while there is more, links to it. */
export function cutPage<Place, Row extends Place>(
  request: Request,
  response: Response,
  { cursors, limit }: Pick<Page<Place, unknown>, 'cursors' | 'limit'>,
  rows: Row[],
): Row[] {
  const shown = rows.slice(0, limit);
  const last = shown.at(-1);
  if (last !== undefined && shown.length < rows.length) linkNext(request, response, cursors, last);
  return shown;
}

/** `Link: <…>; rel="next"` says where the list goes on. */
export function linkNext<Place>(
  request: Request,
  response: Response,
  cursors: CursorKind<Place, unknown>,
  last: Place,
): void {
  const next = new URL(request.originalUrl, 'http://here');
  next.searchParams.set('cursor', cursors.format(last));
  response.set('Link', `<${next.pathname}${next.search}>; rel="next"`);
}
