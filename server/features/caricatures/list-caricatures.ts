import type { AppContext } from '../../platform/context.ts';
import type { CreatedAtCursor, PageRange } from '../../platform/pagination.ts';
import { getPet } from '../pets/pet-queries.ts';
import { listCaricatures, type ListedCaricature } from './caricature-queries.ts';

/** Those of one pet, newest first. @throws NotFoundError when the pet is not there or not this owner's */
export async function listCaricaturesOfPet(
  { db }: Pick<AppContext, 'db'>,
  ownerId: string,
  petId: string,
  page: PageRange<CreatedAtCursor>,
): Promise<ListedCaricature[]> {
  await getPet(db, ownerId, petId);
  return listCaricatures(db, ownerId, { petId, ...page });
}
