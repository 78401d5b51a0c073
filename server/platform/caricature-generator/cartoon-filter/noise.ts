import { makeChannel, mix, smoothstep, type Channel } from './image-channel.ts';

/** A deterministic pseudo-random number from 0 to 1. */
export function randomAt(x: number, y: number, seed: number): number {
  let hash = Math.imul(x, 0x27d4eb2d) ^ Math.imul(y, 0x165667b1) ^ Math.imul(seed, 0x9e3779b1);
  hash = Math.imul(hash ^ (hash >>> 15), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return ((hash ^ (hash >>> 16)) >>> 0) / 0x1_0000_0000;
}

/** Value noise from -1 to 1 over several octaves; the largest features are `scale` pixels wide. */
export function valueNoise(
  size: Pick<Channel, 'width' | 'height'>,
  scale: number,
  seed: number,
  octaves = 3,
): Channel {
  const channel = makeChannel(size);
  let [share, step] = [1, scale];
  let total = 0;
  for (let octave = 0; octave < octaves && step >= 1; octave++) {
    addOctave(channel, step, share, seed + octave);
    total += share;
    share /= 2;
    step /= 2;
  }
  for (let i = 0; i < channel.values.length; i++) channel.values[i]! /= total;
  return channel;
}

/** A mask of the unpainted border: 1 at the edge, 0 inside, ragged between. `margin` is a share of the shorter side. */
export function paperMargin(
  size: Pick<Channel, 'width' | 'height'>,
  margin: number,
  softness: number,
): Channel {
  const { width, height } = size;
  const ragged = valueNoise(size, Math.max(width, height) / 9, 15, 5);
  const mask = makeChannel(size);
  const shorter = Math.min(width, height);
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const i = y * width + x;
      const inside = Math.min(x, y, width - 1 - x, height - 1 - y) / shorter + 0.05 * ragged.values[i]!;
      mask.values[i] = 1 - smoothstep(margin - softness, margin + softness, inside);
    }
  }
  return mask;
}

function addOctave({ width, height, values }: Channel, scale: number, share: number, seed: number): void {
  for (let y = 0; y < height; y++) {
    const row = Math.floor(y / scale);
    const v = fade(y / scale - row);
    for (let x = 0; x < width; x++) {
      const column = Math.floor(x / scale);
      const u = fade(x / scale - column);
      const above = mix(randomAt(column, row, seed), randomAt(column + 1, row, seed), u);
      const below = mix(randomAt(column, row + 1, seed), randomAt(column + 1, row + 1, seed), u);
      values[y * width + x]! += share * (2 * mix(above, below, v) - 1);
    }
  }
}

function fade(t: number): number {
  return t * t * (3 - 2 * t);
}
