import { count } from 'drizzle-orm';
import type { Tx } from '../platform/db/database.ts';
import { memories } from '../platform/db/schema/album/memories.ts';
import { isMemoryOf } from '../features/memories/memory-queries.ts';

export async function countMemoriesOf(tx: Tx, ownerId: string): Promise<number> {
  const [row] = await tx.select({ memories: count() }).from(memories).where(isMemoryOf(ownerId));
  return row?.memories ?? 0;
}
