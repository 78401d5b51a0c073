import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { CaricatureStyle } from '#shared/caricature';
import { DEMO_PETS } from '../../demo/demo-pets.ts';
import { drawPicture } from '../../demo/drawing/draw-picture.ts';
import { ArtistUnavailableError } from './caricature-generator.ts';
import { colorAt, makePhoto } from '../../testing/photos.ts';
import { createLocalArtist } from './local-caricature-generator.ts';
import { startPainterThread, type Painting } from './cartoon-filter-worker-handle.ts';

const styles = CaricatureStyle.options;
const never = new AbortController().signal;
const artist = createLocalArtist();
afterAll(() => artist.close());

describe('a photo drawn in each style', () => {
  const drawn = {} as Record<CaricatureStyle, Drawn>;
  beforeAll(async () => {
    const photo = await drawPicture({ ...DEMO_PETS[0]!.portrait!, shape: 'panorama' }, 0.3);
    const small = createLocalArtist({ side: 400 });
    for (const style of styles) drawn[style] = await look(await small.draw(photo, style, never));
    await small.close();
    // Each takes a second or two of a core, and as long again while others use it.
  }, 180_000);

  it.each(styles)('is a PNG without metadata: %s', (style) => {
    expect(drawn[style]).toMatchObject({ format: 'png', hasMetadata: false, width: 400, height: 160 });
  });

  it('looks different in each', () => {
    for (const [i, one] of styles.entries())
      for (const other of styles.slice(i + 1))
        expect(differenceOf(drawn[one], drawn[other]), `${one} and ${other}`).toBeGreaterThan(15);
  });

  it('has few tones as a comic', () => {
    expect(shareOfMostFrequent(tonesOf(drawn.comic), 16)).toBeGreaterThan(0.6);
    expect(shareOfMostFrequent(tonesOf(drawn.watercolour), 16)).toBeLessThan(0.5);
  });

  it('has four inks on each side as pop art', () => {
    expect(shareOfMostFrequent(colorsOf(drawn['pop-art']), 7)).toBeGreaterThan(0.65);
  });

  it('has no color but graphite’s in pencil', () => {
    const { rgb } = drawn.pencil;
    let most = 0;
    for (let i = 0; i < rgb.length; i += 3)
      most = Math.max(most, Math.abs(rgb[i]! - rgb[i + 1]!), Math.abs(rgb[i + 1]! - rgb[i + 2]!));
    expect(most).toBeLessThan(12);
  });

  it('leaves the paper’s border white in watercolour', () => {
    const { rgb, width } = drawn.watercolour;
    expect(Math.min(...rgb.subarray(0, 3 * width))).toBeGreaterThan(225);
  });
});

describe('whatever is a picture', { timeout: 90_000 }, () => {
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
      'of 16 bits',
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
  it.each(hard)('is drawn: %s', async (_name, make, size) => {
    expect(await look(await artist.draw(await make(), 'comic', never))).toMatchObject(size);
  });

  it('is drawn in every style, however narrow', async () => {
    const row = await makePhoto({ width: 3000, height: 1 });
    const column = await makePhoto({ width: 1, height: 300 });
    for (const style of ['comic', 'pencil'] as const)
      expect(await look(await artist.draw(row, style, never))).toMatchObject({ width: 1024, height: 1 });
    for (const style of ['watercolour', 'pop-art'] as const)
      expect(await look(await artist.draw(column, style, never))).toMatchObject({ width: 3, height: 1024 });
  });

  it('is drawn upright', async () => {
    const drawing = await artist.draw(
      await makePhoto({ width: 20, height: 400, orientation: 6 }),
      'comic',
      never,
    );
    expect(await look(drawing)).toMatchObject({ width: 51, height: 1024 });
    expect(await colorAt(drawing, 0.5, 0.1)).toBe('red');
    expect(await colorAt(drawing, 0.5, 0.9)).toBe('blue');
  });

  it('is refused for good when it is none, or has too many pixels', async () => {
    const refused = { name: 'CaricatureRefusedError', reason: 'bad-input' };
    const endless = '<svg xmlns="http://www.w3.org/2000/svg" width="20000" height="20000"/>';
    for (const photo of ['<html>', endless])
      await expect(artist.draw(Buffer.from(photo), 'comic', never)).rejects.toMatchObject(refused);
  });
});

