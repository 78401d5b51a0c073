import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { crc32, deflateSync } from 'node:zlib';
import sharp from 'sharp';

/** Generated test files. Only the HEIC is a fixture, since no npm package encodes HEIC. */
export interface Photo {
  name: string;
  mimeType: string;
  buffer: Buffer;
}

type Color = [number, number, number];

/** The four quarters of a picture, so that each turning and mirroring of it can be told from the others. */
export const QUARTERS = {
  topLeft: [200, 30, 30],
  topRight: [30, 170, 30],
  bottomLeft: [30, 30, 200],
  bottomRight: [220, 200, 40],
} as const satisfies Record<string, Color>;

const WIDTH = 60;
const HEIGHT = 90;

/** The stored position of each pixel of the upright image, by EXIF orientation. */
const STORED: Record<number, (x: number, y: number) => [number, number]> = {
  1: (x, y) => [x, y],
  2: (x, y) => [WIDTH - 1 - x, y],
  3: (x, y) => [WIDTH - 1 - x, HEIGHT - 1 - y],
  4: (x, y) => [x, HEIGHT - 1 - y],
  5: (x, y) => [y, x],
  6: (x, y) => [y, WIDTH - 1 - x],
  7: (x, y) => [HEIGHT - 1 - y, WIDTH - 1 - x],
  8: (x, y) => [HEIGHT - 1 - y, x],
};

/** Upright 60 x 90 pixels with QUARTERS, stored with the orientation. */
export async function makeOrientedPhoto(orientation: number): Promise<Photo> {
  const isTurned = orientation > 4;
  const [width, height] = isTurned ? [HEIGHT, WIDTH] : [WIDTH, HEIGHT];
  const pixels = Buffer.alloc(width * height * 3);
  for (let y = 0; y < HEIGHT; y += 1) {
    for (let x = 0; x < WIDTH; x += 1) {
      const [column, row] = STORED[orientation]?.(x, y) ?? [x, y];
      pixels.set(quarterAt(x, y), (row * width + column) * 3);
    }
  }
  const buffer = await sharp(pixels, { raw: { width, height, channels: 3 } })
    .withMetadata({ orientation })
    .jpeg({ quality: 95 })
    .toBuffer();
  return { name: `orientation-${orientation}.jpg`, mimeType: 'image/jpeg', buffer };
}

function quarterAt(x: number, y: number): Color {
  const [isRight, isBelow] = [x >= WIDTH / 2, y >= HEIGHT / 2];
  if (isBelow) return [...(isRight ? QUARTERS.bottomRight : QUARTERS.bottomLeft)];
  return [...(isRight ? QUARTERS.topRight : QUARTERS.topLeft)];
}

/** With an EXIF capture date. */
export async function datedPhoto(exifDate: string): Promise<Photo> {
  const buffer = await sharp({ create: { width: 800, height: 600, channels: 3, background: '#a86' } })
    .withExif({ IFD2: { DateTimeOriginal: exifDate } })
    .jpeg()
    .toBuffer();
  return { name: 'dated.jpg', mimeType: 'image/jpeg', buffer };
}

/** Without a type, as from browsers that do not know HEIC. */
export async function heicPhoto(): Promise<Photo> {
  const buffer = await readFile(join(import.meta.dirname, '../server/testing/fixtures/iphone.heic'));
  return { name: 'IMG_0001.HEIC', mimeType: '', buffer };
}

export async function animatedGif(): Promise<Photo> {
  const [width, height] = [80, 60];
  const frames = [200, 40].map((red) => Buffer.alloc(width * height * 3, Buffer.from([red, 60, 240 - red])));
  const buffer = await sharp(Buffer.concat(frames), {
    raw: { width, height: height * 2, channels: 3, pageHeight: height },
  })
    .gif({ delay: [100, 100], loop: 0 })
    .toBuffer();
  return { name: 'tail.gif', mimeType: 'image/gif', buffer };
}

export function fakePhoto(): Photo {
  return { name: 'fake.jpg', mimeType: 'image/jpeg', buffer: Buffer.from('This is not a photo at all.') };
}

export async function truncatedPhoto(): Promise<Photo> {
  const noise = { type: 'gaussian', mean: 128, sigma: 40 } as const;
  const whole = await sharp({ create: { width: 900, height: 900, channels: 3, background: '#888', noise } })
    .jpeg()
    .toBuffer();
  return { name: 'half.jpg', mimeType: 'image/jpeg', buffer: whole.subarray(0, whole.length / 2) };
}

/** 20,000 x 10,000 pixels of one color in about 30 KB. */
export function hugePhoto(): Photo {
  const [width, height] = [20_000, 10_000];
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.writeUInt8(1, 8); // one bit a pixel, grey
  const rows = Buffer.alloc((width / 8 + 1) * height);
  const buffer = Buffer.concat([
    Buffer.from('89504e470d0a1a0a', 'hex'),
    pngChunk('IHDR', header),
    pngChunk('IDAT', deflateSync(rows)),
    pngChunk('IEND', Buffer.alloc(0)),
  ]);
  return { name: 'huge.png', mimeType: 'image/png', buffer };
}

function pngChunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const frame = Buffer.alloc(8);
  frame.writeUInt32BE(data.length, 0);
  frame.writeUInt32BE(crc32(body), 4);
  return Buffer.concat([frame.subarray(0, 4), body, frame.subarray(4)]);
}

/** 11 MB; the limit is 10 MB. */
export function largeFile(): Photo {
  return { name: 'large.jpg', mimeType: 'image/jpeg', buffer: Buffer.alloc(11 * 1024 * 1024) };
}
