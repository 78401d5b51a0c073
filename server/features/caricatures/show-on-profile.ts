import type { AppContext } from '../../platform/context.ts';
import { ConflictError } from '../../platform/errors.ts';
import { editPet } from '../pets/edit-pet.ts';
import type { PictureContext } from '../pets/profile-picture.ts';
import type { PetRow } from '../pets/pet-queries.ts';
import { getCompletedCaricature } from './caricature-queries.ts';
import { readCaricature } from './save-caricature-as-memory.ts';

/**
 * A square of the caricature becomes its pet's picture.
 * @throws NotFoundError, ConflictError while it is not finished or when its pet is gone, TooLargeError
 */
export async function showOnProfile(
  context: PictureContext & Pick<AppContext, 'db'>,
  ownerId: string,
  id: string,
): Promise<PetRow> {
  const { petId, imageId } = await getCompletedCaricature(context.db, ownerId, id);
  if (!petId) throw new ConflictError('The pet of this caricature was deleted.');
  const photo = await readCaricature(context, ownerId, imageId);
  return editPet(context, ownerId, petId, { fields: {}, photo });
}
