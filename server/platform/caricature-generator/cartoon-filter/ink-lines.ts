import { smoothAlong, type Flow } from './edge-flow.ts';
import { makeChannel, mapChannel, sample, type Channel } from './image-channel.ts';

/** 0 paper to 1 ink: a flow-based difference of Gaussians (Kang 2007) with a soft threshold (Winnemöller, XDoG). */
export function inkLines(
  lightness: Channel,
  flow: Flow,
  {
    /** Half the line width, in pixels. */
    sigma,
    /** The weight of the wider Gaussian; below 1, it suppresses noise on even ground. */
    tau,
    /** The steepness of the soft threshold. */
    sharpness,
    /** How far lines are smoothed along the flow, in pixels. */
    reach,
    /** Differences below this are paper. */
    threshold = 0,
  }: { sigma: number; tau: number; sharpness: number; reach: number; threshold?: number },
): Channel {
  const across = smoothAlong(differenceAcross(lightness, flow, sigma, tau), flow, reach);
  return mapChannel(across, (difference) =>
    difference + threshold >= 0 ? 0 : Math.tanh(-(difference + threshold) * sharpness),
  );
}

function differenceAcross(lightness: Channel, flow: Flow, sigma: number, tau: number): Channel {
  const { width, height } = lightness;
  const wide = 1.6 * sigma;
  const reach = Math.ceil(2.4 * wide);
  const narrowWeights = gaussian(sigma, reach);
  const wideWeights = gaussian(wide, reach);
  const difference = makeChannel(lightness);
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const index = y * width + x;
      const across = -flow.y.values[index]!;
      const down = flow.x.values[index]!;
      const here = lightness.values[index]!;
      let narrowSum = here * narrowWeights[0]!;
      let wideSum = here * wideWeights[0]!;
      for (let step = 1; step <= reach; step++) {
        const both =
          sample(lightness, x + step * across, y + step * down) +
          sample(lightness, x - step * across, y - step * down);
        narrowSum += narrowWeights[step]! * both;
        wideSum += wideWeights[step]! * both;
      }
      difference.values[index] = narrowSum - tau * wideSum;
    }
  }
  return difference;
}

/** One half of a normalized kernel; the center comes first. */
function gaussian(sigma: number, reach: number): number[] {
  const weights = Array.from({ length: reach + 1 }, (_, step) =>
    Math.exp(-(step * step) / (2 * sigma * sigma)),
  );
  const total = weights.reduce((sum, weight, step) => sum + (step === 0 ? weight : 2 * weight), 0);
  return weights.map((weight) => weight / total);
}
