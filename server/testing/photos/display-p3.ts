import sharp from 'sharp';
import { allocateTiff } from '../../platform/image-decoder/decoder-process/pixels-with-profile.ts';

type Color = [number, number, number];

/** Columns of 64 pixels, each of one color of Display P3, with the ICC profile that says so. */
export async function makeDisplayP3(
  format: 'jpeg' | 'png' | 'webp' | 'avif',
  colors: Color[],
  height = 64,
): Promise<Buffer> {
  const width = 64 * colors.length;
  const { tiff, pixels } = allocateTiff({ width, height }, await displayP3Profile());
  for (let pixel = 0; pixel < width * height; pixel++)
    pixels.set([...(colors[Math.floor((pixel % width) / 64)] ?? []), 255], 4 * pixel);
  const exact = { jpeg: { quality: 100, chromaSubsampling: '4:4:4' }, png: {}, webp: {}, avif: {} }[format];
  // sharp would convert the colors to those of a profile that it is given.
  return sharp(tiff)
    .keepIccProfile()
    .removeAlpha()
    .toFormat(format, { ...exact, ...(['webp', 'avif'].includes(format) && { lossless: true }) })
    .toBuffer();
}

async function displayP3Profile(): Promise<Buffer> {
  const pixel = sharp({ create: { width: 1, height: 1, channels: 3, background: 'red' } });
  const { icc } = await sharp(await pixel.withIccProfile('p3').png().toBuffer()).metadata();
  if (!icc) throw new Error('sharp wrote no profile');
  return icc;
}
