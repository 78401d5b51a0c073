import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { conversionToSrgb, convertToSrgb } from '#shared/photos/convert-to-srgb';
import { readHeifColor } from '#shared/photos/heif-color';

const heic = () => new Uint8Array(readFileSync('server/testing/fixtures/display-p3.heic'));

function convert(rgb: number[], color: Parameters<typeof conversionToSrgb>[0]): number[] {
  const conversion = conversionToSrgb(color);
  const pixels = Uint8ClampedArray.from([...rgb, 77]);
  if (conversion) convertToSrgb(pixels, 4, conversion);
  expect(pixels[3]).toBe(77);
  return [...pixels.subarray(0, 3)];
}

describe('converting to sRGB', () => {
  it('uses the ICC profile in a HEIC', () => {
    const color = readHeifColor(heic());
    expect(color).toHaveProperty('icc');
    for (const [from, to] of [
      [
        [200, 120, 80],
        [213, 115, 70],
      ],
      [
        [90, 170, 80],
        [52, 172, 66],
      ],
      [
        [128, 128, 128],
        [128, 128, 128],
      ],
    ] as const)
      for (const [channel, value] of convert([...from], color).entries())
        expect(Math.abs(value - (to[channel] ?? 0))).toBeLessThanOrEqual(1);
  });

  it('gives the same for the numbers of Display P3', () => {
    expect(convert([200, 120, 80], { primaries: 12, transfer: 13 })).toEqual([213, 115, 70]);
  });

  it('leaves sRGB, unknown numbers and damaged profiles as they are', () => {
    for (const color of [
      null,
      { primaries: 1, transfer: 13 },
      { primaries: 2, transfer: 2 },
      { primaries: 250, transfer: 250 },
      { icc: new Uint8Array(0) },
      { icc: new Uint8Array(200) },
    ])
      expect(convert([200, 120, 80], color)).toEqual([200, 120, 80]);
  });

  it('finds no color in cut or foreign files', () => {
    for (let length = 0; length < 300; length += 7)
      expect(readHeifColor(heic().subarray(0, length))).toBeNull();
    expect(readHeifColor(Uint8Array.from('GIF89a'.repeat(20), (letter) => letter.charCodeAt(0)))).toBeNull();
  });
});
