import { fileTypeFromBuffer } from 'file-type';
import sharp, { type Sharp, type SharpOptions } from 'sharp';
import { conversionToSrgb, convertToSrgb } from '#shared/photos/convert-to-srgb';
import { readBoxes, readBrands } from '#shared/photos/heif-boxes';
import { readHeifColor } from '#shared/photos/heif-color';
import { decodeHeic } from './decode-heic.ts';
import { ImageRejectedError } from './decoder-protocol.ts';
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

/** A sequence of frames without a still image. */
function isFilm(bytes: Buffer): boolean {
  const types = readBoxes(bytes).map(({ type }) => type);
  return types.includes('moov') && !types.includes('meta');
}

export async function detectType(bytes: Buffer): Promise<string> {
  const heifType = readBrands(bytes).flatMap((brand) => HEIF_TYPES[brand] ?? [])[0];
  if (heifType && isFilm(bytes)) throw new ImageRejectedError('video');
  const contentType = heifType ?? CONTENT_TYPES[(await fileTypeFromBuffer(bytes))?.mime ?? ''];
  if (!contentType) throw new ImageRejectedError('not-a-photo');
  return contentType;
}

/** The upright image in sRGB; of an animation, the first frame. */
export async function openImage(bytes: Buffer, contentType: string): Promise<Sharp> {
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
export function toKnownBrand(bytes: Buffer): Buffer {
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
export function optionsFor(contentType: string): SharpOptions {
  const isSlow = contentType === 'image/avif' || contentType === 'image/heic';
  const maxPixels = contentType === 'image/jpeg' ? MAX_JPEG_PIXELS : MAX_PIXELS;
  return { limitInputPixels: isSlow ? MAX_PIXELS / 2 : maxPixels, failOn: 'error' };
}

export async function uprightSize(image: Sharp): Promise<{ width: number; height: number }> {
  try {
    const { autoOrient } = await image.metadata();
    return autoOrient;
  } catch (error) {
    throw toRejection(error);
  }
}

export function toRejection(error: unknown): ImageRejectedError {
  if (error instanceof ImageRejectedError) return error;
  const isTooLarge = error instanceof Error && error.message.includes('exceeds pixel limit');
  return new ImageRejectedError(isTooLarge ? 'too-many-pixels' : 'damaged', error);
}
