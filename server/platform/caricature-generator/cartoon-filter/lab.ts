import { clamp, makeChannel, type Channel } from './image-channel.ts';

/** A image in OKLab, where equal steps look equal: lightness 0 to 1, a from green to red, b from blue to yellow. */
export type LabImage = { lightness: Channel; a: Channel; b: Channel };

export type Rgb = readonly [red: number, green: number, blue: number];

const LINEAR = Float32Array.from({ length: 256 }, (_, byte) => {
  const c = byte / 255;
  return c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4;
});
const ENCODED = Uint8Array.from({ length: 4096 }, (_, step) => {
  const c = step / 4095;
  return Math.round(255 * (c <= 0.0031308 ? c * 12.92 : 1.055 * c ** (1 / 2.4) - 0.055));
});

/** @param rgb three bytes a pixel, sRGB */
export function toLab(rgb: Uint8Array, width: number, height: number): LabImage {
  const image = {
    lightness: makeChannel({ width, height }),
    a: makeChannel({ width, height }),
    b: makeChannel({ width, height }),
  };
  for (let i = 0; i < width * height; i++) {
    const [lightness, a, b] = labOf(rgb[3 * i]!, rgb[3 * i + 1]!, rgb[3 * i + 2]!);
    image.lightness.values[i] = lightness;
    image.a.values[i] = a;
    image.b.values[i] = b;
  }
  return image;
}

function labOf(red: number, green: number, blue: number): readonly [number, number, number] {
  const [r, g, b] = [LINEAR[red]!, LINEAR[green]!, LINEAR[blue]!];
  const l = Math.cbrt(0.4122214708 * r + 0.5363325363 * g + 0.0514459929 * b);
  const m = Math.cbrt(0.2119034982 * r + 0.6806995451 * g + 0.1073969566 * b);
  const s = Math.cbrt(0.0883024619 * r + 0.2817188376 * g + 0.6299787005 * b);
  return [
    0.2104542553 * l + 0.793617785 * m - 0.0040720468 * s,
    1.9779984951 * l - 2.428592205 * m + 0.4505937099 * s,
    0.0259040371 * l + 0.7827717662 * m - 0.808675766 * s,
  ];
}

/** Writes one sRGB pixel, clipped to the gamut. */
export function writeRgb(rgb: Uint8Array, index: number, lightness: number, a: number, b: number): void {
  const l = (lightness + 0.3963377774 * a + 0.2158037573 * b) ** 3;
  const m = (lightness - 0.1055613458 * a - 0.0638541728 * b) ** 3;
  const s = (lightness - 0.0894841775 * a - 1.291485548 * b) ** 3;
  rgb[3 * index] = encode(4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s);
  rgb[3 * index + 1] = encode(-1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s);
  rgb[3 * index + 2] = encode(-0.0041960863 * l - 0.7034186147 * m + 1.707614701 * s);
}

function encode(linear: number): number {
  return ENCODED[Math.round(clamp(linear) * 4095)]!;
}
