import { ImageRefusal } from './image-refusal.ts';

/** Four bytes each, twice over inside the decoder: half of what other formats may have. */
const MAX_PIXELS = 50_000_000;

/**
 * A HEIC's picture, upright, as RGBA; null when it holds none that libheif reads (an AVIF under a general name).
 * @throws ImageRefusal
 */
export async function decodeHeic(
  bytes: Buffer,
): Promise<{ width: number; height: number; rgba: Uint8ClampedArray } | null> {
  if (isCutOff(bytes)) throw new ImageRefusal('damaged');
  // Large, and most pictures are none: the process starts in half the time without it.
  const { default: libheif } = await import('libheif-js/wasm-bundle.js');
  const images = new libheif.HeifDecoder().decode(bytes);
  const image = images.find((each) => each.is_primary()) ?? images[0];
  if (!image) return null;
  try {
    const [width, height] = [image.get_width(), image.get_height()];
    if (width * height > MAX_PIXELS) throw new ImageRefusal('too-many-pixels');
    const target = { data: new Uint8ClampedArray(width * height * 4), width, height };
    const isShown = await new Promise((resolve) => image.display(target, (shown) => resolve(shown !== null)));
    if (!isShown) throw new ImageRefusal('damaged');
    return { width, height, rgba: target.data };
  } finally {
    for (const each of images) each.free();
  }
}

/** The parts of a HEIC that must be there whole; behind them anything may follow. */
const ESSENTIAL_BOXES = new Set(['ftyp', 'meta', 'mdat']);

/** libheif fills what is missing with grey and says nothing: so the file's own table of boxes is asked. */
function isCutOff(bytes: Buffer): boolean {
  let offset = 0;
  while (offset + 16 <= bytes.length) {
    const type = bytes.toString('latin1', offset + 4, offset + 8);
    const shortSize = bytes.readUInt32BE(offset);
    // 0: to the end of the file; 1: the size is too large for its place and follows.
    if (shortSize === 0) return false;
    const size = shortSize === 1 ? Number(bytes.readBigUInt64BE(offset + 8)) : shortSize;
    if (size < 8 || offset + size > bytes.length) return ESSENTIAL_BOXES.has(type);
    offset += size;
  }
  return false;
}
