/** One channel of an image, row by row. */
export type Channel = { width: number; height: number; values: Float32Array };

export function makeChannel({ width, height }: Pick<Channel, 'width' | 'height'>): Channel {
  return { width, height, values: new Float32Array(width * height) };
}

export function mapChannel(channel: Channel, change: (value: number, index: number) => number): Channel {
  const mapped = makeChannel(channel);
  const { values } = channel;
  for (let i = 0; i < values.length; i++) mapped.values[i] = change(values[i]!, i);
  return mapped;
}

/** Bilinear interpolation, clamped at the edges. */
export function sample({ width, height, values }: Channel, x: number, y: number): number {
  const left = x <= 0 ? 0 : x >= width - 1 ? width - 1 : Math.floor(x);
  const top = y <= 0 ? 0 : y >= height - 1 ? height - 1 : Math.floor(y);
  const right = left < width - 1 ? left + 1 : left;
  const row = top * width;
  const nextRow = top < height - 1 ? row + width : row;
  const u = x > left ? Math.min(x - left, 1) : 0;
  const v = y > top ? Math.min(y - top, 1) : 0;
  const above = values[row + left]! * (1 - u) + values[row + right]! * u;
  const below = values[nextRow + left]! * (1 - u) + values[nextRow + right]! * u;
  return above * (1 - v) + below * v;
}

/** Approximates a Gaussian by three box blurs, whose cost does not depend on sigma. */
export function blur(channel: Channel, sigma: number): Channel {
  const radius = Math.round((Math.sqrt(4 * sigma * sigma + 1) - 1) / 2);
  if (radius < 1) return mapChannel(channel, (value) => value);
  const spare = makeChannel(channel);
  const blurred = makeChannel(channel);
  for (let pass = 0; pass < 3; pass++) {
    blurRows(pass === 0 ? channel : blurred, spare, radius);
    blurColumns(spare, blurred, radius);
  }
  return blurred;
}

function blurRows({ width, height, values: from }: Channel, { values: to }: Channel, radius: number): void {
  const share = 1 / (2 * radius + 1);
  for (let y = 0; y < height; y++) {
    const first = y * width;
    const last = first + width - 1;
    let sum = 0;
    for (let k = -radius; k <= radius; k++) sum += from[Math.min(Math.max(first + k, first), last)]!;
    for (let i = first; i <= last; i++) {
      to[i] = sum * share;
      const enters = i + radius + 1;
      const leaves = i - radius;
      sum += from[enters > last ? last : enters]! - from[leaves < first ? first : leaves]!;
    }
  }
}

/** Processes all columns row by row, in memory order, for cache locality. */
function blurColumns(
  { width, height, values: from }: Channel,
  { values: to }: Channel,
  radius: number,
): void {
  const share = 1 / (2 * radius + 1);
  const rowAt = (y: number) => Math.min(Math.max(y, 0), height - 1) * width;
  const sums = new Float64Array(width);
  for (let k = -radius; k <= radius; k++) {
    const row = rowAt(k);
    for (let x = 0; x < width; x++) sums[x]! += from[row + x]!;
  }
  for (let y = 0; y < height; y++) {
    const row = y * width;
    const enters = rowAt(y + radius + 1);
    const leaves = rowAt(y - radius);
    for (let x = 0; x < width; x++) {
      to[row + x] = sums[x]! * share;
      sums[x]! += from[enters + x]! - from[leaves + x]!;
    }
  }
}

export function clamp(value: number, low = 0, high = 1): number {
  return value < low ? low : value > high ? high : value;
}

export function smoothstep(low: number, high: number, value: number): number {
  const t = clamp((value - low) / (high - low));
  return t * t * (3 - 2 * t);
}

export function mix(from: number, to: number, share: number): number {
  return from + (to - from) * share;
}

/** Halves the width and height. */
export function shrink(channel: Channel): Channel {
  const { width, height, values } = channel;
  const small = makeChannel({ width: Math.ceil(width / 2), height: Math.ceil(height / 2) });
  for (let y = 0; y < small.height; y++) {
    const row = 2 * y * width;
    const nextRow = Math.min(2 * y + 1, height - 1) * width;
    for (let x = 0; x < small.width; x++) {
      const right = Math.min(2 * x + 1, width - 1);
      small.values[y * small.width + x] =
        (values[row + 2 * x]! + values[row + right]! + values[nextRow + 2 * x]! + values[nextRow + right]!) /
        4;
    }
  }
  return small;
}

/** Scales a shrunken channel back to the given size. */
export function enlarge(small: Channel, { width, height }: Pick<Channel, 'width' | 'height'>): Channel {
  const large = makeChannel({ width, height });
  for (let y = 0; y < height; y++)
    for (let x = 0; x < width; x++) large.values[y * width + x] = sample(small, x / 2 - 0.25, y / 2 - 0.25);
  return large;
}
