import { rgbaToThumbHash, thumbHashToRGBA } from 'thumbhash';
import { expect, it } from 'vitest';
import { decodePlaceholder, decodeThumbHash } from './decode-placeholder.ts';

/** A photo with colors, edges and, if wanted, transparency. */
function hashOf(width: number, height: number, hasAlpha: boolean): Uint8Array {
  const rgba = Array.from({ length: width * height }, (_, pixel) => {
    const [x, y] = [(pixel % width) / width, Math.floor(pixel / width) / height];
    return [255 * x, x > 0.5 ? 200 : 40, 255 * y * x, hasAlpha && y > 0.6 ? 0 : 255];
  });
  return rgbaToThumbHash(width, height, new Uint8Array(rgba.flat()));
}

/** The pixel of an image at a position from 0 to 1. */
function colorAt({ w, h, rgba }: { w: number; h: number; rgba: ArrayLike<number> }, x: number, y: number) {
  const [px, py] = [x * w - 0.5, y * h - 0.5];
  const [left, top] = [Math.floor(px), Math.floor(py)];
  return [0, 1, 2, 3].map((channel) => {
    const at = (column: number, row: number) =>
      rgba[4 * (Math.min(w - 1, Math.max(0, column)) + w * Math.min(h - 1, Math.max(0, row))) + channel]!;
    const above = at(left, top) * (1 - (px - left)) + at(left + 1, top) * (px - left);
    const below = at(left, top + 1) * (1 - (px - left)) + at(left + 1, top + 1) * (px - left);
    return above * (1 - (py - top)) + below * (py - top);
  });
}

it.each([
  ['landscape', 90, 60, false],
  ['portrait', 45, 80, false],
  ['square', 64, 64, false],
  ['as wide as prints are', 100, 50, false],
  ['transparent', 80, 60, true],
])('decodes the same blur as thumbhash: %s', (_name, width, height, hasAlpha) => {
  const hash = hashOf(width, height, hasAlpha);
  const [small, large] = [decodeThumbHash(hash), thumbHashToRGBA(hash)];
  expect(Math.max(small.w, small.h)).toBe(16);
  expect(Math.abs(small.w - large.w / 2)).toBeLessThanOrEqual(0.5);
  expect(Math.abs(small.h - large.h / 2)).toBeLessThanOrEqual(0.5);
  const differences = [0.3, 0.5, 0.7].flatMap((y) =>
    [0.1, 0.3, 0.5, 0.7, 0.9].flatMap((x) => {
      const expected = colorAt(large, x, y);
      return colorAt(small, x, y).map((value, channel) => Math.abs(value - expected[channel]!));
    }),
  );
  expect(Math.max(...differences)).toBeLessThan(16);
});

it('returns a PNG, and null without a placeholder or for an invalid one', () => {
  const placeholder = btoa(String.fromCharCode(...hashOf(90, 60, false)));
  expect(decodePlaceholder(placeholder)).toMatch(/^data:image\/png;base64,/);
  expect(decodePlaceholder(null)).toBeNull();
  expect(decodePlaceholder('%')).toBeNull();
});
