import { normalizeExposure } from './normalize-exposure.ts';
import { computeFlow, smoothAlong } from './edge-flow.ts';
import { inkLines } from './ink-lines.ts';
import type { LabImage, Rgb } from './lab.ts';
import { blur, clamp, mapChannel, mix, smoothstep, type Channel } from './image-channel.ts';
import { kuwaharaFilter } from './kuwahara-filter.ts';
import { findTones, positionAmongTones } from './tones.ts';

const INK: Rgb = [28, 16, 58];
/** Dark to light: the inks for warm areas (usually fur) and for cool ones. */
const WARM: readonly Rgb[] = [INK, [226, 29, 110], [255, 196, 20], [255, 247, 222]];
const COOL: readonly Rgb[] = [INK, [22, 92, 205], [64, 200, 224], [222, 246, 240]];
/** The distance between halftone dots, in pixels. */
const DOT_PITCH = 11;

/** Sixties print: four warm and four cool inks, halftone dots between them, black outlines. */
export function applyPopArtFilter(photo: LabImage): Uint8Array {
  const exposed = normalizeExposure(photo, { localContrast: 0.5 });
  const flow = computeFlow(blur(exposed.lightness, 1), 3);
  const simple = kuwaharaFilter(exposed, 20);
  const even = smoothAlong(simple.lightness, flow, 8);
  const warmth = warmthMask(simple);
  const tones = findTones(even, WARM.length);
  const ink = inkLines(smoothAlong(blur(exposed.lightness, 1.4), flow, 4), flow, {
    sigma: 2,
    tau: 0.985,
    sharpness: 60,
    reach: 9,
    threshold: 0.005,
  });
  const { width, height } = even;
  const rgb = new Uint8Array(3 * even.values.length);
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const i = y * width + x;
      const inks = warmth.values[i]! > 0.5 ? WARM : COOL;
      const position = positionAmongTones(tones, even.values[i]!);
      const step = Math.min(Math.floor(position), inks.length - 2);
      const light = dotCoverage(x, y, 1 - (position - step));
      const pen = clamp(ink.values[i]! * 1.2);
      for (let channel = 0; channel < 3; channel++) {
        const color = mix(inks[step + 1]![channel]!, inks[step]![channel]!, light);
        rgb[3 * i + channel] = Math.round(mix(color, INK[channel]!, pen));
      }
    }
  }
  return rgb;
}

/** The coverage of a pixel by the darker ink's dot, on a halftone screen at 45 degrees with the given tone. */
function dotCoverage(x: number, y: number, share: number): number {
  if (share < 0.12) return 0;
  if (share > 0.9) return 1;
  const u = ((x + y) * Math.SQRT1_2) / DOT_PITCH;
  const v = ((x - y) * Math.SQRT1_2) / DOT_PITCH;
  const [du, dv] = [u - Math.round(u), v - Math.round(v)];
  const distance = Math.hypot(du, dv) * DOT_PITCH;
  const radius = DOT_PITCH * Math.sqrt(share / Math.PI);
  return smoothstep(radius + 0.7, radius - 0.7, distance);
}

/** A smooth mask: 1 where the image is warmer than its own average, 0 where cooler (two-means clustering). */
function warmthMask({ a, b }: LabImage): Channel {
  const warm = blur(
    mapChannel(a, (value, i) => value + 0.5 * b.values[i]!),
    6,
  );
  let [cool, hot] = [-0.05, 0.05];
  for (let round = 0; round < 12; round++) {
    const middle = (cool + hot) / 2;
    let [coolSum, coolCount, hotSum, hotCount] = [0, 0, 0, 0];
    for (const value of warm.values) {
      if (value < middle) {
        coolSum += value;
        coolCount++;
      } else {
        hotSum += value;
        hotCount++;
      }
    }
    cool = coolCount ? coolSum / coolCount : middle - 0.01;
    hot = hotCount ? hotSum / hotCount : middle + 0.01;
  }
  const middle = (cool + hot) / 2;
  return mapChannel(warm, (value) => smoothstep(middle - 0.004, middle + 0.004, value));
}
