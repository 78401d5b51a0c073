import { blur, makeChannel, type Channel } from './image-channel.ts';

/** The direction of edges, fur and feathers at each pixel: a unit vector. */
export type Flow = { x: Channel; y: Channel };

/** The tangent field of the smoothed structure tensor (Kang 2007). `hatching` biases flat areas toward a diagonal. */
export function computeFlow(lightness: Channel, sigma: number, hatching = 0): Flow {
  const { width, height } = lightness;
  const [xx, xy, yy] = [makeChannel(lightness), makeChannel(lightness), makeChannel(lightness)];
  const { values } = lightness;
  for (let y = 0; y < height; y++) {
    const above = Math.max(y - 1, 0) * width;
    const below = Math.min(y + 1, height - 1) * width;
    const row = y * width;
    for (let x = 0; x < width; x++) {
      const left = Math.max(x - 1, 0);
      const right = Math.min(x + 1, width - 1);
      const gx =
        values[above + right]! -
        values[above + left]! +
        2 * (values[row + right]! - values[row + left]!) +
        values[below + right]! -
        values[below + left]!;
      const gy =
        values[below + left]! -
        values[above + left]! +
        2 * (values[below + x]! - values[above + x]!) +
        values[below + right]! -
        values[above + right]!;
      xx.values[row + x] = gx * gx;
      xy.values[row + x] = gx * gy;
      yy.values[row + x] = gy * gy;
    }
  }
  return tangents(blur(xx, sigma), blur(xy, sigma), blur(yy, sigma), hatching);
}

function tangents(xx: Channel, xy: Channel, yy: Channel, hatching: number): Flow {
  const flow = { x: makeChannel(xx), y: makeChannel(xx) };
  for (let i = 0; i < xx.values.length; i++) {
    // Half the tensor's angle is the gradient; the tangent is perpendicular to it.
    const across = 0.5 * Math.atan2(2 * (xy.values[i]! + hatching), xx.values[i]! - yy.values[i]!);
    const angle = across + Math.PI / 2;
    flow.x.values[i] = Math.cos(angle);
    flow.y.values[i] = Math.sin(angle);
  }
  return flow;
}

/** A Gaussian blur along the flow, `reach` pixels each way (line integral convolution). */
export function smoothAlong(channel: Channel, flow: Flow, reach: number): Channel {
  const { width, height, values } = channel;
  const flowX = flow.x.values;
  const flowY = flow.y.values;
  const smooth = makeChannel(channel);
  const weights = Float64Array.from({ length: reach + 1 }, (_, step) => Math.exp(-2 * (step / reach) ** 2));
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const index = y * width + x;
      let sum = values[index]!;
      let weight = 1;
      for (let side = -1; side <= 1; side += 2) {
        let px = x;
        let py = y;
        let dx = side * flowX[index]!;
        let dy = side * flowY[index]!;
        for (let step = 1; step <= reach; step++) {
          px += dx;
          py += dy;
          if (px < 0 || py < 0 || px >= width - 1 || py >= height - 1) break;
          // Inlined `sample`: the hottest loop of the filter.
          const left = px | 0;
          const top = py | 0;
          const u = px - left;
          const v = py - top;
          const corner = top * width + left;
          const above = values[corner]! * (1 - u) + values[corner + 1]! * u;
          const below = values[corner + width]! * (1 - u) + values[corner + width + 1]! * u;
          sum += weights[step]! * (above * (1 - v) + below * v);
          weight += weights[step]!;
          const nearest = corner + (u < 0.5 ? 0 : 1) + (v < 0.5 ? 0 : width);
          const fx = flowX[nearest]!;
          const fy = flowY[nearest]!;
          // The flow has no sign; keep the current heading.
          const sign = fx * dx + fy * dy < 0 ? -1 : 1;
          dx = sign * fx;
          dy = sign * fy;
        }
      }
      smooth.values[index] = sum / weight;
    }
  }
  return smooth;
}
