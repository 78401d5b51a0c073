import * as z from 'zod/mini';
import type { Tx } from '../../platform/db/database.ts';
import { NotFoundError } from '../../platform/errors.ts';
import { getPetToShare } from './pet-queries.ts';

/**
 * The pet that a request names for one of its memories; empty is none. Until the transaction ends it is neither
 * renamed nor deleted, so that the memory is found by the name that stays.
 * @throws NotFoundError when there is no such pet of this owner's
 */
export async function getOwnPet(
  tx: Tx,
  ownerId: string,
  petId: string | null | undefined,
): Promise<{ id: string; name: string } | null> {
  if (!petId) return null;
  if (!z.safeParse(z.uuid(), petId).success) throw new NotFoundError('This pet was not found.');
  const { id, name } = await getPetToShare(tx, ownerId, petId);
  return { id, name };
}
