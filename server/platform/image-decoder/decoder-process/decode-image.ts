import { createHash } from 'node:crypto';
import sharp, { type Metadata, type Sharp } from 'sharp';
import { rgbaToThumbHash } from 'thumbhash';
import { readCaptureDate } from '#shared/dates/capture-date';
import { isAnimatedImage } from '#shared/photos/animated-image';
import type { SquareCrop } from '#shared/photos/square-crop';
import { TILE_WIDTH, type CroppedSquare, type Inspection, type Rendering } from './decoder-protocol.ts';
import { detectType, openImage, optionsFor, toKnownBrand, toRejection, uprightSize } from './open-image.ts';
import { proposeCrop } from './propose-crop.ts';

/** It keeps 7 by 7 coefficients of them. With the 100 that it accepts it takes 26 ms in a new process. */
const THUMBHASH_SIDE = 32;
/** WebP's default effort makes files 5 % smaller, in more than twice the time. */
const ENCODING = { webp: { quality: 80, effort: 2 }, jpeg: { quality: 92 } };
/** Noise of 1200 x 1200 pixels, the worst case, has less than 300 kB with the last one. */
const PREVIEW_QUALITIES = [85, 75, 65, 50, 35, 20, 10, 5];
/** WebP's limit; a copy of a taller image is narrower than asked for. */
const MAX_SIDE = 16_383;
/** A file of 26 KB can have a copy of 10 MB: noise in one bit a pixel, tall, so that no width bounds it. */
const MAX_COPY_PIXELS = 6_000_000;
/** Of the width that is asked for. */
const MAX_COPY_HEIGHT_RATIO = 4;

// Images are rarely decoded twice in a row, so a cache would only take memory.
sharp.cache(false);

/** Checks the type and the number of pixels from the header. @throws ImageRejectedError */
export async function probeImage(bytes: Buffer): Promise<'probed'> {
  const contentType = await detectType(bytes);
  // A HEIC's size is known only after libheif has decoded all of it.
  if (contentType !== 'image/heic') await uprightSize(sharp(toKnownBrand(bytes), optionsFor(contentType)));
  return 'probed';
}

/** Detects the type from the bytes and decodes the whole image, once. @throws ImageRejectedError */
export async function inspectImage(bytes: Buffer): Promise<Inspection> {
  const contentType = await detectType(bytes);
  const image = await openImage(bytes, contentType);
  const { width, height } = await uprightSize(image);
  const stored = sharp(toKnownBrand(bytes), optionsFor(contentType));
  const { orientation = 1, pages = 1 } = await stored.metadata().catch(() => ({}) as Metadata);
  const isTurned = orientation > 1 && !['image/jpeg', 'image/heic'].includes(contentType);
  // Upright comes before moving.
  const isAnimated = !isTurned && (contentType === 'image/gif' ? pages > 1 : isAnimatedImage(bytes));
  const decoding = decode(image, { width: TILE_WIDTH });
  const sha256 = createHash('sha256').update(bytes).digest('hex');
  const small = await decoding;
  const [tile, placeholder] = await Promise.all([
    renderCopy(small, { format: 'webp', width: TILE_WIDTH }),
    thumbhash(small),
  ]);
  return {
    image: {
      contentType,
      byteSize: bytes.length,
      sha256,
      width,
      height,
      isAnimated,
      isTurned,
      placeholder,
      takenAt: readCaptureDate(bytes),
    },
    tile,
  };
}

/** Upright copies without metadata, in the order of `renderings`. @throws ImageRejectedError */
export async function renderImage(bytes: Buffer, renderings: Rendering[]): Promise<Buffer[]> {
  const image = await openImage(bytes, await detectType(bytes));
  const copies: Buffer[] = [];
  try {
    const source = await decodeOnce(image, renderings);
    for (const rendering of renderings) copies.push(await renderCopy(source, rendering));
  } catch (error) {
    throw toRejection(error);
  }
  return copies;
}

