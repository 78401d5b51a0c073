import * as z from 'zod/mini';
import { CursorInstant, defineCursor } from '../../platform/pagination.ts';

/** A place in the list: right after the caricature of this moment and id. */
export type CaricatureCursor = { createdAt: Date; id: string };

export const caricatureCursors = defineCursor(
  z.tuple([CursorInstant, z.uuid()]),
  ({ createdAt, id }: CaricatureCursor) => [createdAt.getTime(), id],
  ([createdAt, id]): CaricatureCursor => ({ createdAt: new Date(createdAt), id }),
);
