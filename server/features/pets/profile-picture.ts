import type { PictureProposal } from '#shared/album/pet';
import type { SquareCrop } from '#shared/photos/square-crop';
import type { AppContext } from '../../platform/context.ts';
import type { Tx } from '../../platform/db/database.ts';
import { ConflictError, InvalidError } from '../../platform/errors.ts';
import { createVariantsJob } from '../images/create-variants-job.ts';
import { deleteImage } from '../images/delete-image.ts';
import { findImage } from '../images/image-queries.ts';
import { commitStagedImage, stageImage, type StagedImage } from '../images/stage-image.ts';
import { countStorageNow } from '../storage/storage-usage-queries.ts';
import type { PetChanges, PetRow } from './pet-queries.ts';

/** In pixels: as large as the widest image variant. */
const MAX_SIDE = 1600;

type PictureColumns = Required<Pick<PetChanges, 'profileImageId' | 'profileOriginalId' | 'profileCrop'>>;

/** Stored, but not referenced by a row. */
export type ProfilePicture = {
  square: StagedImage;
  /** A stored one has the id of its image. */
  original: StagedImage | { imageId: string };
  crop: NonNullable<PetRow['profileCrop']>;
};

/** @throws UnsupportedImageError, TooManyRequestsError */
export async function proposeCrop(
  { rateLimits, imageDecoder }: AppContext,
  ownerId: string,
  photo: Buffer,
  { withPreview }: { withPreview: boolean },
): Promise<PictureProposal> {
  await rateLimits.uploadPerUser.consume(ownerId);
  return imageDecoder.withDecodeSlot(ownerId, async () => {
    const { crop, width, height } = await imageDecoder.cropSquare(ownerId, photo, 1);
    if (!withPreview) return { ...crop, width, height, preview: null };
    const [preview] = await imageDecoder.render(
      ownerId,
      photo,
      [{ format: 'webp', width: MAX_SIDE }],
      'interactive',
    );
    return { ...crop, width, height, preview: `data:image/webp;base64,${preview?.toString('base64')}` };
  });
}

/**
 * Crops the photo to a square, by the server's proposal without a crop, and stages both while `use` runs.
 * @throws UnsupportedImageError, TooManyRequestsError, InvalidError
 */
export async function withProfilePicture<Result>(
  context: AppContext,
  ownerId: string,
  { photo, crop }: { photo: Buffer | null; crop: SquareCrop | undefined },
  use: (picture: ProfilePicture | null) => Promise<Result>,
): Promise<Result> {
  if (!photo) return use(null);
  await context.rateLimits.uploadPerUser.consume(ownerId);
  return context.imageDecoder.withDecodeSlot(ownerId, () =>
    stageImage(context, ownerId, photo, (original) =>
      withSquare(context, ownerId, { photo, crop, size: original.image }, (square) =>
        use({ ...square, original }),
      ),
    ),
  );
}

/** The pet's stored original with another crop. @throws InvalidError, ConflictError if that is not the cropped image any more */
export async function withAdjustedPicture<Result>(
  context: AppContext,
  ownerId: string,
  pet: PetRow,
  { crop, croppedImageId }: { crop: SquareCrop; croppedImageId: string | undefined },
  use: (picture: ProfilePicture) => Promise<Result>,
): Promise<Result> {
  if (!croppedImageId) throw new InvalidError(NO_IMAGE_ID, { croppedImageId: NO_IMAGE_ID });
  const imageId = pet.profileOriginalId ?? pet.profileImageId;
  const image = imageId === croppedImageId && (await findImage(context.db, ownerId, imageId));
  if (!image) throw new ConflictError(CHANGED);
  await context.rateLimits.uploadPerUser.consume(ownerId);
  return context.imageDecoder.withDecodeSlot(ownerId, async () => {
    const photo = await context.storage.read(image.objectKey);
    if (!photo) throw new ConflictError(CHANGED);
    return withSquare(context, ownerId, { photo, crop, size: image }, (square) =>
      use({ ...square, original: { imageId: croppedImageId } }),
    );
  });
}

async function withSquare<Result>(
  context: AppContext,
  ownerId: string,
  {
    photo,
    crop,
    size: { width, height },
  }: { photo: Buffer; crop: SquareCrop | undefined; size: { width: number; height: number } },
  use: (picture: Omit<ProfilePicture, 'original'>) => Promise<Result>,
): Promise<Result> {
  if (crop && (crop.left + crop.size > width || crop.top + crop.size > height))
    throw new InvalidError('The crop is not within the picture.', {
      profileImageCrop: 'It is not within the picture.',
    });
  const cropped = await context.imageDecoder.cropSquare(ownerId, photo, MAX_SIDE, crop);
  return stageImage(context, ownerId, cropped.square, (square) =>
    use({ square, crop: { ...cropped.crop, width, height } }),
  );
}

/** Replaces the picture of `pet`, which is locked. @throws TooLargeError, ConflictError */
export async function commitProfilePicture(
  context: AppContext,
  tx: Tx,
  ownerId: string,
  { square, original, crop }: ProfilePicture,
  pet: PetRow | null,
): Promise<PictureColumns> {
  const keepsOriginal = 'imageId' in original;
  if (keepsOriginal && original.imageId !== (pet?.profileOriginalId ?? pet?.profileImageId))
    throw new ConflictError(CHANGED);
  if (pet) await deleteProfilePicture(context, tx, ownerId, pet, keepsOriginal ? original.imageId : null);
  // A full album has room for what replaces the deleted picture.
  await countStorageNow(tx);
  const { id: imageId } = await commitStagedImage(context, tx, ownerId, square);
  await context.jobs.enqueue(tx, createVariantsJob, { ownerId, imageId });
  const profileOriginalId = keepsOriginal
    ? original.imageId
    : (await commitStagedImage(context, tx, ownerId, original)).id;
  return { profileImageId: imageId, profileOriginalId, profileCrop: crop };
}

/** @param keptImageId of an original that gets another crop */
export async function deleteProfilePicture(
  context: Pick<AppContext, 'jobs'>,
  tx: Tx,
  ownerId: string,
  { profileImageId, profileOriginalId }: PetRow,
  keptImageId: string | null = null,
): Promise<void> {
  for (const imageId of [profileImageId, profileOriginalId])
    if (imageId && imageId !== keptImageId) await deleteImage(context, tx, ownerId, imageId);
}

const CHANGED = 'This picture was changed elsewhere. Please open the pet again.';
const NO_IMAGE_ID = 'Please send the id of the cropped image.';
