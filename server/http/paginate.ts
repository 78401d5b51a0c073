import type { Request, Response } from 'express';
import { isCalendarDate } from '#shared/calendar-date';
import type { MemoryOrder } from '#shared/memory';
import type { PageQuery } from '#shared/page';
import type { Cursor } from '../db/cursor.ts';
import { InvalidError } from '../errors.ts';

export type Page = { limit: number | null; order: MemoryOrder; after: Cursor | null };

/** The end of the year 9999: Postgres reads no later one as JavaScript writes it. */
export const LAST_INSTANT = 253_402_300_799_999;
const CURSOR =
  /^(?:added|taken_(?<day>\d{4}-\d\d-\d\d) (?<time>(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d))_(?<instant>\d{1,15})_(?<id>[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})$/;

/** @throws InvalidError for a cursor that no page of a list in this order gave */
export function toPage({
  limit,
  cursor,
  order = 'added',
}: PageQuery & { order?: MemoryOrder | undefined }): Page {
  return { limit: limit ?? null, order, after: cursor === undefined ? null : parseCursor(cursor, order) };
}

function parseCursor(text: string, order: MemoryOrder): Cursor {
  const { day, time, instant, id } =
    CURSOR.exec(Buffer.from(text, 'base64url').toString('utf8'))?.groups ?? {};
  const isOfOrder = order === 'added' ? day === undefined : day !== undefined && isCalendarDate(day);
  if (!isOfOrder || !instant || !id || Number(instant) > LAST_INSTANT) {
    const message = 'cursor must be the one that the last page gave, in the same order';
    throw new InvalidError(message, { cursor: message });
  }
  return {
    takenAt: order === 'taken' ? `${day} ${time}` : null,
    createdAt: new Date(Number(instant)),
    id,
  };
}

/** As an address carries it: opaque, and exact to what the database keeps. */
export function formatCursor({ takenAt, createdAt, id }: Cursor): string {
  const order = takenAt === null ? 'added' : `taken_${takenAt}`;
  return Buffer.from(`${order}_${createdAt.getTime()}_${id}`).toString('base64url');
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
    const cursor = { ...last, takenAt: page.order === 'taken' ? last.takenAt : null };
    next.searchParams.set('cursor', formatCursor(cursor));
    response.set('Link', `<${next.pathname}${next.search}>; rel="next"`);
  }
  return shown;
}
