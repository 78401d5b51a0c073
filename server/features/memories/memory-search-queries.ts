import { and, count, eq, sql } from 'drizzle-orm';
import type { Tx } from '../../platform/db/database.ts';
import { memories, memoryWords } from '../../platform/db/schema/memories.ts';

/** Words of a memory's own (caption, tags), or of its pet's name. */
type KindOfWords = { ownerId: string; memoryId: string; isOfPet: boolean };

export async function insertMemoryWords(
  tx: Tx,
  { ownerId, memoryId, isOfPet }: KindOfWords,
  words: string[],
): Promise<void> {
  if (words.length === 0) return;
  await tx.execute(sql`
    insert into ${memoryWords} (owner_id, word, memory_id, is_of_pet)
    select ${ownerId}::uuid, word, ${memoryId}::uuid, ${isOfPet}::boolean
    from unnest(${sql.param(words)}::text[]) as word`);
}

export async function deleteMemoryWords(tx: Tx, { ownerId, memoryId, isOfPet }: KindOfWords): Promise<void> {
  await tx
    .delete(memoryWords)
    .where(
      and(
        eq(memoryWords.ownerId, ownerId),
        eq(memoryWords.memoryId, memoryId),
        eq(memoryWords.isOfPet, isOfPet),
      ),
    );
}

/**
 * Holds all memories of a pet until the transaction ends: one that is given to another pet at this moment has either
 * gone before, or finds its words as they are afterwards.
 */
export async function lockMemoriesOfPet(tx: Tx, ownerId: string, petId: string): Promise<void> {
  const held = tx
    .select({ id: memories.id })
    .from(memories)
    .where(isOfPet(ownerId, petId))
    .orderBy(memories.id)
    .for('no key update')
    .as('held');
  await tx.select({ held: count() }).from(held);
}

export async function insertWordsOfPet(
  tx: Tx,
  ownerId: string,
  petId: string,
  words: string[],
): Promise<void> {
  await tx.execute(sql`
    insert into ${memoryWords} (owner_id, word, memory_id, is_of_pet)
    select ${memories.ownerId}, word, ${memories.id}, true
    from ${memories} cross join unnest(${sql.param(words)}::text[]) as word
    where ${isOfPet(ownerId, petId)}`);
}

export async function deleteWordsOfPet(tx: Tx, ownerId: string, petId: string): Promise<void> {
  const ids = tx.select({ id: memories.id }).from(memories).where(isOfPet(ownerId, petId));
  await tx
    .delete(memoryWords)
    .where(
      and(
        eq(memoryWords.ownerId, ownerId),
        eq(memoryWords.isOfPet, true),
        sql`${memoryWords.memoryId} in ${ids}`,
      ),
    );
}

/** Deleted ones too: a restored memory is found by its pet's name as it is then. */
function isOfPet(ownerId: string, petId: string) {
  return and(eq(memories.ownerId, ownerId), eq(memories.petId, petId));
}
