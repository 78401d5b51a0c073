import type * as z from 'zod/mini';
import type { CreatePetRequest } from '#shared/pet';
import {
  answerOnce,
  earlierAnswer,
  type Answer,
  type RepeatableCall,
} from '../idempotency/with-idempotency-key.ts';
import { keepOwnPicture } from '../uploads/stage-image.ts';
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
  form: { fields: z.output<typeof CreatePetRequest>; photo: Buffer | null; call: RepeatableCall | null },
): Promise<Answer> {
  const { profileImage: _, ...fields } = form.fields;
  const earlier = await earlierAnswer(context, form.call);
  if (earlier) return earlier;
  return withProfilePicture(context, ownerId, form.photo, (picture) =>
    context.db.transaction((tx) =>
      answerOnce(context, tx, form.call, async () => {
        const image = picture && (await keepOwnPicture(context, tx, ownerId, picture));
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
