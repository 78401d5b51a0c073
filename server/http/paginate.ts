import type { Request, Response } from 'express';
import type { PageQuery } from '#shared/page';
import type { Cursor } from '../db/cursor.ts';
import { InvalidError } from '../errors.ts';

export type Page = { limit: number | null; after: Cursor | null };

/** The end of the year 9999: Postgres reads no later one as JavaScript writes it. */
const LAST_INSTANT = 253_402_300_799_999;
const CURSOR = /^(\d{1,15})_([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})$/;

/** @throws InvalidError for a cursor that no page gave */
export function toPage(query: PageQuery): Page {
  return { limit: query.limit ?? null, after: query.cursor === undefined ? null : parseCursor(query.cursor) };
}

function parseCursor(text: string): Cursor {
  const match = CURSOR.exec(Buffer.from(text, 'base64url').toString('utf8'));
  if (!match?.[1] || !match[2] || Number(match[1]) > LAST_INSTANT) {
    const message = 'cursor must be the one that the last page gave';
    throw new InvalidError(message, { cursor: message });
  }
  return { createdAt: new Date(Number(match[1])), id: match[2] };
}

function formatCursor({ createdAt, id }: Cursor): string {
  return Buffer.from(`${createdAt.getTime()}_${id}`).toString('base64url');
}

/** How many rows to ask the database for: one more than the page, which tells whether there is another. */
export function rowsToFetch(page: Page): number | undefined {
  return page.limit === null ? undefined : page.limit + 1;
}

/** Cuts the extra row off again; while there is more, `Link: <…>; rel="next"` says where. */
export function cutPage<Row extends Cursor>(
  request: Request,
  response: Response,
  page: Page,
  rows: Row[],
): Row[] {
  if (page.limit === null || rows.length <= page.limit) return rows;
  const shown = rows.slice(0, page.limit);
  const last = shown.at(-1);
  if (last) {
    const next = new URL(request.originalUrl, 'http://here');
    next.searchParams.set('cursor', formatCursor(last));
    response.set('Link', `<${next.pathname}${next.search}>; rel="next"`);
  }
  return shown;
}
