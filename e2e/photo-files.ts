import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
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

/** 11 MB; the limit is 10 MB. */
export function largeFile(): Photo {
  return { name: 'large.jpg', mimeType: 'image/jpeg', buffer: Buffer.alloc(11 * 1024 * 1024) };
}
