import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { CaricatureStyle } from '#shared/album/caricature';
import { readDemoPhoto } from '../../demo/demo-photos.ts';
import { GeneratorUnavailableError } from './caricature-generator.ts';
import { colorAt, makePhoto } from '../../testing/photos/photos.ts';
import {
  createLocalCaricatureGenerator,
  startCartoonFilterWorker,
  type CartoonFilterInput,
} from './local-caricature-generator.ts';

const styles = CaricatureStyle.options;
const never = new AbortController().signal;
const generator = createLocalCaricatureGenerator();
afterAll(() => generator.close());

describe('each style', () => {
  const results = {} as Record<CaricatureStyle, Result>;
  beforeAll(async () => {
    const portrait = sharp(await readDemoPhoto('biscuit-portrait.webp'));
    const photo = await portrait.resize(720, 288).jpeg().toBuffer();
    const small = createLocalCaricatureGenerator({ side: 400 });
    for (const style of styles) results[style] = await look(await small.generate(photo, style, never));
    await small.close();
    // A second or two of CPU each.
  }, 180_000);

  it.each(styles)('returns a PNG without metadata: %s', (style) => {
    expect(results[style]).toMatchObject({ format: 'png', hasMetadata: false, width: 400, height: 160 });
  });

  it('looks different from the others', () => {
    for (const [i, one] of styles.entries())
      for (const other of styles.slice(i + 1))
        expect(differenceOf(results[one], results[other]), `${one} and ${other}`).toBeGreaterThan(15);
  });

  it('comic has few tones', () => {
    expect(shareOfMostFrequent(tonesOf(results.comic), 16)).toBeGreaterThan(0.6);
    expect(shareOfMostFrequent(tonesOf(results.watercolour), 16)).toBeLessThan(0.5);
  });

  it('pop art has four warm and four cool inks', () => {
    expect(shareOfMostFrequent(colorsOf(results['pop-art']), 7)).toBeGreaterThan(0.65);
  });

  it('pencil is gray', () => {
    const { rgb } = results.pencil;
    let most = 0;
    for (let i = 0; i < rgb.length; i += 3)
      most = Math.max(most, Math.abs(rgb[i]! - rgb[i + 1]!), Math.abs(rgb[i + 1]! - rgb[i + 2]!));
    expect(most).toBeLessThan(12);
  });

  it('watercolor has a white border', () => {
    const { rgb, width } = results.watercolour;
    expect(Math.min(...rgb.subarray(0, 3 * width))).toBeGreaterThan(225);
  });
});

describe('inputs', { timeout: 90_000 }, () => {
  const strip = { width: 400, height: 20 };
  const animation = Buffer.concat(
    [10, 200].map((level) => Buffer.alloc(strip.width * strip.height * 3, level)),
  );
  const hard: [string, () => Promise<Buffer>, { width: number; height: number }][] = [
    [
      'tiny, grey and transparent',
      () =>
        sharp({ create: { width: 64, height: 8, channels: 4, background: '#80808040' } })
          .greyscale()
          .png()
          .toBuffer(),
      { width: 1024, height: 128 },
    ],
    [
      'CMYK',
      async () =>
        sharp(await makePhoto(strip))
          .toColorspace('cmyk')
          .jpeg()
          .toBuffer(),
      { width: 1024, height: 51 },
    ],
    [
      '16-bit',
      async () =>
        sharp(await makePhoto(strip))
          .toColorspace('rgb16')
          .png()
          .toBuffer(),
      { width: 1024, height: 51 },
    ],
    [
      'animated',
      () =>
        sharp(animation, {
          raw: { ...strip, height: 2 * strip.height, channels: 3, pageHeight: strip.height },
        })
          .webp({ loop: 0, delay: [100, 100] })
          .toBuffer(),
      { width: 1024, height: 51 },
    ],
    [
      'huge',
      () =>
        sharp({ create: { width: 16_000, height: 500, channels: 3, background: 'red' } })
          .png()
          .toBuffer(),
      { width: 1024, height: 32 },
    ],
  ];
  it.each(hard)('accepts %s images', async (_name, make, size) => {
    expect(await look(await generator.generate(await make(), 'comic', never))).toMatchObject(size);
  });

  it('accepts images one pixel wide or high in every style', async () => {
    const row = await makePhoto({ width: 3000, height: 1 });
    const column = await makePhoto({ width: 1, height: 300 });
    for (const style of ['comic', 'pencil'] as const)
      expect(await look(await generator.generate(row, style, never))).toMatchObject({
        width: 1024,
        height: 1,
      });
    for (const style of ['watercolour', 'pop-art'] as const)
      expect(await look(await generator.generate(column, style, never))).toMatchObject({
        width: 3,
        height: 1024,
      });
  });

  it('applies the EXIF orientation', async () => {
    const result = await generator.generate(
      await makePhoto({ width: 20, height: 400, orientation: 6 }),
      'comic',
      never,
    );
    expect(await look(result)).toMatchObject({ width: 51, height: 1024 });
    expect(await colorAt(result, 0.5, 0.1)).toBe('red');
    expect(await colorAt(result, 0.5, 0.9)).toBe('blue');
  });

  it('rejects invalid images and too many pixels permanently', async () => {
    const rejected = { name: 'CaricatureRejectedError', reason: 'bad-input' };
    const endless = '<svg xmlns="http://www.w3.org/2000/svg" width="20000" height="20000"/>';
    for (const photo of ['<html>', endless])
      await expect(generator.generate(Buffer.from(photo), 'comic', never)).rejects.toMatchObject(rejected);
  });
});

