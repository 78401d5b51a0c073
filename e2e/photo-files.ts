import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { crc32 } from 'node:zlib';
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
export async function datedPhoto(exifDate: string, format: 'jpeg' | 'png' | 'webp' = 'jpeg'): Promise<Photo> {
  const buffer = await sharp({ create: { width: 800, height: 600, channels: 3, background: '#a86' } })
    .withExif({ IFD2: { DateTimeOriginal: exifDate } })
    .toFormat(format)
    .toBuffer();
  return { name: `dated.${format}`, mimeType: `image/${format}`, buffer };
}

/** Red as only Display P3 has it. sharp would convert the color with its profile, so this attaches the profile. */
export async function displayP3Photo(): Promise<Photo> {
  const red = sharp({ create: { width: 400, height: 300, channels: 3, background: '#f00' } });
  const plain = await red.clone().jpeg({ chromaSubsampling: '4:4:4', quality: 100 }).toBuffer();
  const { icc = Buffer.alloc(0) } = await sharp(await red.withIccProfile('p3').png().toBuffer()).metadata();
  const header = Buffer.from('\xff\xe2\0\0ICC_PROFILE\0\x01\x01', 'latin1');
  header.writeUInt16BE(header.length - 2 + icc.length, 2);
  const buffer = Buffer.concat([plain.subarray(0, 2), header, icc, plain.subarray(2)]);
  return { name: 'red.jpg', mimeType: 'image/jpeg', buffer };
}

/** Without a type, as from browsers that do not know HEIC. */
export async function heicPhoto(): Promise<Photo> {
  const buffer = await readFile(join(import.meta.dirname, '../server/testing/fixtures/iphone.heic'));
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
