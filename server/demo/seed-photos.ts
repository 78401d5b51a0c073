import { createHash } from 'node:crypto';
import sharp, { type Sharp } from 'sharp';
import { inspectImage } from '../platform/image-decoder/decoder-process/decode-image.ts';
import type { InspectedImage } from '../platform/image-decoder/decoder-process/decoder-protocol.ts';
import { DEMO_MEMORIES } from './demo-memories.ts';
import { readDemoPhoto } from './demo-photos.ts';
import { between, seededRandom } from '../platform/seeded-random.ts';

export type SeedPhoto = { bytes: Buffer; image: InspectedImage };

/** About the width of a gallery tile: some 15 KB each. */
const MAX_SIDE = 400;

/** A deterministic photo for each number: a demo photo, every second time mirrored, cropped at random. */
export async function createSeedPhoto(number: number): Promise<SeedPhoto> {
  const random = seededRandom(number);
  const source = await loadSource(number % (2 * DEMO_MEMORIES.length));
  const width = Math.round(source.raw.width * between(random, 0.85, 0.97));
  const height = Math.round(source.raw.height * between(random, 0.85, 0.97));
  const left = Math.floor(between(random, 0, source.raw.width - width));
  const top = Math.floor(between(random, 0, source.raw.height - height));
  const bytes = await sharp(source.pixels, { raw: source.raw })
    .extract({ left, top, width, height })
    .jpeg({ quality: 80 })
    .toBuffer();
  const sha256 = createHash('sha256').update(bytes).digest('hex');
  return { bytes, image: { ...source.image, byteSize: bytes.length, sha256, width, height } };
}

type Source = {
  pixels: Buffer;
  raw: { width: number; height: number; channels: 1 | 2 | 3 | 4 };
  image: InspectedImage;
};

const sources: Promise<Source>[] = [];

function loadSource(index: number): Promise<Source> {
  return (sources[index] ??= renderSource(index));
}

async function renderSource(index: number): Promise<Source> {
  const small = await (index < DEMO_MEMORIES.length
    ? scaleDown(index)
    : mirror(index - DEMO_MEMORIES.length));
  const { data: pixels, info: raw } = await small.raw().toBuffer({ resolveWithObject: true });
  return { pixels, raw, image: (await inspectImage(await sharp(pixels, { raw }).jpeg().toBuffer())).image };
}

async function scaleDown(index: number): Promise<Sharp> {
  const bytes = await readDemoPhoto(DEMO_MEMORIES[index]!.photo);
  return sharp(bytes).resize(MAX_SIDE, MAX_SIDE, { fit: 'inside' });
}

async function mirror(index: number): Promise<Sharp> {
  const { pixels, raw } = await loadSource(index);
  return sharp(pixels, { raw }).flop().linear([1.06, 1, 0.92], [0, 0, 0]);
}
