import sharp from 'sharp';
import { inspectImage, type InspectedImage } from '../platform/image-decoder/decoder-process/decode-image.ts';
import { DEMO_MEMORIES } from './demo-memories.ts';
import { readDemoPhoto } from './demo-photos.ts';
import { between, seededRandom } from './seeded-random.ts';

export type SeedPhoto = { bytes: Buffer; image: InspectedImage };

/** A little wider than a gallery tile: about 20 KB each. */
const MAX_SIDE = 480;

/** A demo photo cropped, mirrored and tinted: another image for each number, the same one for the same number. */
export async function createSeedPhoto(number: number): Promise<SeedPhoto> {
  const random = seededRandom(number);
  const { data, info } = await loadPixels(number % DEMO_MEMORIES.length);
  const width = Math.round(info.width * between(random, 0.8, 0.95));
  const height = Math.round(info.height * between(random, 0.8, 0.95));
  const left = Math.floor(between(random, 0, info.width - width));
  const top = Math.floor(between(random, 0, info.height - height));
  const tint = Array.from({ length: info.channels }, () => between(random, 0.92, 1.08));
  const bytes = await sharp(data, { raw: info })
    .extract({ left, top, width, height })
    .flop(random() < 0.5)
    .linear(tint, Array(info.channels).fill(0))
    .jpeg({ quality: 80 })
    .toBuffer();
  return { bytes, image: await inspectImage(bytes) };
}

type Pixels = { data: Buffer; info: { width: number; height: number; channels: 1 | 2 | 3 | 4 } };

/** By number: each file is decoded and scaled down once, not once for each photo made from it. */
const pixels: Promise<Pixels>[] = [];

function loadPixels(number: number): Promise<Pixels> {
  return (pixels[number] ??= readDemoPhoto(DEMO_MEMORIES[number]!.photo).then((bytes) =>
    sharp(bytes).resize(MAX_SIDE, MAX_SIDE, { fit: 'inside' }).raw().toBuffer({ resolveWithObject: true }),
  ));
}
