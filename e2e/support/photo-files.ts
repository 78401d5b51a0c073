import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { crc32 } from 'node:zlib';
import sharp from 'sharp';
import { makeAvifSequence } from '../../server/testing/photos/avif-sequence.ts';
import { makeDisplayP3 } from '../../server/testing/photos/display-p3.ts';

/** Generated test files. Only the HEIC is a fixture, since no npm package encodes HEIC. */
export interface Photo {
  name: string;
  mimeType: string;
  buffer: Buffer;
}

/** With an EXIF capture date. */
export async function datedPhoto(exifDate: string, format: 'jpeg' | 'png' | 'webp' = 'jpeg'): Promise<Photo> {
  const buffer = await sharp({ create: { width: 800, height: 600, channels: 3, background: '#a86' } })
    .withExif({ IFD2: { DateTimeOriginal: exifDate } })
    .toFormat(format)
    .toBuffer();
  return { name: `dated.${format}`, mimeType: `image/${format}`, buffer };
}

/** Its EXIF block begins with the TIFF header, as the format's specification says; sharp writes a prefix before it. */
export async function datedWebpWithoutPrefix(exifDate: string): Promise<Photo> {
  const { buffer } = await datedPhoto(exifDate, 'webp');
  const at = buffer.indexOf('EXIF') + 8;
  const block = buffer.subarray(at, at + buffer.readUInt32LE(at - 4));
  const prefix = 'Exif\0\0';
  if (!block.toString('latin1').startsWith(prefix)) throw new Error('sharp wrote no prefix');
  const bare = block.subarray(prefix.length);
  const changed = Buffer.concat([
    buffer.subarray(0, at),
    bare,
    Buffer.alloc(bare.length % 2),
    buffer.subarray(at + block.length + (block.length % 2)),
  ]);
  changed.writeUInt32LE(bare.length, at - 4);
  changed.writeUInt32LE(changed.length - 8, 4);
  return { name: 'bare.webp', mimeType: 'image/webp', buffer: changed };
}

/** Red as only Display P3 has it. */
export async function displayP3Photo(format: 'jpeg' | 'png' | 'webp'): Promise<Photo> {
  const red: [number, number, number] = [255, 0, 0];
  const buffer = await makeDisplayP3(format, [red, red, red, red], 200);
  return { name: `red.${format}`, mimeType: `image/${format}`, buffer };
}

/** Without a type, as from browsers that do not know HEIC. */
export async function heicPhoto(): Promise<Photo> {
  const buffer = await readFile(join(import.meta.dirname, '../../server/testing/fixtures/iphone.heic'));
  return { name: 'IMG_0001.HEIC', mimeType: '', buffer };
}

export async function animatedGif(): Promise<Photo> {
  const buffer = await twoFrames()
    .gif({ delay: [100, 100], loop: 0 })
    .toBuffer();
  return { name: 'tail.gif', mimeType: 'image/gif', buffer };
}

export async function animatedWebp(): Promise<Photo> {
  const buffer = await twoFrames()
    .webp({ delay: [100, 100], loop: 0 })
    .toBuffer();
  return { name: 'tail.webp', mimeType: 'image/webp', buffer };
}

export async function animatedAvif(): Promise<Photo> {
  const buffer = await makeAvifSequence([
    [200, 60, 40],
    [40, 60, 200],
  ]);
  return { name: 'tail.avif', mimeType: 'image/avif', buffer };
}

/** A PNG with the chunk that says how many frames there are, which makes it an APNG. */
export async function animatedPng(): Promise<Photo> {
  const png = await sharp({ create: { width: 80, height: 60, channels: 3, background: '#a86' } })
    .png()
    .toBuffer();
  const control = Buffer.from('\0\0\0\x08acTL\0\0\0\x02\0\0\0\0\0\0\0\0', 'latin1');
  control.writeUInt32BE(crc32(control.subarray(4, 16)), 16);
  const afterHeader = 33;
  const buffer = Buffer.concat([png.subarray(0, afterHeader), control, png.subarray(afterHeader)]);
  return { name: 'tail.png', mimeType: 'image/png', buffer };
}

function twoFrames() {
  const [width, height] = [80, 60];
  const frames = [200, 40].map((red) => Buffer.alloc(width * height * 3, Buffer.from([red, 60, 240 - red])));
  return sharp(Buffer.concat(frames), {
    raw: { width, height: height * 2, channels: 3, pageHeight: height },
  });
}

export function fakePhoto(): Photo {
  return { name: 'fake.jpg', mimeType: 'image/jpeg', buffer: Buffer.from('This is not a photo at all.') };
}

/** 11 MB; the limit is 10 MB. */
export function largeFile(): Photo {
  return { name: 'large.jpg', mimeType: 'image/jpeg', buffer: Buffer.alloc(11 * 1024 * 1024) };
}
