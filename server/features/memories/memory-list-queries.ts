import { desc, type SQL } from 'drizzle-orm';
import type { MemoryOrder } from '#shared/memory';
import type { Db } from '../../platform/db/database.ts';
import { memories } from '../../platform/db/schema/memories.ts';
import { isMemoryOf, type MemoryFilters } from './memory-filter-queries.ts';
import { selectMemories, type MemoryRow } from './memory-queries.ts';

/** More than there can be. */
export const ALL = Number.MAX_SAFE_INTEGER;

/** Newest first. */
export const orderings: Record<MemoryOrder, SQL[]> = {
  added: [desc(memories.createdAt), desc(memories.id)],
  taken: [desc(memories.takenAt), desc(memories.createdAt), desc(memories.id)],
};

/** All that match, in the list's order, for whoever needs more of them than an answer has. */
export function findMemories(
  db: Db,
  ownerId: string,
  filters: MemoryFilters,
  order: MemoryOrder,
): Promise<MemoryRow[]> {
  return selectMemories(db)
    .where(isMemoryOf(ownerId, filters))
    .orderBy(...orderings[order]);
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
