import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import sharp from 'sharp';
import { contentOf, readBoxes, readMetaBoxes } from '#shared/photos/heif-boxes';
import { box, uint32 } from './heif-box.ts';
import { projectRoot } from '../../platform/process/project-root.ts';

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

const NO_FLAGS = Buffer.alloc(4);
const VERSION_1 = Buffer.from([1, 0, 0, 0]);
const TILES = [1, 2, 3, 4];
const GRID = 5;

/** As phones write it: a grid of four tiles, each of them this image. Only the tiles have its colors. */
export function asGrid(heic: Buffer): Buffer {
  const ftyp = heic.subarray(0, heic.readUInt32BE(0));
  const coded = Buffer.from(contentOf(readBoxes(heic), 'mdat'));
  const properties = Buffer.from(contentOf(readBoxes(contentOf(readMetaBoxes(heic), 'iprp')), 'ipco'));
  const numbers = readBoxes(properties).map((_, index) => index + 1);
  const side = 2 * Buffer.from(contentOf(readBoxes(properties), 'ispe')).readUInt32BE(4);
  const meta = (codedAt: number) =>
    box(
      'meta',
      NO_FLAGS,
      box('hdlr', uint32(0, 0), Buffer.from('pict'), Buffer.alloc(13)),
      box('pitm', NO_FLAGS, Buffer.from([0, GRID])),
      // The tiles lie in mdat, the grid's numbers in idat. Addresses and lengths have four bytes.
      box(
        'iloc',
        VERSION_1,
        Buffer.from([0x44, 0, 0, TILES.length + 1]),
        ...TILES.flatMap((tile) => [Buffer.from([0, tile, 0, 0, 0, 0, 0, 1]), uint32(codedAt, coded.length)]),
        Buffer.from([0, GRID, 0, 1, 0, 0, 0, 1]),
        uint32(0, 8),
      ),
      box('iinf', NO_FLAGS, Buffer.from([0, TILES.length + 1]), ...TILES.map(tileEntry), gridEntry()),
      box(
        'iref',
        NO_FLAGS,
        box('dimg', Buffer.from([0, GRID, 0, TILES.length, ...TILES.flatMap((tile) => [0, tile])])),
      ),
      box(
        'iprp',
        box('ipco', properties, box('ispe', NO_FLAGS, uint32(side, side))),
        box(
          'ipma',
          NO_FLAGS,
          uint32(TILES.length + 1),
          Buffer.from(TILES.flatMap((tile) => [0, tile, numbers.length, ...numbers])),
          Buffer.from([0, GRID, 1, numbers.length + 1]),
        ),
      ),
      // Two rows, two columns.
      box('idat', Buffer.from([0, 0, 1, 1, 0, side, 0, side])),
    );
  const codedAt = ftyp.length + meta(0).length + 8;
  return Buffer.concat([ftyp, meta(codedAt), box('mdat', coded)]);
}

const HIDDEN = 1;
const tileEntry = (tile: number) =>
  box('infe', Buffer.from([2, 0, 0, HIDDEN, 0, tile, 0, 0]), Buffer.from('hvc1\0'));
const gridEntry = () => box('infe', Buffer.from([2, 0, 0, 0, 0, GRID, 0, 0]), Buffer.from('grid\0'));

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
