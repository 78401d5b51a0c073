import { normalizeExposure } from './normalize-exposure.ts';
import { computeFlow, smoothAlong } from './edge-flow.ts';
import { inkLines } from './ink-lines.ts';
import { writeRgb, type LabImage } from './lab.ts';
import { paperMargin, valueNoise } from './noise.ts';
import {
  blur,
  clamp,
  makeChannel,
  mapChannel,
  mix,
  sample,
  smoothstep,
  type Channel,
} from './image-channel.ts';
import { kuwaharaFilter } from './kuwahara-filter.ts';
import { findTones, positionAmongTones } from './tones.ts';

const WASHES = 7;
const PAPER = 0.975;

/** Washes of pigment with dark rims that bleed into each other, on rough paper with a white border. */
export function applyWatercolorFilter(photo: LabImage): Uint8Array {
  const exposed = normalizeExposure(photo, { middle: 0.68 });
  const flow = computeFlow(blur(exposed.lightness, 1.5), 4);
  const simple = kuwaharaFilter(exposed, 18);
  const wobble = { x: valueNoise(simple.lightness, 24, 11), y: valueNoise(simple.lightness, 24, 12) };
  const washes = bleed(toWashes(smoothAlong(simple.lightness, flow, 8)), wobble);
  const [a, b] = [bleed(blur(simple.a, 4), wobble), bleed(blur(simple.b, 4), wobble)];
  const rims = edgeDarkening(washes);
  const turbulence = valueNoise(simple.lightness, 90, 13, 4);
  const tooth = valueNoise(simple.lightness, 4, 14, 3);
  const margin = paperMargin(simple.lightness, 0.045, 0.01);
  const lines = inkLines(blur(exposed.lightness, 1.2), flow, {
    sigma: 1.2,
    tau: 0.98,
    sharpness: 30,
    reach: 8,
    threshold: 0.006,
  });
  const rgb = new Uint8Array(3 * washes.values.length);
  for (let i = 0; i < washes.values.length; i++) {
    const tone = clamp(0.26 + 0.74 * washes.values[i]!);
    const density = 1 + 0.35 * turbulence.values[i]! + 0.22 * tooth.values[i]! + rims.values[i]!;
    const pigment = (1 - margin.values[i]!) * clamp(density, 0, 1.8);
    const pencil = 0.8 * lines.values[i]! * (1 - margin.values[i]!);
    const lightness = (PAPER - (PAPER - tone) * pigment + 0.006 * tooth.values[i]!) * (1 - 0.6 * pencil);
    const color = 1.5 * pigment;
    writeRgb(rgb, i, clamp(lightness), a.values[i]! * color, 0.006 + b.values[i]! * color);
  }
  return rgb;
}

/** Quantizes the lightness into nearly flat washes with soft steps. */
function toWashes(lightness: Channel): Channel {
  const tones = findTones(lightness, WASHES);
  return mapChannel(lightness, (value) => {
    const position = positionAmongTones(tones, value);
    const step = Math.floor(position);
    const next = tones[Math.min(step + 1, tones.length - 1)]!;
    return mix(tones[step]!, next, smoothstep(0.3, 0.7, position - step));
  });
}

/** Displaces pixels by noise, like wet edges that run. */
function bleed(channel: Channel, wobble: { x: Channel; y: Channel }): Channel {
  const moved = makeChannel(channel);
  for (let y = 0; y < channel.height; y++) {
    for (let x = 0; x < channel.width; x++) {
      const i = y * channel.width + x;
      moved.values[i] = sample(channel, x + 6 * wobble.x.values[i]!, y + 6 * wobble.y.values[i]!);
    }
  }
  return moved;
}

/** Pigment gathers at the edges of a wash. */
function edgeDarkening(washes: Channel): Channel {
  const [near, far] = [blur(washes, 1), blur(washes, 4)];
  return mapChannel(near, (value, i) => clamp(6 * (far.values[i]! - value), 0, 0.5));
}
