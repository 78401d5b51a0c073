import { and, desc, inArray, sql, type SQL } from 'drizzle-orm';
import type { MemoryOrder } from '#shared/memory';
import type { Db, Tx } from '../db/database.ts';
import { memories } from '../db/schema/memories.ts';
import type { MemoryCursor } from './memory-cursor.ts';
import { hasFilters, isMemoryOf, type MemoryFilters } from './memory-filter-queries.ts';
import { selectMemories, type MemoryRow } from './memory-queries.ts';

/** More than there can be. */
export const ALL = Number.MAX_SAFE_INTEGER;

const orderings: Record<MemoryOrder, SQL[]> = {
  added: [desc(memories.createdAt), desc(memories.id)],
  taken: [desc(memories.takenAt), desc(memories.createdAt), desc(memories.id)],
};

/** Newest first; after the cursor, and at most so many, when given. */
export function listMemories(
  db: Db | Tx,
  ownerId: string,
  filters: MemoryFilters,
  {
    order,
    after,
    atMost = ALL,
  }: { order: MemoryOrder; after: MemoryCursor | null; atMost: number | undefined },
): Promise<MemoryRow[]> {
  const isAsked = and(isMemoryOf(ownerId, filters), after ? isAfter(after) : undefined);
  const ordering = orderings[order];
  const list = selectMemories(db)
    .orderBy(...ordering)
    .limit(atMost)
    .$dynamic();
  if (!hasFilters(filters)) return list.where(isAsked);
  // What matches may be most of an album, and a page is a hundred: first its ids, most often from indexes alone.
  const ids = db
    .select({ id: memories.id })
    .from(memories)
    .where(isAsked)
    .orderBy(...ordering)
    .limit(atMost);
  return list.where(inArray(memories.id, ids));
}

/** The ids of all that match, in the list's order. */
export async function listMemoryIds(
  db: Db,
  ownerId: string,
  filters: MemoryFilters,
  order: MemoryOrder,
): Promise<string[]> {
  const rows = await db
    .select({ id: memories.id })
    .from(memories)
    .where(isMemoryOf(ownerId, filters))
    .orderBy(...orderings[order]);
  return rows.map((row) => row.id);
}

/** A comparison of whole rows is a range of the order's index; one of columns joined by "or" is not. */
function isAfter({ takenAt, createdAt, id }: MemoryCursor): SQL {
  const added = sql`${createdAt.toISOString()}::timestamptz, ${id}::uuid`;
  return takenAt === null
    ? sql`(${memories.createdAt}, ${memories.id}) < (${added})`
    : sql`(${memories.takenAt}, ${memories.createdAt}, ${memories.id}) < (${takenAt}::timestamp, ${added})`;
}
