import { createHash } from 'node:crypto';
import { fileTypeFromBuffer } from 'file-type';
import pLimit from 'p-limit';
import sharp, { type Sharp } from 'sharp';
import { rgbaToThumbHash } from 'thumbhash';
import type { ImageWidth } from '#shared/upload';
import { UnsupportedImageError } from '../errors.ts';

/** What the bytes turned out to be. Sizes are of the upright picture, in pixels. */
export type InspectedImage = {
  contentType: string;
  byteSize: number;
  /** Hexadecimal. */
  sha256: string;
  width: number;
  height: number;
  /** A thumbhash in base64. */
  placeholder: string;
};

const ACCEPTED_TYPES = new Set(['image/jpeg', 'image/png', 'image/webp']);
const MAX_PIXELS = 100_000_000;
const THUMBHASH_SIDE = 100;
const WEBP_QUALITY = 80;

// One decode at a time and no cache of decoded pictures: a large photo takes hundreds of megabytes.
const decoding = pLimit(1);
sharp.cache(false);

/** Looks at the bytes, whatever the name said. @throws UnsupportedImageError when they are no photo we can read */
export function inspectImage(bytes: Buffer): Promise<InspectedImage> {
  return decoding(async () => {
    const type = await fileTypeFromBuffer(bytes);
    if (!type || !ACCEPTED_TYPES.has(type.mime)) throw new UnsupportedImageError();
    try {
      const { autoOrient } = await sharp(bytes, { limitInputPixels: MAX_PIXELS }).metadata();
      return {
        contentType: type.mime,
        byteSize: bytes.length,
        sha256: createHash('sha256').update(bytes).digest('hex'),
        width: autoOrient.width,
        height: autoOrient.height,
        placeholder: await thumbhash(bytes),
      };
    } catch (error) {
      throw new UnsupportedImageError(
        'This photo is damaged or too large to read. Please try another one.',
        error,
      );
    }
  });
}

/** Reads every row of the picture on the way, so a damaged file is found out here. */
async function thumbhash(bytes: Buffer): Promise<string> {
  const { data, info } = await open(bytes)
    .resize(THUMBHASH_SIDE, THUMBHASH_SIDE, { fit: 'inside' })
    .ensureAlpha()
    .raw()
    .toBuffer({ resolveWithObject: true });
  return Buffer.from(rgbaToThumbHash(info.width, info.height, data)).toString('base64');
}

/** An upright WebP of at most this width, without any metadata. */
export function renderVariant(bytes: Buffer, width: ImageWidth): Promise<Buffer> {
  return decoding(() =>
    open(bytes).resize({ width, withoutEnlargement: true }).webp({ quality: WEBP_QUALITY }).toBuffer(),
  );
}

function open(bytes: Buffer): Sharp {
  return sharp(bytes, { limitInputPixels: MAX_PIXELS, failOn: 'error' }).autoOrient().toColourspace('srgb');
}
