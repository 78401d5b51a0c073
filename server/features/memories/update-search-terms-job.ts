import * as z from 'zod';
import type { Db } from '../../platform/db/database.ts';
import { forEachRow } from '../../platform/db/for-each-row.ts';
import { defineJob } from '../../platform/jobs/define-job.ts';
import { getPet } from '../pets/pet-queries.ts';
import { findMemoryPetId, listTexts, lockMemories } from './memory-queries.ts';
import { listMemoriesWithLetters, replaceOwnTerms, replacePetTerms } from '../search/search-term-queries.ts';
import { OUTDATED_LETTERS } from '../search/search-terms.ts';

/** Unicode has digits in its first two planes only: all seventeen would take a tenth of a second of each start. */
const MAX_CODE_POINT = 0x1ffff;

/** Replaces search terms that earlier releases wrote with letters and digits that no search has anymore. */
export const updateSearchTermsJob = defineJob({
  name: 'update-search-terms',
  payload: z.object({}),
  retries: 5,
  // Terms that it has replaced are not found again.
  expireInSeconds: 60 * 60,
  runAtStart: true,
  async handle({ db }, _payload, stopping) {
    const letters = OUTDATED_LETTERS + listOtherDigits();
    const list = (afterId: string | null) => listMemoriesWithLetters(db, letters, afterId);
    await forEachRow(list, stopping, async ({ ownerId, id }) => {
      while (!(await updateTerms(db, ownerId, id)));
    });
  },
});

/** False if the memory was moved to another pet before it was locked. */
function updateTerms(db: Db, ownerId: string, id: string): Promise<boolean> {
  return db.transaction(async (tx) => {
    const petId = await findMemoryPetId(tx, ownerId, id);
    // Lock the pet before the memory, as renaming a pet does.
    const pet = petId === null ? null : await getPet(tx, ownerId, petId, 'share');
    const [memory] = await lockMemories(tx, ownerId, [id]);
    if (!memory) return true;
    if (memory.petId !== petId) return false;
    const [texts] = await listTexts(tx, ownerId, [id]);
    if (texts) await replaceOwnTerms(tx, texts);
    await replacePetTerms(tx, ownerId, [id], pet?.name);
    return true;
  });
}

function listOtherDigits(): string {
  const digit = /\p{Nd}/u;
  let digits = '';
  for (let codePoint = 0x80; codePoint <= MAX_CODE_POINT; codePoint += 1) {
    const character = String.fromCodePoint(codePoint);
    if (digit.test(character)) digits += character;
  }
  return digits;
}
