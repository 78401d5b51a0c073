import type { Tx } from '../../platform/db/database.ts';
import type { MemoryRow } from './memory-queries.ts';
import { deleteMemoryWords, insertMemoryWords } from './memory-search-queries.ts';
import { wordsIn, wordsInName } from './search-terms.ts';

type Story = Pick<MemoryRow, 'ownerId' | 'id' | 'caption' | 'tags'>;

/** A new memory is found by what its owner said about it. */
export async function addMemoryWords(tx: Tx, memory: Story, petName: string | undefined): Promise<void> {
  await insertMemoryWords(tx, ownWords(memory), wordsIn(storyOf(memory)));
  if (petName !== undefined) await insertMemoryWords(tx, petWords(memory), wordsInName(petName));
}

/** After its caption or its tags changed. The caller holds the memory's row (it has just updated it), here and below. */
export async function updateOwnWords(tx: Tx, memory: Story): Promise<void> {
  await deleteMemoryWords(tx, ownWords(memory));
  await insertMemoryWords(tx, ownWords(memory), wordsIn(storyOf(memory)));
}

/** After it was given to another pet, or to none. */
export async function updatePetWords(tx: Tx, memory: Story, petName: string | undefined): Promise<void> {
  await deleteMemoryWords(tx, petWords(memory));
  if (petName !== undefined) await insertMemoryWords(tx, petWords(memory), wordsInName(petName));
}

const ownWords = ({ ownerId, id }: Story) => ({ ownerId, memoryId: id, isOfPet: false });
const petWords = ({ ownerId, id }: Story) => ({ ownerId, memoryId: id, isOfPet: true });

function storyOf({ caption, tags }: Story): string {
  return [caption ?? '', ...tags].join('\n');
}
