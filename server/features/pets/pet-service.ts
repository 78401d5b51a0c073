import type * as z from 'zod/mini';
import { MAX_PETS, type CreatePetRequest, type UpdatePetRequest } from '#shared/album/pet';
import type { AppContext } from '../../platform/context.ts';
import type { Db, Tx } from '../../platform/db/database.ts';
import { ConflictError } from '../../platform/errors.ts';
import { lockUser } from '../accounts/users/user-queries.ts';
import {
  findCreated,
  withIdempotencyKey,
  type IdempotentRequest,
} from '../idempotency/with-idempotency-key.ts';
import { deletePetSearchTerms, replacePetSearchTerms } from '../search/search-term-queries.ts';
import { withTextStorage } from '../storage/storage-limit.ts';
import {
  countPets,
  deletePetRow,
  getPet,
  insertPet,
  updatePetRow,
  type PetChanges,
  type PetRow,
} from './pet-queries.ts';
import {
  commitProfilePicture,
  deleteProfilePicture,
  withAdjustedPicture,
  withProfilePicture,
  type ProfilePicture,
} from './profile-picture.ts';

/** @throws UnsupportedImageError, ConflictError or TooLargeError when the account is full, InvalidError for a reused idempotency key */
export async function createPet(
  context: AppContext,
  ownerId: string,
  form: {
    fields: z.output<typeof CreatePetRequest>;
    photo: Buffer | null;
    request: IdempotentRequest | null;
  },
): Promise<PetRow> {
  const { profileImage: _, profileImageCrop: crop, ...fields } = form.fields;
  const find = (db: Db | Tx, id: string) => getPet(db, ownerId, id);
  const created = await findCreated(context, form.request, find);
  if (created) return created;
  await context.diskSpace.requireRoom();
  return withProfilePicture(context, ownerId, { photo: form.photo, crop }, (picture) =>
    context.db.transaction((tx) =>
      withIdempotencyKey(context, tx, form.request, {
        find,
        async create() {
          await checkPetLimit(tx, ownerId);
          const columns = picture && (await commitProfilePicture(context, tx, ownerId, picture, null));
          return withTextStorage(context, tx, ownerId, () =>
            insertPet(tx, { ...fields, ...columns, ownerId, createdAt: context.clock.now() }),
          );
        },
      }),
    ),
  );
}

/** Locks the user, so that concurrent requests are counted one after the other. @throws ConflictError */
async function checkPetLimit(tx: Tx, ownerId: string): Promise<void> {
  await lockUser(tx, ownerId);
  if ((await countPets(tx, ownerId)) >= MAX_PETS)
    throw new ConflictError(`An album has at most ${MAX_PETS} pets.`);
}

/** Changes only the given fields, so that concurrent edits of different fields both take effect. */
export async function editPet(
  context: AppContext,
  ownerId: string,
  id: string,
  form: { fields: z.output<typeof UpdatePetRequest>; photo: Buffer | null },
): Promise<PetRow> {
  const {
    profileImage: _,
    profileImageCrop: crop,
    croppedImageId,
    removeProfileImage,
    ...fields
  } = form.fields;
  const { photo } = form;
  // Fail before decoding the photo.
  const before = await getPet(context.db, ownerId, id);
  await context.diskSpace.requireRoom();
  return crop && !photo && removeProfileImage !== 'true'
    ? withAdjustedPicture(context, ownerId, before, { crop, croppedImageId }, save)
    : withProfilePicture(context, ownerId, { photo, crop }, save);

  function save(picture: ProfilePicture | null): Promise<PetRow> {
    return context.db.transaction((tx) =>
      // It locks the user, before the pet: see docs/lock-order.md.
      withTextStorage(context, tx, ownerId, async () => {
        const pet = await getPet(tx, ownerId, id, 'update');
        const changes: PetChanges = { ...fields };
        if (picture) Object.assign(changes, await commitProfilePicture(context, tx, ownerId, picture, pet));
        else if (removeProfileImage === 'true') {
          await deleteProfilePicture(context, tx, ownerId, pet);
          Object.assign(changes, { profileImageId: null, profileOriginalId: null, profileCrop: null });
        }
        if (picture || removeProfileImage === 'true') changes.awaitsPicture = false;
        if (Object.keys(changes).length === 0) return pet;
        const edited = await updatePetRow(tx, ownerId, id, changes);
        if (edited.name !== pet.name) await replacePetSearchTerms(tx, ownerId, id, edited.name);
        return edited;
      }),
    );
  }
}

/** Deletes the pet and its profile picture; its memories stay, without a pet. @throws NotFoundError */
export function deletePet(
  context: Pick<AppContext, 'db' | 'jobs'>,
  ownerId: string,
  id: string,
): Promise<void> {
  return context.db.transaction(async (tx) => {
    const pet = await getPet(tx, ownerId, id, 'update');
    await deletePetSearchTerms(tx, ownerId, id);
    await deletePetRow(tx, ownerId, id);
    await deleteProfilePicture(context, tx, ownerId, pet);
  });
}
