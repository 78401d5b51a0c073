import * as z from 'zod/mini';
import { CursorInstant, defineCursor } from '../../platform/pagination.ts';

/** A place in the trash: right after the memory that was deleted at this instant. */
export type TrashCursor = { deletedAt: Date; id: string };

export const trashCursors = defineCursor(
  z.tuple([z.literal('deleted'), CursorInstant, z.uuid()]),
  ({ deletedAt, id }: TrashCursor) => ['deleted', deletedAt.getTime(), id],
  ([, instant, id]): TrashCursor => ({ deletedAt: new Date(instant), id }),
);
