import type * as z from 'zod/mini';
import type { UpdatePetRequest } from '#shared/pet';
import { deleteImage } from '../images/delete-image.ts';
import { renamePetInWords } from '../memories/pet-search-terms.ts';
import { keepOwnPicture } from '../uploads/stage-image.ts';
import { lockStorage } from '../uploads/storage-limit.ts';
import { getPet, getPetToChange, updatePetRow, type PetChanges, type PetRow } from './pet-queries.ts';
import { withProfilePicture, type PictureContext } from './profile-picture.ts';

/**
 * Changes what the form names and nothing else, so that two edits of different fields both stay. A picture that is
 * replaced or removed is deleted.
 * @throws NotFoundError, UnsupportedImageError, TooLargeError when the account is full
 */
export async function editPet(
  context: PictureContext,
  ownerId: string,
  id: string,
  form: { fields: z.output<typeof UpdatePetRequest>; photo: Buffer | null },
): Promise<PetRow> {
  const { profileImage: _, removeProfileImage, ...fields } = form.fields;
  // Before anybody works on the photo.
  await getPet(context.db, ownerId, id);
  return withProfilePicture(context, ownerId, form.photo, (picture) =>
    context.db.transaction(async (tx) => {
      // The user before the pet: see docs/lock-order.md.
      if (picture) await lockStorage(tx, ownerId);
      const pet = await getPetToChange(tx, ownerId, id);
      const changes: PetChanges = { ...fields };
      if (picture || removeProfileImage === 'true') {
        if (pet.profileImageId) await deleteImage(context, tx, ownerId, pet.profileImageId);
        const image = picture && (await keepOwnPicture(context, tx, ownerId, picture));
        changes.profileImageId = image?.id ?? null;
      }
      if (Object.keys(changes).length === 0) return pet;
      const edited = await updatePetRow(tx, ownerId, id, changes);
      if (edited.name !== pet.name) await renamePetInWords(tx, ownerId, id, edited.name);
      return edited;
    }),
  );
}
