import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import sharp from 'sharp';
import { projectRoot } from '../platform/project-root.ts';

/** 64 x 64 pixels in Display P3: orange at the left top, green at the right top, gray at the right bottom. */
export const displayP3Heic = () => readFile(join(projectRoot, 'server/testing/fixtures/display-p3.heic'));

type Numbers = { primaries: number; transfer: number };

/** Replaces the ICC profile by numbers (ITU-T H.273). The box keeps its size. */
export function withNumbers(heic: Buffer, { primaries, transfer }: Numbers): Buffer {
  const changed = Buffer.from(heic);
  const at = changed.indexOf('colrprof') + 4;
  changed.write('nclx', at, 'latin1');
  changed.writeUInt16BE(primaries, at + 4);
  changed.writeUInt16BE(transfer, at + 6);
  changed.writeUInt16BE(6, at + 8);
  changed.writeUInt8(0x80, at + 10);
  return changed;
}

/** Thirds of these colors, lossless, whose numbers mean what the caller says. */
export async function makeAvif(colors: [number, number, number][], numbers: Numbers): Promise<Buffer> {
  const [width, height] = [64 * colors.length, 64];
  const pixels = Buffer.alloc(width * height * 3);
  for (let pixel = 0; pixel < width * height; pixel++)
    pixels.set(colors[Math.floor((pixel % width) / 64)] ?? [0, 0, 0], pixel * 3);
  const avif = await sharp(pixels, { raw: { width, height, channels: 3 } })
    .avif({ lossless: true })
    .toBuffer();
  const at = avif.indexOf('nclx') + 4;
  avif.writeUInt16BE(numbers.primaries, at);
  avif.writeUInt16BE(numbers.transfer, at + 2);
  return avif;
}

/** The brands of an HEIF file, the major one first. @param brands as many as the file has */
export function withBrands(heif: Buffer, brands: string[]): Buffer {
  const changed = Buffer.from(heif);
  brands.forEach((brand, index) => changed.write(brand, index === 0 ? 8 : 12 + 4 * index, 'latin1'));
  return changed;
}
