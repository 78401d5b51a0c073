import * as z from 'zod/mini';
import type { AppContext } from '../../../platform/context.ts';
import { InvalidError } from '../../../platform/errors.ts';
import { getPet } from '../../pets/pet-queries.ts';
import type { MemoryFilters } from '../memory-queries.ts';
import { findSearchPeriods } from '../../search/search-periods.ts';
import { parseSearchQuery } from '../../search/search-terms.ts';

/** Each costs an index scan. */
const MAX_SEARCH_TERMS = 64;

export async function toMemoryFilters(
  { db }: Pick<AppContext, 'db'>,
  ownerId: string,
  query: {
    petId?: string | undefined;
    isLiked?: 'true' | undefined;
    ids?: string[] | undefined;
    q?: string | undefined;
  },
): Promise<MemoryFilters> {
  const searchTerms = findSearchPeriods(parseSearchQuery(query.q ?? ''));
  if (searchTerms.length > MAX_SEARCH_TERMS) {
    const message = `Please search for at most ${MAX_SEARCH_TERMS} words`;
    throw new InvalidError(message, { q: message });
  }
  const petId = query.petId || undefined;
  if (petId !== undefined) await getPet(db, ownerId, petId);
  return {
    searchTerms,
    petId,
    isLiked: query.isLiked && true,
    ids: query.ids?.filter((id) => z.safeParse(z.uuid(), id).success),
  };
}
