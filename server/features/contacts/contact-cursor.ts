import * as z from 'zod/mini';
import { CursorInstant, defineCursor } from '../../platform/pagination.ts';

/** A place in the list: right after the contact of this moment and id. */
export type ContactCursor = { createdAt: Date; id: string };

export const contactCursors = defineCursor(
  z.tuple([CursorInstant, z.uuid()]),
  ({ createdAt, id }: ContactCursor) => [createdAt.getTime(), id],
  ([createdAt, id]): ContactCursor => ({ createdAt: new Date(createdAt), id }),
);
