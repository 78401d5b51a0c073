import type { CodedColor, HeifColor } from './heif-color.ts';

type Matrix = readonly [number, number, number, number, number, number, number, number, number];
type Conversion = { curves: [Float64Array, Float64Array, Float64Array]; matrix: Matrix; transfer: number };

/** ITU-T H.273: red, green and blue as x and y, all with the white of D65. 11 (DCI) differs from 12 only in its white. */
const PRIMARIES: Record<number, readonly [number, number, number, number, number, number]> = {
  1: [0.64, 0.33, 0.3, 0.6, 0.15, 0.06],
  5: [0.64, 0.33, 0.29, 0.6, 0.15, 0.06],
  6: [0.63, 0.34, 0.31, 0.595, 0.155, 0.07],
  7: [0.63, 0.34, 0.31, 0.595, 0.155, 0.07],
  9: [0.708, 0.292, 0.17, 0.797, 0.131, 0.046],
  11: [0.68, 0.32, 0.265, 0.69, 0.15, 0.06],
  12: [0.68, 0.32, 0.265, 0.69, 0.15, 0.06],
};
const SRGB_PRIMARIES = 1;
const GAMMA_2_2 = 4;
const GAMMA_2_8 = 5;
const LINEAR = 8;
const PQ = 16;
const HLG = 18;

/** Nits of the white of a page (ITU-R BT.2408), and of the brightest light of HLG. */
const WHITE_NITS = 203;
const HLG_PEAK = 1000 / WHITE_NITS;

/** XYZ of D50, as ICC profiles have it, to linear sRGB. */
const D50_TO_SRGB: Matrix = [
  3.1341359, -1.6173863, -0.4906619, -0.978_795_5, 1.916_254_4, 0.033_442_7, 0.071_955_4, -0.228_976_8,
  1.405_386_1,
];

const ENCODED_STEPS = 16_384;
let encoded: Uint8ClampedArray | undefined;

/** Null where the numbers already mean sRGB, or cannot be converted. */
export function conversionToSrgb(color: HeifColor | null): Conversion | null {
  if (!color) return null;
  return 'icc' in color ? readMatrixProfile(color.icc) : fromNumbers(color);
}

/** In place. Alpha stays. */
export function convertToSrgb(
  pixels: Uint8Array | Uint8ClampedArray,
  channels: 3 | 4,
  { curves, matrix, transfer }: Conversion,
): void {
  const [red, green, blue] = curves;
  const [a, b, c, d, e, f, g, h, i] = matrix;
  const encode = (encoded ??= encodeSteps());
  const isHdr = transfer === PQ || transfer === HLG;
  for (let at = 0; at + channels <= pixels.length; at += channels) {
    let r = red[pixels[at] ?? 0] ?? 0;
    let g1 = green[pixels[at + 1] ?? 0] ?? 0;
    let b1 = blue[pixels[at + 2] ?? 0] ?? 0;
    if (isHdr) {
      // BT.2100: the luminance decides how much brighter a display shows HLG.
      const shown = transfer === HLG ? HLG_PEAK * Math.pow(0.2627 * r + 0.678 * g1 + 0.0593 * b1, 0.2) : 1;
      const factor = shown * toneMap(shown * Math.max(r, g1, b1));
      r *= factor;
      g1 *= factor;
      b1 *= factor;
    }
    pixels[at] = encode[toStep(a * r + b * g1 + c * b1)] ?? 0;
    pixels[at + 1] = encode[toStep(d * r + e * g1 + f * b1)] ?? 0;
    pixels[at + 2] = encode[toStep(g * r + h * g1 + i * b1)] ?? 0;
  }
}

/** The factor with which Chromium 140 darkens light, of which 1 is white: the brightest of 1000 nits becomes white. */
function toneMap(light: number): number {
  return light <= 1 ? 0.5 : 1 / (1.255 + 0.745 * light);
}

function toStep(linear: number): number {
  return Math.round(Math.min(1, Math.max(0, linear)) * ENCODED_STEPS);
}

function encodeSteps(): Uint8ClampedArray {
  return Uint8ClampedArray.from({ length: ENCODED_STEPS + 1 }, (_, step) => {
    const linear = step / ENCODED_STEPS;
    return 255 * (linear <= 0.0031308 ? 12.92 * linear : 1.055 * Math.pow(linear, 1 / 2.4) - 0.055);
  });
}

function fromNumbers({ primaries, transfer }: CodedColor): Conversion | null {
  const from = PRIMARIES[primaries] ?? PRIMARIES[SRGB_PRIMARIES];
  const hasOtherCurve = [GAMMA_2_2, GAMMA_2_8, LINEAR, PQ, HLG].includes(transfer);
  const isSrgb = from === PRIMARIES[SRGB_PRIMARIES];
  if (!from || (isSrgb && !hasOtherCurve)) return null;
  const curve = toCurve((value) => decode(value, transfer));
  const toXyz = primariesToXyz(from);
  const fromXyz = invert(primariesToXyz([0.64, 0.33, 0.3, 0.6, 0.15, 0.06]));
  return { curves: [curve, curve, curve], matrix: multiply(fromXyz, toXyz), transfer };
}

