import { normalizeExposure } from './normalize-exposure.ts';
import { computeFlow, smoothAlong } from './edge-flow.ts';
import { inkLines } from './ink-lines.ts';
import { writeRgb, type LabImage } from './lab.ts';
import { blur, clamp, mapChannel, mix, smoothstep } from './image-channel.ts';
import { kuwaharaFilter } from './kuwahara-filter.ts';
import { findTones, positionAmongTones } from './tones.ts';

const TONES = 7;
const SATURATION = 1.55;

/** Flat colors in a few tones with black ink lines. */
export function applyComicFilter(photo: LabImage): Uint8Array {
  const exposed = normalizeExposure(photo);
  const flow = computeFlow(blur(exposed.lightness, 1), 3);
  const simple = kuwaharaFilter(exposed, 20);
  const even = smoothAlong(simple.lightness, flow, 6);
  const tones = findTones(even, TONES);
  const shown = tones.map((tone, i) => mix(tone, 0.26 + (0.71 * i) / (TONES - 1), 0.6));
  const flat = mapChannel(even, (value) => shown[Math.round(positionAmongTones(tones, value))]!);
  // Anti-aliases the hard steps between tones.
  const smooth = blur(smoothAlong(flat, flow, 4), 0.8);
  const [a, b] = [blur(simple.a, 1.5), blur(simple.b, 1.5)];
  const soft = smoothAlong(blur(exposed.lightness, 1.2), flow, 4);
  const shapes = inkLines(soft, flow, { sigma: 1.6, tau: 0.985, sharpness: 60, reach: 8, threshold: 0.004 });
  // Subjects as light as their background (a ginger cat before a hedge) have an outline in color only.
  const hue = mapChannel(a, (value, i) => 2 * (value + 0.7 * b.values[i]!));
  const outlines = inkLines(hue, computeFlow(hue, 4), {
    sigma: 1.8,
    tau: 1,
    sharpness: 80,
    reach: 10,
    threshold: 0.012,
  });
  const beside = blur(shapes, 4);
  const rgb = new Uint8Array(3 * smooth.values.length);
  for (let i = 0; i < smooth.values.length; i++) {
    // Skip color outlines beside lightness lines, or edges would be doubled.
    const outline = outlines.values[i]! * (1 - smoothstep(0.02, 0.15, beside.values[i]!));
    const pen = clamp(Math.max(shapes.values[i]!, outline) * 1.15);
    const color = SATURATION * (1 - pen);
    writeRgb(rgb, i, mix(smooth.values[i]!, 0.1, pen), a.values[i]! * color, b.values[i]! * color);
  }
  return rgb;
}
