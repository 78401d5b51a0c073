import { normalizeExposure } from './normalize-exposure.ts';
import { computeFlow, smoothAlong, type Flow } from './edge-flow.ts';
import { inkLines } from './ink-lines.ts';
import { writeRgb, type LabImage } from './lab.ts';
import { paperMargin, randomAt, valueNoise } from './noise.ts';
import { blur, clamp, makeChannel, mapChannel, mix, smoothstep, type Channel } from './image-channel.ts';
import { kuwaharaFilter } from './kuwahara-filter.ts';
import { equalize, findTones } from './tones.ts';

/** Graphite on warm paper: strokes that follow the fur, hatching where it is dark, and lines over both. */
export function applyPencilFilter(photo: LabImage): Uint8Array {
  const exposed = normalizeExposure(photo, { localContrast: 0.6 });
  const { lightness } = exposed;
  const flow = computeFlow(blur(lightness, 1), 3);
  const soft = smoothAlong(blur(lightness, 1), flow, 3);
  const simple = kuwaharaFilter(exposed, 16).lightness;
  const shade = mapChannel(soft, (value, i) => mix(value, simple.values[i]!, 0.6));
  const equalized = equalize(shade, findTones(shade, 8));
  const along = strokes(lightness, computeFlow(simple, 9, 0.006), 15, 1);
  const hatching = strokes(lightness, diagonal(lightness), 18, 2);
  const lines = inkLines(soft, flow, { sigma: 1.2, tau: 0.98, sharpness: 50, reach: 8, threshold: 0.004 });
  const margin = paperMargin(lightness, 0.05, 0.05);
  const grain = valueNoise(lightness, 3, 3, 2);
  const rgb = new Uint8Array(3 * lightness.values.length);
  for (let i = 0; i < lightness.values.length; i++) {
    const darkness = 1 - smoothstep(-0.1, 1, mix(shade.values[i]!, equalized.values[i]!, 0.4));
    const stroke = darkness * (0.35 + 0.9 * along.values[i]!);
    const hatch = smoothstep(0.5, 1, darkness) * (0.2 + 0.6 * hatching.values[i]!);
    const coverage = 1 - margin.values[i]!;
    const tone = 0.75 * coverage * (1 - (1 - clamp(stroke)) * (1 - clamp(hatch)));
    const line = 0.9 * lines.values[i]! * smoothstep(0, 0.5, coverage);
    const graphite = clamp(Math.max(tone, line) * (1 + 0.22 * grain.values[i]!));
    const paper = 0.965 + 0.01 * grain.values[i]!;
    writeRgb(rgb, i, mix(paper, 0.25, graphite), 0.002 * (1 - graphite), mix(0.013, -0.004, graphite));
  }
  return rgb;
}

/** Noise smeared along the flow, 0 to 1 with mean 0.5. */
function strokes(size: Channel, flow: Flow, reach: number, seed: number): Channel {
  const noise = makeChannel(size);
  for (let i = 0; i < noise.values.length; i++)
    noise.values[i] = randomAt(i % size.width, Math.floor(i / size.width), seed);
  const smeared = smoothAlong(blur(noise, 0.7), flow, reach);
  return mapChannel(smeared, (value) => clamp(0.5 + (value - 0.5) * 5));
}

/** A constant diagonal flow, for hatching. */
function diagonal(size: Channel): Flow {
  return {
    x: mapChannel(makeChannel(size), () => Math.SQRT1_2),
    y: mapChannel(makeChannel(size), () => -Math.SQRT1_2),
  };
}
