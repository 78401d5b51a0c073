import { randomBytes, randomUUID } from 'node:crypto';
import sharp from 'sharp';

const RED = { r: 200, g: 30, b: 30 };
const BLUE = { r: 30, g: 30, b: 200 };

/** Each photo has its own bytes. Upright, it is red above and blue below. Stored rotated by its EXIF orientation, with a GPS position. */
export async function makePhoto(
  options: {
    width?: number;
    height?: number;
    format?: 'jpeg' | 'png' | 'webp';
    orientation?: 1 | 3 | 6 | 8;
  } = {},
): Promise<Buffer> {
  const { width = 60, height = 90, format = 'jpeg', orientation = 1 } = options;
  const upper = { width, height: Math.ceil(height / 2), channels: 3 as const, background: RED };
  const upright = await sharp({ create: { width, height, channels: 3, background: BLUE } })
    .composite([{ input: { create: upper }, left: 0, top: 0 }])
    .png()
    .toBuffer();
  const degrees = { 1: 0, 3: 180, 6: 270, 8: 90 }[orientation];
  return sharp(upright)
    .rotate(degrees)
    .withExif({
      IFD0: { Make: 'TestCamera', ImageDescription: randomUUID(), Orientation: String(orientation) },
      IFD3: { GPSLatitudeRef: 'N', GPSLatitude: '51/1 30/1 0/1' },
    })
    .withMetadata({ orientation })
    .toFormat(format, { quality: 90 })
    .toBuffer();
}

/** The color of a stored pixel, at fractions of the width and height. EXIF orientation is ignored. */
export async function colorAt(picture: Buffer, x: number, y: number): Promise<'red' | 'blue' | 'other'> {
  const { data, info } = await sharp(picture).removeAlpha().raw().toBuffer({ resolveWithObject: true });
  const offset = (Math.floor(y * info.height) * info.width + Math.floor(x * info.width)) * info.channels;
  const [r = 0, , b = 0] = [...data.subarray(offset, offset + 3)];
  if (r > 150 && b < 90) return 'red';
  if (b > 150 && r < 90) return 'blue';
  return 'other';
}

/** Makes a photo of noise, which does not compress, with the metadata of a camera. */
export function makeHeavyPhoto(width: number, height: number): Promise<Buffer> {
  const noise = { type: 'gaussian' as const, mean: 128, sigma: 60 };
  return sharp({ create: { width, height, channels: 3, background: RED, noise } })
    .withExif({
      IFD0: { Make: 'TestCamera', ImageDescription: randomUUID() },
      IFD3: { GPSLatitudeRef: 'N', GPSLatitude: '51/1 30/1 0/1' },
    })
    .jpeg({ quality: 90 })
    .toBuffer();
}

const MAX_SEGMENT_BYTES = 65_533;

/** A small picture in a large JPEG, which is quickly decoded: the rest is comments of random bytes. */
export async function makeLargeFile(bytes: number): Promise<Buffer> {
  const jpeg = await makePhoto();
  const segments = [];
  for (let left = bytes; left > 0; left -= MAX_SEGMENT_BYTES) {
    const comment = randomBytes(Math.min(left, MAX_SEGMENT_BYTES));
    const header = Buffer.from([0xff, 0xfe, 0, 0]);
    header.writeUInt16BE(comment.length + 2, 2);
    segments.push(header, comment);
  }
  return Buffer.concat([jpeg.subarray(0, 2), ...segments, jpeg.subarray(2)]);
}

/** The same picture in other bytes: a JPEG with a comment. */
export function copyOfPhoto(jpeg: Buffer): Buffer {
  const comment = Buffer.from(`\xff\xfe\x00\x26${randomUUID()}`, 'latin1');
  return Buffer.concat([jpeg.subarray(0, 2), comment, jpeg.subarray(2)]);
}
