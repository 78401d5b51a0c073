import { createHash } from 'node:crypto';
import exifr from 'exifr';
import { fileTypeFromBuffer } from 'file-type';
import sharp, { type Sharp, type SharpOptions } from 'sharp';
import { rgbaToThumbHash } from 'thumbhash';
import type { MemoryDate } from '#shared/calendar-date';
import { parseExifDate } from '#shared/exif-date';
import { decodeHeic } from './decode-heic.ts';
import { ImageRefusal } from './image-refusal.ts';

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
  /** When the camera says it was taken, in its own local time; null when it does not say. */
  takenAt: MemoryDate | null;
};

export type Rendering =
  | {
      format: 'webp' | 'jpeg';
      /** Null: as large as it is. */
      width: number | null;
      /** Per cent; the format's own when absent. */
      quality?: number;
    }
  /** The square in which most is to be seen, at most so wide. */
  | { format: 'webp'; square: number };

/** The types by which our storage knows a photo, by what its bytes are. */
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

const MAX_PIXELS = 100_000_000;
const THUMBHASH_SIDE = 100;
const QUALITY = { webp: 80, jpeg: 92 };

// Nobody asks for the same picture twice in a row; a cache of decoded ones would only take memory.
sharp.cache(false);

/** Refuses what its first bytes give away: no photo of ours, or too many pixels. @throws ImageRefusal */
export async function probeImage(bytes: Buffer): Promise<'probed'> {
  const contentType = await detectType(bytes);
  // libheif alone reads a HEIC, and does so only as a whole.
  if (contentType !== 'image/heic') await uprightSize(sharp(bytes, optionsFor(contentType)));
  return 'probed';
}

/** Looks at the bytes, whatever the name said, and reads the whole picture. @throws ImageRefusal */
export async function inspectImage(bytes: Buffer): Promise<InspectedImage> {
  const contentType = await detectType(bytes);
  const picture = await open(bytes, contentType);
  const { width, height } = await uprightSize(picture);
  return {
    contentType,
    byteSize: bytes.length,
    sha256: createHash('sha256').update(bytes).digest('hex'),
    width,
    height,
    placeholder: await thumbhash(picture),
    takenAt: await readCaptureDate(bytes),
  };
}

/** Upright copies without any metadata, in the order asked for. @throws ImageRefusal */
export async function renderImage(bytes: Buffer, renderings: Rendering[]): Promise<Buffer[]> {
  const picture = await open(bytes, await detectType(bytes));
  const copies: Buffer[] = [];
  try {
    for (const rendering of renderings) copies.push(await renderCopy(picture, rendering));
  } catch (error) {
    throw explain(error);
  }
  return copies;
}

async function renderCopy(picture: Sharp, rendering: Rendering): Promise<Buffer> {
  const { format } = rendering;
  const quality = ('quality' in rendering ? rendering.quality : undefined) ?? QUALITY[format];
  const resized = await resize(picture, rendering);
  const opaque = format === 'jpeg' ? resized.flatten({ background: 'white' }) : resized;
  return opaque.toFormat(format, { quality }).toBuffer();
}

async function resize(picture: Sharp, rendering: Rendering): Promise<Sharp> {
  if ('square' in rendering) {
    const { width, height } = await uprightSize(picture);
    const side = Math.min(rendering.square, width, height);
    return picture.clone().resize(side, side, { fit: 'cover', position: sharp.strategy.attention });
  }
  const { width } = rendering;
  return width === null ? picture.clone() : picture.clone().resize({ width, withoutEnlargement: true });
}

async function detectType(bytes: Buffer): Promise<string> {
  const contentType = CONTENT_TYPES[(await fileTypeFromBuffer(bytes))?.mime ?? ''];
  if (!contentType) throw new ImageRefusal('not-a-photo');
  return contentType;
}

/** The picture, upright. Of an animation, its first frame. */
async function open(bytes: Buffer, contentType: string): Promise<Sharp> {
  const options = optionsFor(contentType);
  const heic = contentType === 'image/heic' ? await decodeHeic(bytes) : null;
  if (heic) {
    const { width, height } = heic;
    return sharp(heic.rgba, { ...options, raw: { width, height, channels: 4 } }).toColorspace('srgb');
  }
  return sharp(bytes, options).autoOrient().toColorspace('srgb');
}

/** HEIC and AVIF take many times as long to decode, and HEIC twice the memory. */
function optionsFor(contentType: string): SharpOptions {
  const isSlow = contentType === 'image/avif' || contentType === 'image/heic';
  return { limitInputPixels: isSlow ? MAX_PIXELS / 2 : MAX_PIXELS, failOn: 'error' };
}

async function uprightSize(picture: Sharp): Promise<{ width: number; height: number }> {
  try {
    const { autoOrient } = await picture.metadata();
    return autoOrient;
  } catch (error) {
    throw explain(error);
  }
}

/** Reads every row of the picture on the way, so a damaged file is found out here. */
async function thumbhash(picture: Sharp): Promise<string> {
  try {
    const { data, info } = await picture
      .clone()
      .resize(THUMBHASH_SIDE, THUMBHASH_SIDE, { fit: 'inside' })
      .ensureAlpha()
      .raw()
      .toBuffer({ resolveWithObject: true });
    return Buffer.from(rgbaToThumbHash(info.width, info.height, data)).toString('base64');
  } catch (error) {
    throw explain(error);
  }
}

function explain(error: unknown): ImageRefusal {
  if (error instanceof ImageRefusal) return error;
  const isTooLarge = error instanceof Error && error.message.includes('exceeds pixel limit');
  return new ImageRefusal(isTooLarge ? 'too-many-pixels' : 'damaged', error);
}

/** A date that cannot be read is no reason to refuse a photo. */
async function readCaptureDate(bytes: Buffer): Promise<MemoryDate | null> {
  try {
    const tiff = (
      await sharp(bytes)
        .metadata()
        .catch(() => null)
    )?.exif?.subarray('Exif\0\0'.length);
    const tags = (await exifr.parse(tiff ?? bytes, {
      pick: ['DateTimeOriginal', 'CreateDate'],
      reviveValues: false,
    })) as { DateTimeOriginal?: unknown; CreateDate?: unknown } | undefined;
    return parseExifDate(tags?.DateTimeOriginal ?? tags?.CreateDate);
  } catch {
    return null;
  }
}
