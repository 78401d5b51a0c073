import { rgbaToDataURL } from 'thumbhash';

/** Of the longer side, in pixels. More look the same when enlarged. */
const SIZE = 16;
const MAX_WAVES = 7;

/** @returns a data URL of the blurred photo; null if there is none */
export function decodePlaceholder(placeholder: string | null): string | null {
  if (!placeholder) return null;
  try {
    const hash = Uint8Array.from(atob(placeholder), (character) => character.charCodeAt(0));
    const { w, h, rgba } = decodeThumbHash(hash);
    return rgbaToDataURL(w, h, rgba);
  } catch {
    return null;
  }
}

/** Like thumbhash's `thumbHashToRGBA`, which computes cosines for each pixel: too slow for lists that scroll. */
export function decodeThumbHash(hash: Uint8Array): { w: number; h: number; rgba: Uint8ClampedArray } {
  const [a = 0, b = 0, c = 0, d = 0, e = 0, f = 0] = hash;
  const header = a | (b << 8) | (c << 16);
  const sizes = d | (e << 8);
  const hasAlpha = header >> 23 === 1;
  const isLandscape = sizes >> 15 === 1;
  const [long, short] = [hasAlpha ? 5 : MAX_WAVES, sizes & 7];
  const [across, down] = isLandscape ? [long, short] : [short, long];
  const w = Math.round(Math.min(SIZE, (SIZE * across) / down));
  const h = Math.round(Math.min(SIZE, (SIZE * down) / across));
  // Waves have four bits each, after the header.
  let next = hasAlpha ? 12 : 10;

  const decodeChannel = (average: number, scale: number, across: number, down: number): Float32Array => {
    const channel = new Float32Array(w * h).fill(average);
    for (let cy = 0; cy < down; cy++) {
      for (let cx = cy === 0 ? 1 : 0; cx * down < across * (down - cy); cx++, next++) {
        const bits = (hash[next >> 1]! >> (4 * (next & 1))) & 15;
        const height = 2 * scale * (bits / 7.5 - 1);
        const [columns, rows] = [COSINES[w]![cx]!, COSINES[h]![cy]!];
        for (let y = 0, i = 0; y < h; y++)
          for (let x = 0; x < w; x++, i++) channel[i]! += height * columns[x]! * rows[y]!;
      }
    }
    return channel;
  };
  const luminance = decodeChannel(
    (header & 63) / 63,
    ((header >> 18) & 31) / 31,
    Math.max(3, across),
    Math.max(3, down),
  );
  const yellowBlue = decodeChannel(((header >> 6) & 63) / 31.5 - 1, (((sizes >> 3) & 63) / 63) * 1.25, 3, 3);
  const redGreen = decodeChannel(((header >> 12) & 63) / 31.5 - 1, (((sizes >> 9) & 63) / 63) * 1.25, 3, 3);
  const alpha = hasAlpha ? decodeChannel((f & 15) / 15, (f >> 4) / 15, 5, 5) : null;

  const rgba = new Uint8ClampedArray(w * h * 4);
  luminance.forEach((l, i) => {
    const blue = l - (2 / 3) * yellowBlue[i]!;
    const red = (3 * l - blue + redGreen[i]!) / 2;
    const green = red - redGreen[i]!;
    rgba.set([255 * red, 255 * green, 255 * blue, 255 * (alpha?.[i] ?? 1)], i * 4);
  });
  return { w, h, rgba };
}

/** By the number of pixels, the number of half waves, and the pixel. */
const COSINES = Array.from({ length: SIZE + 1 }, (_, pixels) =>
  Array.from({ length: MAX_WAVES }, (_, waves) =>
    Array.from({ length: pixels }, (_, pixel) => Math.cos((Math.PI / pixels) * (pixel + 0.5) * waves)),
  ),
);
