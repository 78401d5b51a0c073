import type { AppContext } from '../../platform/context.ts';
import { deleteImage } from '../images/delete-image.ts';
import { forgetPetInWords } from '../memories/pet-search-terms.ts';
import { deletePetRow, getPetToChange } from './pet-queries.ts';

/** Its picture goes along; its memories stay, without a pet. @throws NotFoundError */
export function deletePet(
  context: Pick<AppContext, 'db' | 'jobs'>,
  ownerId: string,
  id: string,
): Promise<void> {
  return context.db.transaction(async (tx) => {
    const pet = await getPetToChange(tx, ownerId, id);
    await forgetPetInWords(tx, ownerId, id);
    await deletePetRow(tx, ownerId, id);
    if (pet.profileImageId) await deleteImage(context, tx, ownerId, pet.profileImageId);
  });
}
