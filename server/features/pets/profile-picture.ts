import type { AppContext } from '../../platform/context.ts';
import { withOwnPicture, type OwnPicture } from '../uploads/stage-image.ts';

/** Pixels: enough for the widest copy that is offered. */
const SIDE = 1600;

export type PictureContext = Pick<
  AppContext,
  'config' | 'db' | 'clock' | 'storage' | 'imageDecoder' | 'jobs' | 'rateLimits'
>;

/**
 * The picture that a form brought, cropped to a square and stored while it is used; null when it brought none.
 * @throws UnsupportedImageError, TooManyRequestsError
 */
export async function withProfilePicture<Result>(
  context: PictureContext,
  ownerId: string,
  photo: Buffer | null,
  use: (picture: OwnPicture | null) => Promise<Result>,
): Promise<Result> {
  if (!photo) return use(null);
  await context.rateLimits.uploadPerUser.consume(ownerId);
  const square = await context.imageDecoder.cropSquare(photo, SIDE);
  return withOwnPicture(context, ownerId, square, use);
}
