import { makePlane, mix, type Plane } from './plane.ts';

/** A number from 0 to 1 that looks like chance and is the same each time. */
export function chance(x: number, y: number, seed: number): number {
  let hash = Math.imul(x, 0x27d4eb2d) ^ Math.imul(y, 0x165667b1) ^ Math.imul(seed, 0x9e3779b1);
  hash = Math.imul(hash ^ (hash >>> 15), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return ((hash ^ (hash >>> 16)) >>> 0) / 0x1_0000_0000;
}

/** Soft clouds of about so many pixels, -1 to 1, over several octaves. */
export function clouds(
  size: Pick<Plane, 'width' | 'height'>,
  scale: number,
  seed: number,
  octaves = 3,
): Plane {
  const plane = makePlane(size);
  let [share, step] = [1, scale];
  let total = 0;
  for (let octave = 0; octave < octaves && step >= 1; octave++) {
    addOctave(plane, step, share, seed + octave);
    total += share;
    share /= 2;
    step /= 2;
  }
  for (let i = 0; i < plane.values.length; i++) plane.values[i]! /= total;
  return plane;
}

function addOctave({ width, height, values }: Plane, scale: number, share: number, seed: number): void {
  for (let y = 0; y < height; y++) {
    const row = Math.floor(y / scale);
    const v = fade(y / scale - row);
    for (let x = 0; x < width; x++) {
      const column = Math.floor(x / scale);
      const u = fade(x / scale - column);
      const above = mix(chance(column, row, seed), chance(column + 1, row, seed), u);
      const below = mix(chance(column, row + 1, seed), chance(column + 1, row + 1, seed), u);
      values[y * width + x]! += share * (2 * mix(above, below, v) - 1);
    }
  }
}

function fade(t: number): number {
  return t * t * (3 - 2 * t);
}
