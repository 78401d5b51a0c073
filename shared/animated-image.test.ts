import { expect, it } from 'vitest';
import { isAnimatedImage } from './animated-image.ts';

const ascii = (text: string) => [...text].map((character) => character.charCodeAt(0));
const uint32 = (value: number) => [value >>> 24, (value >> 16) & 255, (value >> 8) & 255, value & 255];
const chunk = (type: string, ...data: number[]) => [
  ...uint32(data.length),
  ...ascii(type),
  ...data,
  ...uint32(0),
];
const png = (...chunks: number[][]) => [0x89, ...ascii('PNG\r\n\x1a\n'), ...chunks.flat()];
const riff = (type: string) => [...ascii(type), ...uint32(4).toReversed(), ...uint32(0)];
const webp = (...types: string[]) => [...ascii('RIFF....WEBP'), ...types.flatMap(riff)];

it.each([
  ['a WebP of two frames', webp('VP8X', 'ANIM', 'ANMF', 'ANMF'), true],
  ['an animated WebP of one frame', webp('VP8X', 'ANIM', 'ANMF'), false],
  ['a WebP', webp('VP8 '), false],
  ['an APNG', png(chunk('IHDR'), chunk('acTL', ...uint32(2), ...uint32(0)), chunk('IDAT')), true],
  ['an APNG of one frame', png(chunk('IHDR'), chunk('acTL', ...uint32(1), ...uint32(0))), false],
  ['a PNG', png(chunk('IHDR'), chunk('IDAT')), false],
  ['a JPEG', [0xff, 0xd8, 0xff, 0xe0, 0, 16, ...ascii('JFIF')], false],
])('whether %s is animated', (_, bytes, isAnimated) => {
  expect(isAnimatedImage(Uint8Array.from(bytes))).toBe(isAnimated);
  for (let length = 0; length < bytes.length; length += 1)
    expect([true, false]).toContain(isAnimatedImage(Uint8Array.from(bytes.slice(0, length))));
});
