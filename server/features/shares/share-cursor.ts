import * as z from 'zod/mini';
import { CursorInstant, defineCursor } from '../../platform/pagination.ts';

/** A place in the list: right after the link of this moment and id. */
export type PublicLinkCursor = { createdAt: Date; id: string };

export const publicLinkCursors = defineCursor(
  z.tuple([CursorInstant, z.uuid()]),
  ({ createdAt, id }: PublicLinkCursor) => [createdAt.getTime(), id],
  ([createdAt, id]): PublicLinkCursor => ({ createdAt: new Date(createdAt), id }),
);
