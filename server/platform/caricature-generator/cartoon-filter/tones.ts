import { clamp, mapChannel, mix, type Channel } from './image-channel.ts';

const BINS = 256;

/** The image's main lightness values, dark to light: Lloyd's algorithm (k-means) over its histogram. */
export function findTones(lightness: Channel, count: number): number[] {
  const histogram = new Float64Array(BINS);
  for (const value of lightness.values) histogram[binOf(value)]! += 1;
  // The square root damps large even areas such as the sky, which would otherwise get most tones.
  for (let bin = 0; bin < BINS; bin++) histogram[bin] = Math.sqrt(histogram[bin]!);
  let tones = quantiles(histogram, count);
  for (let round = 0; round < 20; round++) tones = clusterMeans(histogram, tones);
  return tones;
}

export function percentile(lightness: Channel, share: number): number {
  const histogram = new Uint32Array(BINS);
  for (const value of lightness.values) histogram[binOf(value)]! += 1;
  let count = 0;
  for (let bin = 0; bin < BINS; bin++) {
    count += histogram[bin]!;
    if (count >= share * lightness.values.length) return (bin + 0.5) / BINS;
  }
  return 1;
}

/** Equalizes the lightness, so that the tones are evenly spaced from 0 to 1. */
export function equalize(lightness: Channel, tones: readonly number[]): Channel {
  return mapChannel(lightness, (value) => positionAmongTones(tones, value) / (tones.length - 1));
}

/** The fractional index of a lightness among the tones, 0 to count - 1. */
export function positionAmongTones(tones: readonly number[], value: number): number {
  if (value <= tones[0]!) return 0;
  for (let i = 1; i < tones.length; i++) {
    const [low, high] = [tones[i - 1]!, tones[i]!];
    if (value < high) return i - 1 + (high > low ? (value - low) / (high - low) : 0);
  }
  return tones.length - 1;
}

function binOf(value: number): number {
  return Math.floor(clamp(value, 0, 0.9999) * BINS);
}

function quantiles(histogram: Float64Array, count: number): number[] {
  const total = histogram.reduce((sum, each) => sum + each, 0);
  const tones: number[] = [];
  let passed = 0;
  for (let bin = 0; bin < BINS && tones.length < count; bin++) {
    passed += histogram[bin]!;
    while (tones.length < count && passed >= (total * (tones.length + 0.5)) / count)
      tones.push((bin + 0.5) / BINS);
  }
  return tones;
}

function clusterMeans(histogram: Float64Array, tones: readonly number[]): number[] {
  const sums = tones.map(() => 0);
  const weights = tones.map(() => 0);
  let tone = 0;
  for (let bin = 0; bin < BINS; bin++) {
    const value = (bin + 0.5) / BINS;
    while (tone < tones.length - 1 && value > mix(tones[tone]!, tones[tone + 1]!, 0.5)) tone++;
    sums[tone]! += histogram[bin]! * value;
    weights[tone]! += histogram[bin]!;
  }
  return tones.map((before, i) => (weights[i]! > 0 ? sums[i]! / weights[i]! : before));
}