/** Linear light; of PQ, 1 is the white of a page. Browsers show BT.709 and its like as sRGB. */
function decode(value: number, transfer: number): number {
  if (transfer === GAMMA_2_2) return Math.pow(value, 2.2);
  if (transfer === GAMMA_2_8) return Math.pow(value, 2.8);
  if (transfer === LINEAR) return value;
  if (transfer === HLG)
    return value <= 0.5
      ? (value * value) / 3
      : (Math.exp((value - 0.55991073) / 0.17883277) + 0.28466892) / 12;
  if (transfer === PQ) {
    const power = Math.pow(value, 1 / 78.84375);
    const light = Math.max(0, power - 0.8359375) / (18.8515625 - 18.6875 * power);
    return (10_000 / WHITE_NITS) * Math.pow(light, 16_384 / 2610);
  }
  return value <= 0.04045 ? value / 12.92 : Math.pow((value + 0.055) / 1.055, 2.4);
}

/** Null for profiles of other kinds (gray, CMYK, tables), which no phone writes. */
function readMatrixProfile(icc: Uint8Array): Conversion | null {
  try {
    const view = new DataView(icc.buffer, icc.byteOffset, icc.byteLength);
    const tags = new Map<string, number>();
    const read = (at: number) => String.fromCharCode(...icc.subarray(at, at + 4));
    for (let n = view.getUint32(128); n > 0; n--) tags.set(read(120 + 12 * n), view.getUint32(124 + 12 * n));
    const columns = ['rXYZ', 'gXYZ', 'bXYZ'].map((name) => {
      const at = tags.get(name);
      return at === undefined ? null : [8, 12, 16].map((offset) => view.getInt32(at + offset) / 65_536);
    });
    const [red, green, blue] = ['rTRC', 'gTRC', 'bTRC'].map((name) => {
      const at = tags.get(name);
      return at === undefined ? null : readCurve(view, read(at), at);
    });
    const [r, g, b] = columns;
    if (!r || !g || !b || !red || !green || !blue) return null;
    const toXyz = [0, 1, 2].flatMap((row) => [r[row] ?? 0, g[row] ?? 0, b[row] ?? 0]) as unknown as Matrix;
    return { curves: [red, green, blue], matrix: multiply(D50_TO_SRGB, toXyz), transfer: 0 };
  } catch (error) {
    if (error instanceof RangeError) return null;
    throw error;
  }
}

/** ICC.1:2022, 10.6 and 10.18. */
function readCurve(view: DataView, type: string, at: number): Float64Array | null {
  if (type === 'curv') {
    const count = view.getUint32(at + 8);
    if (count === 0) return toCurve((value) => value);
    if (count === 1) return toCurve((value) => Math.pow(value, view.getUint16(at + 12) / 256));
    return toCurve((value) => {
      const position = value * (count - 1);
      const step = Math.min(count - 2, Math.floor(position));
      const [low, high] = [step, step + 1].map((each) => view.getUint16(at + 12 + 2 * each) / 65_535);
      return (low ?? 0) + ((high ?? 0) - (low ?? 0)) * (position - step);
    });
  }
  if (type !== 'para') return null;
  const kind = view.getUint16(at + 8);
  const [g = 1, a = 1, b = 0, c = 0, d = 0, e = 0, f = 0] = Array.from(
    { length: [1, 3, 4, 5, 7][kind] ?? 0 },
    (_, n) => view.getInt32(at + 12 + 4 * n) / 65_536,
  );
  if (kind === 0) return toCurve((value) => Math.pow(value, g));
  if (kind < 3)
    return toCurve((value) => (value >= -b / a ? Math.pow(a * value + b, g) : 0) + (kind === 2 ? c : 0));
  return toCurve((value) => (value >= d ? Math.pow(a * value + b, g) + e : c * value + f));
}

function toCurve(decodeValue: (value: number) => number): Float64Array {
  return Float64Array.from({ length: 256 }, (_, value) => decodeValue(value / 255));
}

function primariesToXyz([rx, ry, gx, gy, bx, by]: readonly [
  number,
  number,
  number,
  number,
  number,
  number,
]): Matrix {
  const column = (x: number, y: number) => [x / y, 1, (1 - x - y) / y] as const;
  const [r, g, b] = [column(rx, ry), column(gx, gy), column(bx, by)];
  const unscaled: Matrix = [r[0], g[0], b[0], 1, 1, 1, r[2], g[2], b[2]];
  const [wx, wy, wz] = column(0.3127, 0.329);
  const i = invert(unscaled);
  const scale = [0, 3, 6].map((row) => (i[row] ?? 0) * wx + (i[row + 1] ?? 0) * wy + (i[row + 2] ?? 0) * wz);
  return unscaled.map((value, at) => value * (scale[at % 3] ?? 0)) as unknown as Matrix;
}

function multiply(left: Matrix, right: Matrix): Matrix {
  return left.map((_, at) => {
    const [row, column] = [at - (at % 3), at % 3];
    return [0, 1, 2].reduce((sum, n) => sum + (left[row + n] ?? 0) * (right[3 * n + column] ?? 0), 0);
  }) as unknown as Matrix;
}

function invert([a, b, c, d, e, f, g, h, i]: Matrix): Matrix {
  const determinant = a * (e * i - f * h) - b * (d * i - f * g) + c * (d * h - e * g);
  return [
    e * i - f * h,
    c * h - b * i,
    b * f - c * e,
    f * g - d * i,
    a * i - c * g,
    c * d - a * f,
    d * h - e * g,
    b * g - a * h,
    a * e - b * d,
  ].map((value) => value / determinant) as unknown as Matrix;
}
