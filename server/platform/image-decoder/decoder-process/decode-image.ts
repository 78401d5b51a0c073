import { createHash } from 'node:crypto';
import { fileTypeFromBuffer } from 'file-type';
import sharp, { type Metadata, type Sharp, type SharpOptions } from 'sharp';
import { rgbaToThumbHash } from 'thumbhash';
import { isAnimatedImage } from '#shared/animated-image';
import { readCaptureDate } from '#shared/capture-date';
import { conversionToSrgb, convertToSrgb } from '#shared/convert-to-srgb';
import { readBoxes, readBrands } from '#shared/heif-boxes';
import { readHeifColor } from '#shared/heif-color';
import type { SquareCrop } from '#shared/square-crop';
import { decodeHeic } from './decode-heic.ts';
import {
  ImageRejectedError,
  TILE_WIDTH,
  type CroppedSquare,
  type Inspection,
  type Rendering,
} from './decoder-protocol.ts';
import { addMissingEnd, areLastRowsWhole } from './jpeg-end.ts';
import { allocateTiff } from './pixels-with-profile.ts';

/** Maps detected types to those that we store. */
const CONTENT_TYPES: Record<string, string> = {
  'image/jpeg': 'image/jpeg',
  'image/png': 'image/png',
  'image/apng': 'image/png',
  'image/webp': 'image/webp',
  'image/avif': 'image/avif',
  'image/gif': 'image/gif',
  'image/heic': 'image/heic',
  'image/heif': 'image/heic',
  'image/heic-sequence': 'image/heic',
  'image/heif-sequence': 'image/heic',
};

/** An HEIF file may have a general brand (`mif1`, `miaf`) before the one that names its codec. */
const HEIF_TYPES: Record<string, string> = {
  avif: 'image/avif',
  avis: 'image/avif',
  heic: 'image/heic',
  heix: 'image/heic',
  heim: 'image/heic',
  heis: 'image/heic',
  hevc: 'image/heic',
  hevx: 'image/heic',
};

/** Those that libvips knows. */
const KNOWN_BRANDS = ['avif', 'heic', 'heix', 'hevc', 'hevx', 'mif1', 'msf1'];

const MAX_PIXELS = 100_000_000;
/** What phones have; decision 4 has the memory it takes. */
const MAX_JPEG_PIXELS = 108_000_000;
/** It keeps 7 by 7 coefficients of them. With the 100 that it accepts it takes 26 ms in a new process. */
const THUMBHASH_SIDE = 32;
/** WebP's default effort makes files 5 % smaller, in more than twice the time. */
const ENCODING = { webp: { quality: 80, effort: 2 }, jpeg: { quality: 92 } };
/** Enough to find the most salient part. */
const PROPOSAL_SIDE = 400;
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
  const image = await open(bytes, contentType);
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
  const image = await open(bytes, await detectType(bytes));
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
  const image = await open(bytes, await detectType(bytes));
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

async function proposeCrop(
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

/** A sequence of frames without a still image. */
function isFilm(bytes: Buffer): boolean {
  const types = readBoxes(bytes).map(({ type }) => type);
  return types.includes('moov') && !types.includes('meta');
}

async function detectType(bytes: Buffer): Promise<string> {
  const heifType = readBrands(bytes).flatMap((brand) => HEIF_TYPES[brand] ?? [])[0];
  if (heifType && isFilm(bytes)) throw new ImageRejectedError('video');
  const contentType = heifType ?? CONTENT_TYPES[(await fileTypeFromBuffer(bytes))?.mime ?? ''];
  if (!contentType) throw new ImageRejectedError('not-a-photo');
  return contentType;
}

/** The upright image in sRGB; of an animation, the first frame. */
async function open(bytes: Buffer, contentType: string): Promise<Sharp> {
  const options = optionsFor(contentType);
  switch (contentType) {
    case 'image/heic':
      return (await openHeic(bytes, options)) ?? openHeif(bytes, options);
    case 'image/avif':
      return openHeif(bytes, options);
    case 'image/jpeg':
      return openJpeg(bytes, options);
    default:
      return upright(bytes, options);
  }
}

function upright(bytes: Buffer, options: SharpOptions): Sharp {
  return sharp(bytes, options).autoOrient().toColorspace('srgb');
}

async function openJpeg(bytes: Buffer, options: SharpOptions): Promise<Sharp> {
  const ended = addMissingEnd(bytes);
  if (!ended) return upright(bytes, options);
  try {
    if (!(await areLastRowsWhole(bytes, options))) throw new ImageRejectedError('damaged');
  } catch (error) {
    throw toRejection(error);
  }
  return upright(ended, { ...options, failOn: 'warning' });
}

/** libvips converts by an ICC profile, but not by numbers. */
async function openHeif(bytes: Buffer, options: SharpOptions): Promise<Sharp> {
  const image = upright(toKnownBrand(bytes), options);
  const color = readHeifColor(bytes);
  const conversion = color && 'icc' in color ? null : conversionToSrgb(color);
  if (!conversion) return image;
  try {
    const { data, info } = await image.raw().toBuffer({ resolveWithObject: true });
    const { width, height, channels } = info;
    if (channels !== 3 && channels !== 4) return image;
    convertToSrgb(data, channels, conversion);
    return sharp(data, { ...options, raw: { width, height, channels } });
  } catch (error) {
    throw toRejection(error);
  }
}

/** libvips looks at the major brand only. */
function toKnownBrand(bytes: Buffer): Buffer {
  const brands = readBrands(bytes);
  const isKnown = KNOWN_BRANDS.includes(brands[0] ?? '');
  if (isKnown || !brands.some((brand) => brand in HEIF_TYPES)) return bytes;
  const renamed = Buffer.from(bytes);
  renamed.write('mif1', 8, 'latin1');
  return renamed;
}

async function openHeic(bytes: Buffer, options: SharpOptions): Promise<Sharp | null> {
  const color = readHeifColor(bytes);
  let tiff: Buffer | null = null;
  const heic = await decodeHeic(bytes, (size) => {
    if (!color || !('icc' in color)) return new Uint8ClampedArray(size.width * size.height * 4);
    const allocated = allocateTiff(size, color.icc);
    tiff = allocated.tiff;
    return allocated.pixels;
  });
  if (!heic) return null;
  if (tiff) return sharp(tiff, options).toColorspace('srgb');
  const { width, height, rgba } = heic;
  const conversion = conversionToSrgb(color);
  if (conversion) convertToSrgb(rgba, 4, conversion);
  return sharp(rgba, { ...options, raw: { width, height, channels: 4 } }).toColorspace('srgb');
}

/** HEIC and AVIF take much longer to decode, and HEIC twice the memory, so half the pixels are accepted. */
function optionsFor(contentType: string): SharpOptions {
  const isSlow = contentType === 'image/avif' || contentType === 'image/heic';
  const maxPixels = contentType === 'image/jpeg' ? MAX_JPEG_PIXELS : MAX_PIXELS;
  return { limitInputPixels: isSlow ? MAX_PIXELS / 2 : maxPixels, failOn: 'error' };
}

async function uprightSize(image: Sharp): Promise<{ width: number; height: number }> {
  try {
    const { autoOrient } = await image.metadata();
    return autoOrient;
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

function toRejection(error: unknown): ImageRejectedError {
  if (error instanceof ImageRejectedError) return error;
  const isTooLarge = error instanceof Error && error.message.includes('exceeds pixel limit');
  return new ImageRejectedError(isTooLarge ? 'too-many-pixels' : 'damaged', error);
}
