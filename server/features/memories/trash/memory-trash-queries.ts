import { and, asc, desc, eq, gte, inArray, isNotNull, lt, sql } from 'drizzle-orm';
import * as z from 'zod/mini';
import { ownedBy } from '../../../platform/db/conditions.ts';
import type { Db, Tx } from '../../../platform/db/database.ts';
import { fitsOnPage, foundRows, pageColumns } from '../../../platform/db/page-columns.ts';
import { flipbookPdfs } from '../../../platform/db/schema/album/flipbook-pdfs.ts';
import { images } from '../../../platform/db/schema/album/images.ts';
import { memories } from '../../../platform/db/schema/album/memories.ts';
import { CursorInstant, defineCursor, MAX_PAGE_ROWS } from '../../../platform/pagination.ts';
import { isMemoryOf, memoryColumns, pageTextBytes, type MemoryRow } from '../memory-queries.ts';

type TrashCursor = { deletedAt: Date; id: string };

export const trashCursor = defineCursor(
  z.tuple([z.literal('deleted'), CursorInstant, z.uuid()]),
  ({ deletedAt, id }: TrashCursor) => ['deleted', deletedAt.getTime(), id],
  ([, instant, id]): TrashCursor => ({ deletedAt: new Date(instant), id }),
);

export type DeletedMemoryRow = MemoryRow & { deletedAt: Date };

/** Keeps the time of an earlier deletion. False when it does not exist or belongs to another owner. */
export async function trashMemoryRow(db: Db | Tx, ownerId: string, id: string, now: Date): Promise<boolean> {
  const marked = await db
    .update(memories)
    .set({ deletedAt: sql`coalesce(${memories.deletedAt}, ${now.toISOString()}::timestamptz)` })
    .where(ownedBy(memories, ownerId, id))
    .returning({ id: memories.id });
  return marked.length > 0;
}

export async function trashMemoryRows(tx: Tx, ownerId: string, ids: string[], now: Date): Promise<void> {
  await tx.update(memories).set({ deletedAt: now }).where(isMemoryOf(ownerId, { ids }));
}

export async function restoreMemoryRows(tx: Tx, ownerId: string, ids: string[]): Promise<void> {
  await tx
    .update(memories)
    .set({ deletedAt: null })
    .where(and(eq(memories.ownerId, ownerId), inArray(memories.id, ids)));
}

/** Leaves memories deleted before `since` in the trash. */
export async function restoreMemoryRow(tx: Tx, ownerId: string, id: string, since: Date): Promise<void> {
  const { deletedAt } = memories;
  await tx
    .update(memories)
    .set({
      deletedAt: sql`case when ${deletedAt} < ${since.toISOString()}::timestamptz then ${deletedAt} end`,
    })
    .where(ownedBy(memories, ownerId, id));
}

/** Of a page, in its order. */
export function listDeletedMemories(
  db: Db,
  ownerId: string,
  {
    since,
    after,
    limit = MAX_PAGE_ROWS,
  }: { since: Date; after: TrashCursor | null; limit: number | undefined },
): Promise<(DeletedMemoryRow & { foundRows: number })[]> {
  const ordering = [desc(memories.deletedAt), desc(memories.id)];
  // Select the ids first, by an index-only scan. The extra row tells whether another page follows.
  const ids = db
    .select({ id: memories.id })
    .from(memories)
    .where(
      and(eq(memories.ownerId, ownerId), gte(memories.deletedAt, since), after ? isAfter(after) : undefined),
    )
    .orderBy(...ordering)
    .limit(limit + 1);
  const found = db
    .select({
      ...memoryColumns,
      deletedAt: sql`${memories.deletedAt}`.mapWith(memories.deletedAt).as('deleted'),
      ...pageColumns(pageTextBytes, sql.join(ordering, sql`, `)),
      foundRows,
    })
    .from(memories)
    .innerJoin(images, eq(images.id, memories.imageId))
    .where(inArray(memories.id, ids))
    .as('found');
  return db.select().from(found).where(fitsOnPage(found)).orderBy(found.nth).limit(limit);
}

/** Of all accounts. Skips rows that another transaction has locked. */
export function lockMemoriesToPurge(
  db: Db | Tx,
  before: Date,
  limit: number,
): Promise<{ ownerId: string; id: string }[]> {
  return db
    .select({ ownerId: memories.ownerId, id: memories.id })
    .from(memories)
    .where(lt(memories.deletedAt, before))
    .orderBy(asc(memories.deletedAt))
    .limit(limit)
    .for('update', { skipLocked: true });
}

/** Returns the image's id; null when it is not in this owner's trash. */
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

/** A memory that is deleted permanently must not stay in a PDF. */
export function deleteFlipbookPdfRowsOfMemory(
  tx: Tx,
  ownerId: string,
  memoryId: string,
): Promise<{ id: string }[]> {
  return tx
    .delete(flipbookPdfs)
    .where(and(eq(flipbookPdfs.ownerId, ownerId), sql`${memoryId}::uuid = any(${flipbookPdfs.memoryIds})`))
    .returning({ id: flipbookPdfs.id });
}
