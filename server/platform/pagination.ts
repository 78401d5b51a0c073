import * as z from 'zod/mini';
import type { PageQuery } from '#shared/api/pagination';
import { InvalidError } from './errors.ts';

/** Writes and reads the opaque text that names the position right after a row of one kind of list. */
export type CursorCodec<Row, Cursor> = {
  format(row: Row): string;
  /** @throws InvalidError for a text that `format` of the same list did not write */
  parse(text: string): Cursor;
};

export function defineCursor<Keys, Row, Cursor>(
  schema: z.ZodMiniType<Keys>,
  toKeys: (row: Row) => readonly unknown[],
  toCursor: (keys: Keys) => Cursor,
): CursorCodec<Row, Cursor> {
  return {
    format: (row) => Buffer.from(JSON.stringify(toKeys(row))).toString('base64url'),
    parse(text) {
      const keys = z.safeParse(schema, parseJson(Buffer.from(text, 'base64url').toString('utf8')));
      if (keys.success) return toCursor(keys.data);
      const message = 'cursor must come from the previous page, in the same order';
      throw new InvalidError(message, { cursor: message });
    },
  };
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

/** Milliseconds up to the year 9999: JavaScript writes later years in a format that Postgres does not read. */
export const CursorInstant = z.int().check(z.gte(0), z.lte(253_402_300_799_999));

export type CreatedAtCursor = { createdAt: Date; id: string };

/** Of every list ordered by createdAt and id. */
export const createdAtCursor = defineCursor(
  z.tuple([CursorInstant, z.uuid()]),
  ({ createdAt, id }: CreatedAtCursor) => [createdAt.getTime(), id],
  ([createdAt, id]): CreatedAtCursor => ({ createdAt: new Date(createdAt), id }),
);

/** Of the texts of a page, beyond its last row: a response that its client does not read stays in memory. */
export const MAX_PAGE_BYTES = 1024 * 1024;

/** Of a page without a limit, if its texts are short. */
export const MAX_PAGE_ROWS = 1000;

/** JSON texts of rows, separated by commas, and the last one if another page follows. */
export type ListPage<Row> = { json: string; next: Row | null };

export function toListPage<Row extends { foundRows: number }>(
  rows: Row[],
  present: (row: Row) => object,
): ListPage<Row> {
  const last = rows.at(-1);
  const json = rows.map((row) => JSON.stringify(present(row))).join(',');
  return { json, next: last && rows.length < last.foundRows ? last : null };
}

export type PageRange<Cursor> = {
  /** Null for the first page. */
  after: Cursor | null;
  maxRows: number;
};

const ALL_ROWS: PageRange<never> = { after: null, maxRows: Number.MAX_SAFE_INTEGER };

/** A requested page. Its range has one row more than the page, which tells whether another page follows. */
export type Page<Row, Cursor> = PageRange<Cursor> & {
  codec: CursorCodec<Row, Cursor>;
  limit: number | undefined;
};

/** @throws InvalidError for a cursor from another list */
export function toPage<Row, Cursor>(
  { limit, cursor }: PageQuery,
  codec: CursorCodec<Row, Cursor>,
): Page<Row, Cursor> {
  return {
    codec,
    limit,
    after: cursor === undefined ? null : codec.parse(cursor),
    maxRows: limit === undefined ? ALL_ROWS.maxRows : limit + 1,
  };
}
