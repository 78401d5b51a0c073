import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { crc32, deflateSync } from 'node:zlib';
import sharp from 'sharp';
import { makeOrientedJpeg } from '../server/testing/oriented-photo.ts';

/** Generated test files. Only the HEIC is a fixture, since no npm package encodes HEIC. */
export interface Photo {
  name: string;
  mimeType: string;
  buffer: Buffer;
}

export async function makeOrientedPhoto(orientation: number): Promise<Photo> {
  const buffer = await makeOrientedJpeg(orientation);
  return { name: `orientation-${orientation}.jpg`, mimeType: 'image/jpeg', buffer };
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
