import { and, desc, sql, type SQL } from 'drizzle-orm';
import type { MemoryOrder } from '#shared/memory';
import type { Cursor } from '../db/cursor.ts';
import type { Db, Tx } from '../db/database.ts';
import { memories } from '../db/schema/memories.ts';
import { isMemoryOf, type MemoryFilters } from './memory-filter-queries.ts';
import { selectMemories, type MemoryRow } from './memory-queries.ts';

const orderings: Record<MemoryOrder, SQL[]> = {
  added: [desc(memories.createdAt), desc(memories.id)],
  taken: [desc(memories.takenAt), desc(memories.createdAt), desc(memories.id)],
};

/** Newest first; after the cursor, and at most so many, when given. */
export function listMemories(
  db: Db | Tx,
  ownerId: string,
  filters: MemoryFilters,
  page: { order: MemoryOrder; after: Cursor | null; atMost: number | undefined },
): Promise<MemoryRow[]> {
  const query = selectMemories(db)
    .where(and(isMemoryOf(ownerId, filters), page.after ? isAfter(page.after) : undefined))
    .orderBy(...orderings[page.order])
    .$dynamic();
  return page.atMost === undefined ? query : query.limit(page.atMost);
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
function isAfter({ takenAt, createdAt, id }: Cursor): SQL {
  const added = sql`${createdAt.toISOString()}::timestamptz, ${id}::uuid`;
  return takenAt === null
    ? sql`(${memories.createdAt}, ${memories.id}) < (${added})`
    : sql`(${memories.takenAt}, ${memories.createdAt}, ${memories.id}) < (${takenAt}::timestamp, ${added})`;
}