describe('a painter’s thread', { timeout: 90_000 }, () => {
  const threads: Worker[] = [];
  const start = (painting: Painting) => {
    const thread = startPainterThread(painting);
    threads.push(thread);
    return thread;
  };
  const watched = createLocalArtist({ startThread: start });
  afterAll(() => watched.close());

  it('ends with the signal, and takes the drawing that waits behind it no time', async () => {
    const photo = await makePhoto({ width: 800, height: 600 });
    const patience = new AbortController();
    const first = watched.draw(photo, 'watercolour', patience.signal);
    const second = watched.draw(photo, 'watercolour', patience.signal);
    await expect.poll(() => threads.length).toBe(1);
    const ended = once(threads[0]!, 'exit');
    patience.abort();
    await expect(first).rejects.toThrow(ArtistUnavailableError);
    await expect(second).rejects.toThrow(ArtistUnavailableError);
    await ended;
    expect(threads).toHaveLength(1);
  });

  it('is there once, however many want something drawn', async () => {
    let [alive, most] = [0, 0];
    const counted = createLocalArtist({
      startThread: (painting) => {
        most = Math.max(most, ++alive);
        return start(painting).once('exit', () => alive--);
      },
    });
    const photo = await makePhoto({ width: 300, height: 10 });
    await Promise.all([1, 2].map(() => counted.draw(photo, 'pencil', never)));
    expect({ alive, most }).toEqual({ alive: 0, most: 1 });
    await counted.close();
  });

  it.each([
    ['throws', 'throw new Error("out of paint")'],
    ['vanishes', 'process.exit(3)'],
    ['never has enough memory', 'const all = []; for (;;) all.push(new Array(1e6).fill({}))'],
  ])('that %s is an error, and the next drawing succeeds', async (_name, program) => {
    const broken = () => new Worker(program, { eval: true, resourceLimits: { maxOldGenerationSizeMb: 32 } });
    const starts = [broken, start];
    const unlucky = createLocalArtist({ startThread: (painting) => (starts.shift() ?? start)(painting) });
    const photo = await makePhoto({ width: 300, height: 10 });
    await expect(unlucky.draw(photo, 'pencil', never)).rejects.toThrow(ArtistUnavailableError);
    expect(await look(await unlucky.draw(photo, 'pencil', never))).toMatchObject({ format: 'png' });
    await unlucky.close();
  });

  it('ends with the artist', async () => {
    const closed = createLocalArtist({ startThread: start });
    const drawing = closed.draw(await makePhoto({ width: 800, height: 600 }), 'watercolour', never);
    const refused = expect(drawing).rejects.toThrow(ArtistUnavailableError);
    await closed.close();
    await refused;
  });
});

type Drawn = {
  format: string | undefined;
  hasMetadata: boolean;
  width: number;
  height: number;
  /** Three bytes a pixel. */
  rgb: Buffer;
};

async function look(png: Buffer): Promise<Drawn> {
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

function differenceOf(one: Drawn, other: Drawn): number {
  const sum = one.rgb.reduce((total, value, i) => total + Math.abs(value - other.rgb[i]!), 0);
  return sum / one.rgb.length;
}

/** How light each pixel is, in steps of two. */
function tonesOf({ rgb }: Drawn): Uint32Array {
  return Uint32Array.from({ length: rgb.length / 3 }, (_, i) => {
    const light = 0.2126 * rgb[3 * i]! + 0.7152 * rgb[3 * i + 1]! + 0.0722 * rgb[3 * i + 2]!;
    return Math.round(light / 2);
  });
}

function colorsOf({ rgb }: Drawn): Uint32Array {
  return Uint32Array.from({ length: rgb.length / 3 }, (_, i) => rgb.readUIntBE(3 * i, 3));
}

function shareOfMostFrequent(values: Uint32Array, count: number): number {
  const counts = new Map<number, number>();
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1);
  const most = [...counts.values()].sort((a, b) => b - a).slice(0, count);
  return most.reduce((sum, each) => sum + each, 0) / values.length;
}