/** Upright and without metadata. @throws ImageRejectedError, RangeError when the crop is not within the image */
export async function cropImage(
  bytes: Buffer,
  wanted: SquareCrop | null,
  maxSide: number,
): Promise<CroppedSquare> {
  const image = await openImage(bytes, await detectType(bytes));
  const { width, height } = await uprightSize(image);
  try {
    const crop = wanted ?? (await proposeCrop(image, { width, height }));
    const { left, top, size } = crop;
    if (left + size > width || top + size > height) throw new RangeError('The crop is not within the image');
    const side = Math.min(size, maxSide);
    const square = await image
      .clone()
      .extract({ left, top, width: size, height: size })
      .resize(side, side)
      .webp(ENCODING.webp)
      .toBuffer();
    return { crop, width, height, square };
  } catch (error) {
    throw error instanceof RangeError ? error : toRejection(error);
  }
}

async function renderCopy(image: Sharp, rendering: Rendering): Promise<Buffer> {
  if ('preview' in rendering) return renderPreview(image, rendering);
  const { format } = rendering;
  const quality = 'quality' in rendering ? rendering.quality : undefined;
  const resized = await resize(image, rendering);
  const opaque = format === 'jpeg' ? resized.flatten({ background: 'white' }) : resized;
  return opaque.toFormat(format, { ...ENCODING[format], ...(quality && { quality }) }).toBuffer();
}

async function renderPreview(
  image: Sharp,
  { preview, maxBytes }: Extract<Rendering, { preview: unknown }>,
): Promise<Buffer> {
  const { data, info } = await image
    .clone()
    .resize({ ...preview, fit: 'cover', position: sharp.strategy.attention })
    .flatten({ background: 'white' })
    .raw()
    .toBuffer({ resolveWithObject: true });
  let jpeg = Buffer.alloc(0);
  for (const quality of PREVIEW_QUALITIES) {
    jpeg = await sharp(data, { raw: info }).jpeg({ quality }).toBuffer();
    if (jpeg.length <= maxBytes) break;
  }
  return jpeg;
}

function resize(image: Sharp, rendering: Exclude<Rendering, { preview: unknown }>): Promise<Sharp> | Sharp {
  return rendering.width === null ? image.clone() : resizeTo(image, rendering);
}

type Bounds = { width: number | null; isForPrint?: boolean | undefined };

async function resizeTo(image: Sharp, bounds: Bounds): Promise<Sharp> {
  const box = await boxFor(image, bounds);
  return image.clone().resize({ ...box, fit: 'inside', withoutEnlargement: true });
}

async function boxFor(
  image: Sharp,
  { width: bound, isForPrint }: Bounds,
): Promise<{ width: number; height: number }> {
  const maxWidth = bound ?? MAX_SIDE;
  if (isForPrint) return { width: maxWidth, height: MAX_SIDE };
  const { width, height } = await uprightSize(image);
  const side = (ratio: number) => Math.max(1, Math.floor(Math.sqrt(MAX_COPY_PIXELS * ratio)));
  return {
    width: Math.min(maxWidth, side(width / height)),
    height: Math.min(MAX_SIDE, maxWidth * MAX_COPY_HEIGHT_RATIO, side(height / width)),
  };
}

/** For several copies: without it, each of them decodes the image. */
async function decodeOnce(image: Sharp, renderings: Rendering[]): Promise<Sharp> {
  const bounds = renderings.map((rendering): Bounds => ('width' in rendering ? rendering : { width: null }));
  if (bounds.length < 2 || bounds.some(({ width }) => width === null)) return image;
  const isForPrint = bounds.some((each) => each.isForPrint);
  return decode(image, { width: Math.max(...bounds.map(({ width }) => Number(width))), isForPrint });
}

/** Pixels within the bounds. Reads every row, so damage anywhere in the file is detected here. */
async function decode(image: Sharp, bounds: Bounds): Promise<Sharp> {
  try {
    const resized = await resizeTo(image, bounds);
    const { data, info } = await resized.raw().toBuffer({ resolveWithObject: true });
    return sharp(data, { raw: { width: info.width, height: info.height, channels: info.channels } });
  } catch (error) {
    throw toRejection(error);
  }
}

async function thumbhash(image: Sharp): Promise<string> {
  const { data, info } = await image
    .clone()
    .resize(THUMBHASH_SIDE, THUMBHASH_SIDE, { fit: 'inside' })
    .ensureAlpha()
    .raw()
    .toBuffer({ resolveWithObject: true });
  return Buffer.from(rgbaToThumbHash(info.width, info.height, data)).toString('base64');
}
