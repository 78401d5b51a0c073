import * as z from 'zod/mini';
import type { Db, Tx } from '../db/database.ts';
import { NotFoundError } from '../errors.ts';
import { getPet } from './pet-queries.ts';

/**
 * The id of a pet that a request names for one of its memories; empty is none.
 * @throws NotFoundError when there is no such pet of this owner's
 */
export async function getOwnPetId(
  db: Db | Tx,
  ownerId: string,
  petId: string | null | undefined,
): Promise<string | null> {
  if (!petId) return null;
  if (!z.safeParse(z.uuid(), petId).success) throw new NotFoundError('This pet was not found.');
  return (await getPet(db, ownerId, petId)).id;
}
