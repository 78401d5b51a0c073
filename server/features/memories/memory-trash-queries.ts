import { and, asc, desc, eq, gte, inArray, isNotNull, lt, sql } from 'drizzle-orm';
import type { Db, Tx } from '../../platform/db/database.ts';
import { images } from '../../platform/db/schema/images.ts';
import { memories } from '../../platform/db/schema/memories.ts';
import { ALL } from './memory-list-queries.ts';
import { memoryColumns, type MemoryRow } from './memory-queries.ts';
import type { TrashCursor } from './memory-trash-cursor.ts';

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
    .where(isOwn(ownerId, id))
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
    .where(isOwn(ownerId, id));
}

/** Those that were deleted since then, the latest first; after the cursor, and at most so many, when given. */
export function listDeletedMemories(
  db: Db,
  ownerId: string,
  { since, after, atMost = ALL }: { since: Date; after: TrashCursor | null; atMost: number | undefined },
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
    .limit(atMost);
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
    .where(and(isOwn(ownerId, id), isNotNull(memories.deletedAt)))
    .returning({ imageId: memories.imageId });
  return row?.imageId ?? null;
}

function isOwn(ownerId: string, id: string) {
  return and(eq(memories.id, id), eq(memories.ownerId, ownerId));
}

function isAfter({ deletedAt, id }: TrashCursor) {
  return sql`(${memories.deletedAt}, ${memories.id}) < (${deletedAt.toISOString()}::timestamptz, ${id}::uuid)`;
}
