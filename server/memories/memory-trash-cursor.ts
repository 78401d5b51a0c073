import * as z from 'zod/mini';
import { InvalidError } from '../errors.ts';
import { LAST_INSTANT } from '../http/paginate.ts';

/** A place in the trash: right after the memory that was deleted at this instant. */
export type TrashCursor = { deletedAt: Date; id: string };

const Cursor = z.tuple([z.literal('deleted'), z.int().check(z.gte(0), z.lte(LAST_INSTANT)), z.uuid()]);

export function formatTrashCursor({ deletedAt, id }: TrashCursor): string {
  return Buffer.from(JSON.stringify(['deleted', deletedAt.getTime(), id])).toString('base64url');
}

/** @throws InvalidError for a cursor that no page gave */
export function parseTrashCursor(text: string): TrashCursor {
  const parsed = z.safeParse(Cursor, parseJson(Buffer.from(text, 'base64url').toString('utf8')));
  if (!parsed.success) {
    const message = 'cursor must be the one that the last page gave';
    throw new InvalidError(message, { cursor: message });
  }
  const [, instant, id] = parsed.data;
  return { deletedAt: new Date(instant), id };
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
