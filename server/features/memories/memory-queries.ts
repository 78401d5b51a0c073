import { and, eq, getTableColumns } from 'drizzle-orm';
import { v7 as uuidv7 } from 'uuid';
import type { Db, Tx } from '../../platform/db/database.ts';
import { images } from '../../platform/db/schema/images.ts';
import { memories } from '../../platform/db/schema/memories.ts';
import { NotFoundError } from '../../platform/errors.ts';
import { isMemoryOf } from './memory-filter-queries.ts';

/** A memory with what its picture's tile needs. */
export type MemoryRow = typeof memories.$inferSelect &
  Pick<typeof images.$inferSelect, 'width' | 'height' | 'placeholder'>;
/** What an owner may change. */
export type MemoryChanges = Partial<
  Pick<typeof memories.$inferSelect, 'isLiked' | 'caption' | 'tags' | 'petId' | 'memoryDay' | 'memoryTime'>
>;
export type NewMemory = Omit<typeof memories.$inferInsert, 'id' | 'isLiked' | 'deletedAt'>;

export const memoryColumns = {
  ...getTableColumns(memories),
  width: images.width,
  height: images.height,
  placeholder: images.placeholder,
};

/** Null when it is not there or not this owner's. */
export async function findMemory(db: Db | Tx, ownerId: string, id: string): Promise<MemoryRow | null> {
  const [row] = await selectMemories(db).where(isMemoryOf(ownerId, { id }));
  return row ?? null;
}

/** @throws NotFoundError when it is not there or not this owner's */
export async function getMemory(db: Db | Tx, ownerId: string, id: string): Promise<MemoryRow> {
  const memory = await findMemory(db, ownerId, id);
  if (!memory) throw new NotFoundError();
  return memory;
}

export async function insertMemory(tx: Tx, memory: NewMemory) {
  const [row] = await tx
    .insert(memories)
    .values({ id: uuidv7(), ...memory })
    .returning();
  if (!row) throw new Error('The new memory was not returned');
  return row;
}

/** As it is then. @throws NotFoundError when it is not there or not this owner's */
export async function updateMemory(
  db: Db | Tx,
  ownerId: string,
  id: string,
  changes: MemoryChanges,
): Promise<MemoryRow> {
  if (Object.keys(changes).length === 0) return getMemory(db, ownerId, id);
  const [row] = await db
    .update(memories)
    .set(changes)
    .from(images)
    .where(and(isMemoryOf(ownerId, { id }), eq(images.id, memories.imageId)))
    .returning(memoryColumns);
  if (!row) throw new NotFoundError();
  return row;
}

/** To be narrowed by `isMemoryOf`. */
export function selectMemories(db: Db | Tx) {
  return db.select(memoryColumns).from(memories).innerJoin(images, eq(images.id, memories.imageId));
}
