import { and, asc, desc, eq, gte, inArray, isNotNull, lt, sql } from 'drizzle-orm';
import * as z from 'zod/mini';
import { ownedBy } from '../../platform/db/conditions.ts';
import type { Db, Tx } from '../../platform/db/database.ts';
import { images } from '../../platform/db/schema/images.ts';
import { memories } from '../../platform/db/schema/memories.ts';
import { CursorInstant, defineCursor, type PageRange } from '../../platform/pagination.ts';
import { memoryColumns, type MemoryRow } from './memory-queries.ts';

type TrashCursor = { deletedAt: Date; id: string };

export const trashCursor = defineCursor(
  z.tuple([z.literal('deleted'), CursorInstant, z.uuid()]),
  ({ deletedAt, id }: TrashCursor) => ['deleted', deletedAt.getTime(), id],
  ([, instant, id]): TrashCursor => ({ deletedAt: new Date(instant), id }),
);

export type DeletedMemoryRow = MemoryRow & { deletedAt: Date };

/** One that is in the trash stays there as of the first time. False when it is not there or not this owner's. */
export async function markMemoryDeleted(
  db: Db | Tx,
  ownerId: string,
  id: string,
  now: Date,
): Promise<boolean> {
  const marked = await db
    .update(memories)
    .set({ deletedAt: sql`coalesce(${memories.deletedAt}, ${now.toISOString()}::timestamptz)` })
    .where(ownedBy(memories, ownerId, id))
    .returning({ id: memories.id });
  return marked.length > 0;
}

/** Changes nothing when it was deleted before then, is not there or not this owner's. */
export async function unmarkMemoryDeleted(tx: Tx, ownerId: string, id: string, since: Date): Promise<void> {
  const { deletedAt } = memories;
  await tx
    .update(memories)
    .set({
      deletedAt: sql`case when ${deletedAt} < ${since.toISOString()}::timestamptz then ${deletedAt} end`,
    })
    .where(ownedBy(memories, ownerId, id));
}

/** The memories deleted since then, the latest first. */
export function listDeletedMemories(
  db: Db,
  ownerId: string,
  { since, after, maxRows }: PageRange<TrashCursor> & { since: Date },
): Promise<DeletedMemoryRow[]> {
  const ordering = [desc(memories.deletedAt), desc(memories.id)];
  // First the ids, from the owner's index alone: no other way there is as short.
  const ids = db
    .select({ id: memories.id })
    .from(memories)
    .where(
      and(eq(memories.ownerId, ownerId), gte(memories.deletedAt, since), after ? isAfter(after) : undefined),
    )
    .orderBy(...ordering)
    .limit(maxRows);
  return db
    .select({ ...memoryColumns, deletedAt: sql`${memories.deletedAt}`.mapWith(memories.deletedAt) })
    .from(memories)
    .innerJoin(images, eq(images.id, memories.imageId))
    .where(inArray(memories.id, ids))
    .orderBy(...ordering);
}

/** Some of those that were deleted before then, whoever's, locked; one that is locked already is passed over. */
export function lockMemoriesToPurge(
  db: Db | Tx,
  before: Date,
  atMost: number,
): Promise<{ ownerId: string; id: string }[]> {
  return db
    .select({ ownerId: memories.ownerId, id: memories.id })
    .from(memories)
    .where(lt(memories.deletedAt, before))
    .orderBy(asc(memories.deletedAt))
    .limit(atMost)
    .for('update', { skipLocked: true });
}

/** The image that it leaves behind; null when it is not in this owner's trash. */
export async function deleteMemoryRow(tx: Tx, ownerId: string, id: string): Promise<string | null> {
  const [row] = await tx
    .delete(memories)
    .where(and(ownedBy(memories, ownerId, id), isNotNull(memories.deletedAt)))
    .returning({ imageId: memories.imageId });
  return row?.imageId ?? null;
}

function isAfter({ deletedAt, id }: TrashCursor) {
  return sql`(${memories.deletedAt}, ${memories.id}) < (${deletedAt.toISOString()}::timestamptz, ${id}::uuid)`;
}
