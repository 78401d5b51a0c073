import type * as z from 'zod/mini';
import type { CreatePetRequest } from '#shared/pet';
import {
  withIdempotencyKey,
  findStoredResponse,
  type StoredResponse,
  type IdempotentRequest,
} from '../idempotency/with-idempotency-key.ts';
import { commitStagedImage } from '../uploads/stage-image.ts';
import { presentPet } from './pet-presenter.ts';
import { insertPet } from './pet-queries.ts';
import { withProfilePicture, type PictureContext } from './profile-picture.ts';

/**
 * A new pet with its picture, both or neither; for a repeated call the first one's answer.
 * @throws UnsupportedImageError, TooLargeError when the account is full, InvalidError for a key used otherwise
 */
export async function createPet(
  context: PictureContext,
  ownerId: string,
  form: { fields: z.output<typeof CreatePetRequest>; photo: Buffer | null; call: IdempotentRequest | null },
): Promise<StoredResponse> {
  const { profileImage: _, ...fields } = form.fields;
  const earlier = await findStoredResponse(context, form.call);
  if (earlier) return earlier;
  return withProfilePicture(context, ownerId, form.photo, (picture) =>
    context.db.transaction((tx) =>
      withIdempotencyKey(context, tx, form.call, async () => {
        const image = picture && (await commitStagedImage(context, tx, ownerId, picture));
        const pet = await insertPet(tx, {
          ...fields,
          ownerId,
          profileImageId: image?.id ?? null,
          createdAt: context.clock.now(),
        });
        return { status: 201, body: presentPet(pet) };
      }),
    ),
  );
}