describe('the worker thread', { timeout: 90_000 }, () => {
  const workers: Worker[] = [];
  const start = (input: CartoonFilterInput) => {
    const worker = startCartoonFilterWorker(input);
    workers.push(worker);
    return worker;
  };
  const watched = createLocalCaricatureGenerator({ startWorker: start });
  afterAll(() => watched.close());

  it('is terminated by the signal, which also ends the queued call', async () => {
    const photo = await makePhoto({ width: 800, height: 600 });
    const patience = new AbortController();
    const first = watched.generate(photo, 'watercolour', patience.signal);
    const second = watched.generate(photo, 'watercolour', patience.signal);
    await expect.poll(() => workers.length).toBe(1);
    const ended = once(workers[0]!, 'exit');
    patience.abort();
    await expect(first).rejects.toThrow(GeneratorUnavailableError);
    await expect(second).rejects.toThrow(GeneratorUnavailableError);
    await ended;
    expect(workers).toHaveLength(1);
  });

  it('runs one at a time', async () => {
    let [alive, most] = [0, 0];
    const counted = createLocalCaricatureGenerator({
      startWorker: (input) => {
        most = Math.max(most, ++alive);
        return start(input).once('exit', () => alive--);
      },
    });
    const photo = await makePhoto({ width: 300, height: 10 });
    await Promise.all([1, 2].map(() => counted.generate(photo, 'pencil', never)));
    expect({ alive, most }).toEqual({ alive: 0, most: 1 });
    await counted.close();
  });

  it.each([
    ['throws', 'throw new Error("out of paint")'],
    ['exits', 'process.exit(3)'],
    ['runs out of memory', 'const all = []; for (;;) all.push(new Array(1e6).fill({}))'],
  ])('that %s makes the call unavailable, and the next call succeeds', async (_name, program) => {
    const broken = () => new Worker(program, { eval: true, resourceLimits: { maxOldGenerationSizeMb: 32 } });
    const starts = [broken, start];
    const unlucky = createLocalCaricatureGenerator({
      startWorker: (input) => (starts.shift() ?? start)(input),
    });
    const photo = await makePhoto({ width: 300, height: 10 });
    await expect(unlucky.generate(photo, 'pencil', never)).rejects.toThrow(GeneratorUnavailableError);
    expect(await look(await unlucky.generate(photo, 'pencil', never))).toMatchObject({ format: 'png' });
    await unlucky.close();
  });

  it('is terminated by close', async () => {
    const closed = createLocalCaricatureGenerator({ startWorker: start });
    const result = closed.generate(await makePhoto({ width: 800, height: 600 }), 'watercolour', never);
    const rejected = expect(result).rejects.toThrow(GeneratorUnavailableError);
    await closed.close();
    await rejected;
  });
});

type Result = {
  format: string | undefined;
  hasMetadata: boolean;
  width: number;
  height: number;
  /** Three bytes a pixel. */
  rgb: Buffer;
};

async function look(png: Buffer): Promise<Result> {
  const { format, exif, icc, xmp } = await sharp(png).metadata();
  const { data, info } = await sharp(png).raw().toBuffer({ resolveWithObject: true });
  expect(info.channels).toBe(3);
  return {
    format,
    hasMetadata: Boolean(exif ?? icc ?? xmp),
    width: info.width,
    height: info.height,
    rgb: data,
  };
}

function differenceOf(one: Result, other: Result): number {
  const sum = one.rgb.reduce((total, value, i) => total + Math.abs(value - other.rgb[i]!), 0);
  return sum / one.rgb.length;
}

/** How light each pixel is, in steps of two. */
function tonesOf({ rgb }: Result): Uint32Array {
  return Uint32Array.from({ length: rgb.length / 3 }, (_, i) => {
    const light = 0.2126 * rgb[3 * i]! + 0.7152 * rgb[3 * i + 1]! + 0.0722 * rgb[3 * i + 2]!;
    return Math.round(light / 2);
  });
}

function colorsOf({ rgb }: Result): Uint32Array {
  return Uint32Array.from({ length: rgb.length / 3 }, (_, i) => rgb.readUIntBE(3 * i, 3));
}

function shareOfMostFrequent(values: Uint32Array, count: number): number {
  const counts = new Map<number, number>();
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1);
  const most = [...counts.values()].sort((a, b) => b - a).slice(0, count);
  return most.reduce((sum, each) => sum + each, 0) / values.length;
}
