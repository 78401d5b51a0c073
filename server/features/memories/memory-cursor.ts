import * as z from 'zod/mini';
import { isCalendarDate } from '#shared/calendar-date';
import type { MemoryOrder } from '#shared/memory';
import { CursorInstant, defineCursor, type CursorCodec } from '../../platform/pagination.ts';

/** A place in a list that is ordered newest first: right after the row with these keys. */
export type MemoryCursor = {
  /** A local time, `YYYY-MM-DD HH:mm:ss`, in a list that is ordered by it first; else null. */
  takenAt: string | null;
  createdAt: Date;
  id: string;
};

const LocalTime = z.string().check(
  z.regex(/^\d{4}-\d\d-\d\d (?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d$/),
  z.refine((time) => isCalendarDate(time.slice(0, 10))),
);

/** Each names its order: a place in the one is none in the other. */
export const memoryCursors: Record<MemoryOrder, CursorCodec<MemoryCursor, MemoryCursor>> = {
  added: defineCursor(
    z.tuple([z.literal('added'), CursorInstant, z.uuid()]),
    ({ createdAt, id }) => ['added', createdAt.getTime(), id],
    ([, instant, id]) => ({ takenAt: null, createdAt: new Date(instant), id }),
  ),
  taken: defineCursor(
    z.tuple([z.literal('taken'), LocalTime, CursorInstant, z.uuid()]),
    ({ takenAt, createdAt, id }) => ['taken', takenAt ?? '', createdAt.getTime(), id],
    ([, takenAt, instant, id]) => ({ takenAt, createdAt: new Date(instant), id }),
  ),
};
