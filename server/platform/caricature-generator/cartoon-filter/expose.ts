import type { LabPicture } from './lab.ts';
import { blur, clamp, mapPlane, smoothstep, type Plane } from './plane.ts';
import { percentile } from './tones.ts';

/** No photo is brightened by more: what is left of a night is noise. */
const MOST_GAIN = 2.2;

/**
 * Sets the light as a drawing needs it: from nearly black to nearly white, the middle in the middle, and what differs
 * from its surroundings a little more so. The fur of a black cat then has tones to draw, and that of a white dog too.
 */
export function expose(
  picture: LabPicture,
  { middle = 0.58, localContrast = 0.35 }: { middle?: number; localContrast?: number } = {},
): LabPicture {
  const { lightness, a, b } = picture;
  const dark = percentile(lightness, 0.01);
  const gain = Math.min(0.88 / Math.max(percentile(lightness, 0.99) - dark, 0.01), MOST_GAIN);
  const stretched = mapPlane(lightness, (value) => clamp(0.03 + (value - dark) * gain));
  const median = clamp(percentile(stretched, 0.5), 0.15, 0.85);
  // Half of the way: a picture taken at dusk stays one.
  const power = Math.log(middle * 0.5 + median * 0.5) / Math.log(median);
  const lit = mapPlane(stretched, (value) => value ** power);
  return { lightness: bringOut(lit, localContrast), a, b };
}

/** What differs from its surroundings does so a little more, most of all where all is nearly the same. */
function bringOut(lightness: Plane, share: number): Plane {
  const reach = Math.max(lightness.width, lightness.height) / 40;
  const around = blur(lightness, reach);
  const variance = blur(
    mapPlane(lightness, (value, i) => (value - around.values[i]!) ** 2),
    reach,
  );
  return mapPlane(lightness, (value, i) => {
    const deviation = Math.sqrt(Math.max(variance.values[i]!, 0));
    // An even sky has nothing to bring out but noise.
    const isFaint = smoothstep(0.004, 0.02, deviation) * smoothstep(0.12, 0.04, deviation);
    const boosted = value + share * (1 + 2.5 * isFaint) * (value - around.values[i]!);
    return softClip(boosted);
  });
}

/** Keeps to 0 and 1 without losing all that would be beyond. */
function softClip(value: number): number {
  if (value > 0.85) return 0.85 + 0.15 * Math.tanh((value - 0.85) / 0.15);
  if (value < 0.1) return 0.1 - 0.1 * Math.tanh((0.1 - value) / 0.1);
  return value;
}
