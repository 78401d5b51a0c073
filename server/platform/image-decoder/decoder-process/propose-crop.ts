import sharp, { type Sharp } from 'sharp';
import type { SquareCrop } from '#shared/photos/square-crop';

/** Enough to find the most salient part. */
const PROPOSAL_SIDE = 400;

/** The square that attracts most attention, as large as the image allows, in pixels of the upright image. */
export async function proposeCrop(
  image: Sharp,
  { width, height }: { width: number; height: number },
): Promise<SquareCrop> {
  const size = Math.min(width, height);
  const side = Math.min(size, PROPOSAL_SIDE);
  const { info } = await image
    .clone()
    .resize(side, side, { fit: 'cover', position: sharp.strategy.attention })
    .toBuffer({ resolveWithObject: true });
  // sharp counts how far the image is moved, in pixels of the result.
  const offset = (moved = 0, room: number) => Math.min(room, Math.round((Math.abs(moved) * size) / side));
  return {
    left: offset(info.cropOffsetLeft, width - size),
    top: offset(info.cropOffsetTop, height - size),
    size,
  };
}
