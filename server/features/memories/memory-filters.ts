import * as z from 'zod/mini';
import type { AppContext } from '../../platform/context.ts';
import { InvalidError, NotFoundError } from '../../platform/errors.ts';
import { getPet } from '../pets/pet-queries.ts';
import type { MemoryFilters } from './memory-filter-queries.ts';
import { searchedWords } from './search-terms.ts';

/** More than anybody types; each costs a look into the index. */
const MOST_SEARCHED_WORDS = 64;

const isId = (text: string) => z.safeParse(z.uuid(), text).success;

/**
 * What a request's query asks for.
 * @throws NotFoundError when the pet is not there or not this owner's
 * @throws InvalidError for too many words
 */
export async function toMemoryFilters(
  { db }: Pick<AppContext, 'db'>,
  ownerId: string,
  query: { petId?: string | undefined; ids?: string[] | undefined; q?: string | undefined },
): Promise<MemoryFilters> {
  const words = searchedWords(query.q ?? '');
  if (words.length > MOST_SEARCHED_WORDS) {
    const message = `Please search for at most ${MOST_SEARCHED_WORDS} words`;
    throw new InvalidError(message, { q: message });
  }
  const petId = query.petId || undefined;
  if (petId !== undefined) {
    if (!isId(petId)) throw new NotFoundError('This pet was not found.');
    await getPet(db, ownerId, petId);
  }
  return { words, petId, ids: query.ids?.filter(isId) };
}
