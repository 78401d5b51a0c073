import * as z from 'zod/mini';
import type { PageQuery } from '#shared/pagination';
import { InvalidError } from './errors.ts';

/** How one kind of list names the place right after a row. Opaque to whoever carries it, exact to what is sorted by. */
export type CursorKind<Row, Cursor> = {
  format(row: Row): string;
  /** @throws InvalidError for a text that no page of such a list gave */
  parse(text: string): Cursor;
};

export function defineCursor<Keys, Row, Cursor>(
  schema: z.ZodMiniType<Keys>,
  toKeys: (row: Row) => readonly unknown[],
  toCursor: (keys: Keys) => Cursor,
): CursorKind<Row, Cursor> {
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

/** An instant in a cursor, in milliseconds; to the year 9999: Postgres reads no later one as JavaScript writes it. */
export const CursorInstant = z.int().check(z.gte(0), z.lte(253_402_300_799_999));

/** What a list is asked for. */
export type Page<Row, Cursor> = {
  cursors: CursorKind<Row, Cursor>;
  limit: number | undefined;
  /** Null at the beginning. */
  after: Cursor | null;
  /** How many rows to ask the database for: one more than the page, which tells whether there is another. */
  atMost: number | undefined;
};

/** @throws InvalidError for a cursor that no page of this list gave */
export function toPage<Row, Cursor>(
  { limit, cursor }: PageQuery,
  cursors: CursorKind<Row, Cursor>,
): Page<Row, Cursor> {
  return {
    cursors,
    limit,
    after: cursor === undefined ? null : cursors.parse(cursor),
    atMost: limit && limit + 1,
  };
}
