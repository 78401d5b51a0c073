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
const box = (type: string, ...data: number[]) => [...uint32(8 + data.length), ...ascii(type), ...data];
const brands = (major: string, ...compatible: string[]) =>
  box('ftyp', ...ascii(major), ...uint32(0), ...compatible.flatMap(ascii));

it.each([
  ['a WebP of two frames', webp('VP8X', 'ANIM', 'ANMF', 'ANMF'), true],
  ['an animated WebP of one frame', webp('VP8X', 'ANIM', 'ANMF'), false],
  ['a WebP', webp('VP8 '), false],
  ['an APNG', png(chunk('IHDR'), chunk('acTL', ...uint32(2), ...uint32(0)), chunk('IDAT')), true],
  ['an APNG of one frame', png(chunk('IHDR'), chunk('acTL', ...uint32(1), ...uint32(0))), false],
  ['a PNG', png(chunk('IHDR'), chunk('IDAT')), false],
  ['an AVIF sequence', [...brands('avis', 'msf1', 'miaf'), ...box('meta'), ...box('moov')], true],
  ['an AVIF sequence by a compatible brand', [...brands('avif', 'mif1', 'avis'), ...box('moov')], true],
  ['an AVIF sequence without its frames', [...brands('avis', 'avif'), ...box('meta')], false],
  ['an AVIF', [...brands('avif', 'mif1', 'miaf'), ...box('meta'), ...box('moov')], false],
  ['a JPEG', [0xff, 0xd8, 0xff, 0xe0, 0, 16, ...ascii('JFIF')], false],
])('whether %s is animated', (_, bytes, isAnimated) => {
  expect(isAnimatedImage(Uint8Array.from(bytes))).toBe(isAnimated);
  for (let length = 0; length < bytes.length; length += 1)
    expect([true, false]).toContain(isAnimatedImage(Uint8Array.from(bytes.slice(0, length))));
});
