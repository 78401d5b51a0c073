import { ImageRejectedError } from './decoder-protocol.ts';

/** Half of the limit for other formats, since libheif holds the RGBA pixels twice. */
const MAX_PIXELS = 50_000_000;

/**
 * Upright RGBA pixels in their own colors, written to what `allocate` returns; null when libheif finds no image in it (such as an
 * AVIF with a generic HEIF brand). @throws ImageRejectedError
 */
export async function decodeHeic(
  bytes: Buffer,
  allocate: (size: { width: number; height: number }) => Uint8ClampedArray,
): Promise<{ width: number; height: number; rgba: Uint8ClampedArray } | null> {
  if (isTruncated(bytes)) throw new ImageRejectedError('damaged');
  // Imported on demand: the module is large, and without it the process starts in half the time.
  const { default: libheif } = await import('libheif-js/wasm-bundle.js');
  const images = new libheif.HeifDecoder().decode(bytes);
  const image = images.find((each) => each.is_primary()) ?? images[0];
  if (!image) return null;
  try {
    const [width, height] = [image.get_width(), image.get_height()];
    if (width * height > MAX_PIXELS) throw new ImageRejectedError('too-many-pixels');
    const target = { data: allocate({ width, height }), width, height };
    const isShown = await new Promise((resolve) => image.display(target, (shown) => resolve(shown !== null)));
    if (!isShown) throw new ImageRejectedError('damaged');
    return { width, height, rgba: target.data };
  } finally {
    for (const each of images) each.free();
  }
}

/** The boxes that must be complete; other data may follow them. */
const REQUIRED_BOXES = new Set(['ftyp', 'meta', 'mdat']);

/** libheif silently fills missing data with gray, so the sizes of the boxes are checked first. */
function isTruncated(bytes: Buffer): boolean {
  let offset = 0;
  while (offset + 16 <= bytes.length) {
    const type = bytes.toString('latin1', offset + 4, offset + 8);
    const shortSize = bytes.readUInt32BE(offset);
    // ISO 14496-12: 0 means up to the end of the file, 1 means that a 64-bit size follows.
    if (shortSize === 0) return false;
    const size = shortSize === 1 ? Number(bytes.readBigUInt64BE(offset + 8)) : shortSize;
    if (size < 8 || offset + size > bytes.length) return REQUIRED_BOXES.has(type);
    offset += size;
  }
  return false;
}
