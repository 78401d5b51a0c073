import type { LabImage } from './lab.ts';
import { blur, clamp, mapChannel, smoothstep, type Channel } from './image-channel.ts';
import { percentile } from './tones.ts';

/** Night shots brightened by more than this show noise. */
const MAX_GAIN = 2.2;

/** Normalizes exposure and local contrast, so that black and white fur keeps visible tones. */
export function normalizeExposure(
  image: LabImage,
  { middle = 0.58, localContrast = 0.35 }: { middle?: number; localContrast?: number } = {},
): LabImage {
  const { lightness, a, b } = image;
  const dark = percentile(lightness, 0.01);
  const gain = Math.min(0.88 / Math.max(percentile(lightness, 0.99) - dark, 0.01), MAX_GAIN);
  const stretched = mapChannel(lightness, (value) => clamp(0.03 + (value - dark) * gain));
  const median = clamp(percentile(stretched, 0.5), 0.15, 0.85);
  // Only half of the correction, so that dusk still looks like dusk.
  const power = Math.log(middle * 0.5 + median * 0.5) / Math.log(median);
  const lit = mapChannel(stretched, (value) => value ** power);
  return { lightness: boostLocalContrast(lit, localContrast), a, b };
}

/** Strongest in areas of low contrast. */
function boostLocalContrast(lightness: Channel, share: number): Channel {
  const reach = Math.max(lightness.width, lightness.height) / 40;
  const around = blur(lightness, reach);
  const variance = blur(
    mapChannel(lightness, (value, i) => (value - around.values[i]!) ** 2),
    reach,
  );
  return mapChannel(lightness, (value, i) => {
    const deviation = Math.sqrt(Math.max(variance.values[i]!, 0));
    // Below that range (an even sky) there is only noise to boost.
    const isFaint = smoothstep(0.004, 0.02, deviation) * smoothstep(0.12, 0.04, deviation);
    const boosted = value + share * (1 + 2.5 * isFaint) * (value - around.values[i]!);
    return softClip(boosted);
  });
}

/** Compresses values toward 0 and 1 instead of clipping them. */
function softClip(value: number): number {
  if (value > 0.85) return 0.85 + 0.15 * Math.tanh((value - 0.85) / 0.15);
  if (value < 0.1) return 0.1 - 0.1 * Math.tanh((0.1 - value) / 0.1);
  return value;
}
