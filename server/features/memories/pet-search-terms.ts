import type { Tx } from '../../platform/db/database.ts';
import { deleteWordsOfPet, insertWordsOfPet, lockMemoriesOfPet } from './memory-search-queries.ts';
import { wordsInName } from './search-terms.ts';

/**
 * From now on the pet's memories are found by its new name. The caller holds the pet's row (it has just updated it),
 * so that no memory is given to the pet meanwhile.
 */
export async function renamePetInWords(tx: Tx, ownerId: string, petId: string, name: string): Promise<void> {
  await forgetPetInWords(tx, ownerId, petId);
  await insertWordsOfPet(tx, ownerId, petId, wordsInName(name));
}

/**
 * The pet's memories are no longer found by its name. To be called before the pet goes, since then nobody knows which
 * memories were its own; the caller holds the pet's row (`for update`).
 */
export async function forgetPetInWords(tx: Tx, ownerId: string, petId: string): Promise<void> {
  await lockMemoriesOfPet(tx, ownerId, petId);
  await deleteWordsOfPet(tx, ownerId, petId);
}
