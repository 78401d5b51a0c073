import type { Tx } from '../../platform/db/database.ts';
import type { MemoryRow } from './memory-queries.ts';
import {
  deletePetTerms,
  deleteTerms,
  insertPetTerms,
  insertTerms,
  lockMemoriesOfPet,
} from './memory-search-queries.ts';
import { toPetNameTerms, toSearchTerms } from './search-terms.ts';

type Searchable = Pick<MemoryRow, 'ownerId' | 'id' | 'caption' | 'tags'>;

export async function addSearchTerms(tx: Tx, memory: Searchable, petName: string | undefined): Promise<void> {
  await insertTerms(tx, ownTerms(memory), toSearchTerms(toText(memory)));
  if (petName !== undefined) await insertTerms(tx, petTerms(memory), toPetNameTerms(petName));
}

export async function replaceOwnTerms(tx: Tx, memory: Searchable): Promise<void> {
  await deleteTerms(tx, ownTerms(memory));
  await insertTerms(tx, ownTerms(memory), toSearchTerms(toText(memory)));
}

export async function replacePetTerms(
  tx: Tx,
  memory: Searchable,
  petName: string | undefined,
): Promise<void> {
  await deleteTerms(tx, petTerms(memory));
  if (petName !== undefined) await insertTerms(tx, petTerms(memory), toPetNameTerms(petName));
}

/** After a pet was renamed. The caller holds the pet's row lock, so that no memory is added to it. */
export async function replacePetSearchTerms(
  tx: Tx,
  ownerId: string,
  petId: string,
  name: string,
): Promise<void> {
  await deletePetSearchTerms(tx, ownerId, petId);
  await insertPetTerms(tx, ownerId, petId, toPetNameTerms(name));
}

/** Before a pet is deleted, which removes it from its memories. The caller holds the pet's row lock for update. */
export async function deletePetSearchTerms(tx: Tx, ownerId: string, petId: string): Promise<void> {
  await lockMemoriesOfPet(tx, ownerId, petId);
  await deletePetTerms(tx, ownerId, petId);
}

const ownTerms = ({ ownerId, id }: Searchable) => ({ ownerId, memoryId: id, isOfPet: false });
const petTerms = ({ ownerId, id }: Searchable) => ({ ownerId, memoryId: id, isOfPet: true });

function toText({ caption, tags }: Searchable): string {
  return [caption ?? '', ...tags].join('\n');
}
