import { and, count, eq, sql } from 'drizzle-orm';
import type { Tx } from '../../platform/db/database.ts';
import { memories, memorySearchTerms } from '../../platform/db/schema/memories.ts';

/** A memory's own terms (caption, tags) or those of its pet's name. */
type TermGroup = { ownerId: string; memoryId: string; isOfPet: boolean };

export async function insertTerms(
  tx: Tx,
  { ownerId, memoryId, isOfPet }: TermGroup,
  terms: string[],
): Promise<void> {
  if (terms.length === 0) return;
  await tx.execute(sql`
    insert into ${memorySearchTerms} (owner_id, word, memory_id, is_of_pet)
    select ${ownerId}::uuid, term, ${memoryId}::uuid, ${isOfPet}::boolean
    from unnest(${sql.param(terms)}::text[]) as term`);
}

export async function deleteTerms(tx: Tx, { ownerId, memoryId, isOfPet }: TermGroup): Promise<void> {
  await tx
    .delete(memorySearchTerms)
    .where(
      and(
        eq(memorySearchTerms.ownerId, ownerId),
        eq(memorySearchTerms.memoryId, memoryId),
        eq(memorySearchTerms.isOfPet, isOfPet),
      ),
    );
}

/** A memory that concurrently moves to another pet has left before, or replaces its terms afterwards. */
export async function lockMemoriesOfPet(tx: Tx, ownerId: string, petId: string): Promise<void> {
  const locked = tx
    .select({ id: memories.id })
    .from(memories)
    .where(isOfPet(ownerId, petId))
    .orderBy(memories.id)
    .for('no key update')
    .as('locked');
  await tx.select({ locked: count() }).from(locked);
}

export async function insertPetTerms(tx: Tx, ownerId: string, petId: string, terms: string[]): Promise<void> {
  await tx.execute(sql`
    insert into ${memorySearchTerms} (owner_id, word, memory_id, is_of_pet)
    select ${memories.ownerId}, term, ${memories.id}, true
    from ${memories} cross join unnest(${sql.param(terms)}::text[]) as term
    where ${isOfPet(ownerId, petId)}`);
}

export async function deletePetTerms(tx: Tx, ownerId: string, petId: string): Promise<void> {
  const ids = tx.select({ id: memories.id }).from(memories).where(isOfPet(ownerId, petId));
  await tx
    .delete(memorySearchTerms)
    .where(
      and(
        eq(memorySearchTerms.ownerId, ownerId),
        eq(memorySearchTerms.isOfPet, true),
        sql`${memorySearchTerms.memoryId} in ${ids}`,
      ),
    );
}

/** Includes the trash: a restored memory is found by its pet's current name. */
function isOfPet(ownerId: string, petId: string) {
  return and(eq(memories.ownerId, ownerId), eq(memories.petId, petId));
}
