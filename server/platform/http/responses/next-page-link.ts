import type { Request, Response } from 'express';
import type { CursorCodec, Page } from '../../pagination.ts';

/** Removes the extra row that `toPage` asks for, and links to the next page if there was one. */
export function cutPage<RowKeys, Row extends RowKeys>(
  request: Request,
  response: Response,
  { codec, limit }: Pick<Page<RowKeys, unknown>, 'codec' | 'limit'>,
  rows: Row[],
): Row[] {
  const pageRows = rows.slice(0, limit);
  const last = pageRows.at(-1);
  if (last !== undefined && pageRows.length < rows.length) linkNext(request, response, codec, last);
  return pageRows;
}

export function linkNext<RowKeys>(
  request: Request,
  response: Response,
  codec: CursorCodec<RowKeys, unknown>,
  last: RowKeys,
): void {
  const next = new URL(request.originalUrl, 'http://relative');
  next.searchParams.set('cursor', codec.format(last));
  response.set('Link', `<${next.pathname}${next.search}>; rel="next"`);
}
