import sharp from 'sharp';
import { seededRandom } from '../seeded-random.ts';
import type { Svg } from './svg.ts';

/** How a picture was printed: today's, or one out of a shoebox. */
export type Print = 'fresh' | 'faded';

/** What shops left around a photo. */
const PRINT_BORDER = 44;
const PRINT_PAPER = '#f4ecd9';

/** Side of the noise that repeats over the paper, a power of two. */
const TILE = 512;

/**
 * A drawing as the camera of a patient painter would take it: edges that a hand has cut, paint that lies unevenly on
 * paper with a grain; faded, the blacks have turned brown and the light has eaten the corners.
 */
export async function develop(
  drawing: Svg,
  { print, scale }: { print: Print; scale: number },
): Promise<Buffer> {
  const { data, info } = await sharp(Buffer.from(drawing))
    .flatten({ background: '#fff' })
    .raw()
    .toBuffer({ resolveWithObject: true });
  const { width, height } = info;
  const painted = paint(data, width, height, print, scale);
  const picture = sharp(painted, { raw: { width, height, channels: 3 } });
  if (print === 'faded') {
    const border = Math.round(PRINT_BORDER * scale);
    picture.extend({ top: border, bottom: border, left: border, right: border, background: PRINT_PAPER });
  }
  return picture.jpeg({ quality: 84 }).toBuffer();
}

function paint(from: Buffer, width: number, height: number, print: Print, scale: number): Buffer {
  const to = Buffer.allocUnsafe(from.length);
  const [bend, pigment, grain] = noises();
  const isFaded = print === 'faded';
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      // Turned against the tile, so that nobody sees its grid.
      const across = (x * 0.83 + y * 0.55) / scale;
      const down = (y * 0.83 - x * 0.55) / scale;
      const fine = noiseAt(bend, across * 2.6 + 31, down * 2.6 + 17) * 2 * scale;
      const sourceX = clamp(
        Math.round(x + noiseAt(bend, across * 0.7, down * 0.7) * 8 * scale + fine),
        width,
      );
      const sourceY = clamp(
        Math.round(y + noiseAt(bend, across * 0.7 + 211, down * 0.7 + 97) * 8 * scale - fine),
        height,
      );
      const source = (sourceY * width + sourceX) * 3;
      const target = (y * width + x) * 3;
      const wash =
        noiseAt(pigment, across * 0.21, down * 0.21) * 16 +
        noiseAt(pigment, down * 1.1 + 77, across * 0.6) * 12;
      const light = wash + noiseAt(grain, across, down) * 17;
      const dx = x / width - 0.5;
      const dy = y / height - 0.5;
      const corner = (dx * dx + dy * dy) * (isFaded ? 0 : 0.34);
      for (let channel = 0; channel < 3; channel++) {
        const value = from[source + channel] ?? 0;
        // Paint varies most in the middle tones; white paper and deep black stay what they are.
        const room = 0.35 + 0.65 * (1 - Math.abs(value - 128) / 128);
        const shown = (value + light * room) * (1 - corner);
        to[target + channel] = isFaded
          ? fade(shown, channel, dx * dx + dy * dy)
          : shown < 0
            ? 0
            : shown > 255
              ? 255
              : shown;
      }
    }
  }
  return to;
}

/** By channel: red, green, blue. */
const FADED_BLACK = [58, 44, 40];
const FADED_WHITE = [252, 240, 214];

function fade(value: number, channel: number, distance: number): number {
  const black = FADED_BLACK[channel] ?? 0;
  const white = FADED_WHITE[channel] ?? 255;
  const faded = black + (Math.max(0, Math.min(255, value)) / 255) * (white - black);
  return faded + distance * 0.32 * (white - faded);
}

function clamp(value: number, size: number): number {
  return value < 0 ? 0 : value >= size ? size - 1 : value;
}

let made: [Float32Array, Float32Array, Float32Array] | undefined;

/** Slow, medium and fast, each around 0. */
function noises(): [Float32Array, Float32Array, Float32Array] {
  return (made ??= [smoothNoise(1, 32), smoothNoise(2, 64), smoothNoise(3, 512)]);
}

/** Random heights on so many points a side, soft between them, at every place of the tile. */
function smoothNoise(seed: number, points: number): Float32Array {
  const random = seededRandom(seed);
  const heights = Float32Array.from({ length: points * points }, () => random() - 0.5);
  const heightAt = (x: number, y: number) => heights[(y % points) * points + (x % points)] ?? 0;
  const noise = new Float32Array(TILE * TILE);
  const step = points / TILE;
  for (let y = 0; y < TILE; y++) {
    for (let x = 0; x < TILE; x++) {
      const [column, row] = [Math.floor(x * step), Math.floor(y * step)];
      const [right, down] = [ease(x * step - column), ease(y * step - row)];
      const above = heightAt(column, row) * (1 - right) + heightAt(column + 1, row) * right;
      const below = heightAt(column, row + 1) * (1 - right) + heightAt(column + 1, row + 1) * right;
      noise[y * TILE + x] = above * (1 - down) + below * down;
    }
  }
  return noise;
}

function ease(t: number): number {
  return t * t * (3 - 2 * t);
}

function noiseAt(noise: Float32Array, x: number, y: number): number {
  return noise[(y & (TILE - 1)) * TILE + (x & (TILE - 1))] ?? 0;
}
