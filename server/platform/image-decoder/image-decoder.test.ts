import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import sharp from 'sharp';
import { afterAll, describe, expect, it } from 'vitest';
import type { SquareCrop } from '#shared/photos/square-crop';
import { DecodeTimeoutError, UnavailableError, UnsupportedImageError } from '../errors.ts';
import { projectRoot } from '../process/project-root.ts';
import { makeOrientedJpeg, readQuarters } from '../../testing/photos/oriented-photo.ts';
import { makePhoto } from '../../testing/photos/photos.ts';
import { startDecoderProcess, type DecoderProcess } from './decoder-process-handle.ts';
import type { Rendering, TaskContent } from './decoder-process/decoder-protocol.ts';
import { createImageDecoder, type RenderPriority } from './image-decoder.ts';

const decoder = createDecoder();
afterAll(() => decoder.close());

const heic = () => readFile(join(projectRoot, 'server/testing/fixtures/iphone.heic'));
const noise = (width: number, height: number) =>
  sharp({
    create: {
      width,
      height,
      channels: 3,
      background: 'grey',
      noise: { type: 'gaussian', mean: 128, sigma: 30 },
    },
  });
const render = async (bytes: Buffer, width: number | null = 200) => {
  const [copy] = await decoder.render(
    bytes,
    [{ format: width === null ? 'jpeg' : 'webp', width }],
    'interactive',
  );
  return copy ?? Buffer.alloc(0);
};

/** A single color compresses to almost nothing. */
const plain = (width: number, height: number) =>
  sharp({ create: { width, height, channels: 3, background: 'red' }, limitInputPixels: false });

let bombPng: Promise<Buffer> | undefined;
let largeJpeg: Promise<Buffer> | undefined;
const decompressionBomb = () => (bombPng ??= plain(20_000, 10_000).png({ compressionLevel: 1 }).toBuffer());
/** 81 megapixels: made once, as this takes seconds. */
const large = () => (largeJpeg ??= plain(9000, 9000).jpeg({ progressive: true }).toBuffer());

async function animatedGif(frames: number): Promise<Buffer> {
  const side = 32;
  const rows = Array.from({ length: frames }, (_, frame) => Buffer.alloc(side * side * 3, frame * 40));
  const raw = { width: side, height: side * frames, channels: 3 as const, pageHeight: side };
  return sharp(Buffer.concat(rows), { raw }).gif({ delay: 50 }).toBuffer();
}

describe('inspecting', () => {
  it('reads the type, upright size and capture date of an iPhone HEIC', async () => {
    expect(await decoder.inspect(await heic())).toMatchObject({
      contentType: 'image/heic',
      byteSize: 880_703,
      width: 4032,
      height: 3024,
      takenAt: '2019-03-21T11:04',
      sha256: '2d9d8493696fc0054ecb4517699fec11e04bf507f1f529f6a4f293fcefdeb35e',
    });
  });

  it('makes the tile, also of a HEIC, an animation and an image as tall as no WebP can be', async () => {
    const tall = await plain(900, 40_000).png().toBuffer();
    const sizes = [];
    for (const bytes of [await heic(), await animatedGif(5), tall]) {
      const { format, width, height, pages } = await sharp((await decoder.inspect(bytes)).tile).metadata();
      sizes.push({ format, width, height, pages });
    }
    expect(sizes).toEqual([
      { format: 'webp', width: 400, height: 300, pages: undefined },
      { format: 'webp', width: 32, height: 32, pages: undefined },
      { format: 'webp', width: 36, height: 1600, pages: undefined },
    ]);
    const copies = await decoder.render(
      tall,
      [200, 800].map((width) => ({ format: 'webp', width })),
      'background',
    );
    const copySizes = await Promise.all(copies.map((copy) => sharp(copy).metadata()));
    expect(copySizes).toMatchObject([{ height: 800 }, { height: 3200 }]);
  });

  it('makes copies of at most 6 megapixels, four times as high as asked for wide; not those for print', async () => {
    const tall = await plain(1600, 16_383).png().toBuffer();
    const renderings: Rendering[] = [
      ...[200, 400, 800, 1600].map((width) => ({ format: 'webp' as const, width })),
      { format: 'jpeg', width: 1600 },
    ];
    const sizeOf = async (copy: Buffer) => {
      const { width, height } = await sharp(copy).metadata();
      return { width, height };
    };
    // Also one by one, without the pixels that several share.
    for (const copies of [
      await decoder.render(tall, renderings, 'background'),
      await Promise.all(
        renderings.map(
          async (each) => (await decoder.render(tall, [each], 'background'))[0] ?? Buffer.alloc(0),
        ),
      ),
    ])
      expect(await Promise.all(copies.map(sizeOf))).toEqual([
        { width: 78, height: 800 },
        { width: 156, height: 1600 },
        { width: 313, height: 3200 },
        { width: 625, height: 6400 },
        { width: 625, height: 6400 },
      ]);
    const long = await plain(1600, 6000).png().toBuffer();
    const [large] = await decoder.render(long, [{ format: 'webp', width: 1600 }], 'background');
    expect(await sizeOf(large ?? Buffer.alloc(0))).toEqual({ width: 1264, height: 4740 });
    for (const rendering of [
      { format: 'jpeg' as const, width: 1600, isForPrint: true },
      { format: 'jpeg' as const, width: null },
    ]) {
      const [copy = Buffer.alloc(0)] = await decoder.render(tall, [rendering], 'background');
      expect(await sizeOf(copy)).toEqual({ width: 1600, height: 16_383 });
    }
  });

  it('reads AVIF and the first frame of a GIF', async () => {
    const avif = await noise(64, 48).avif({ effort: 0 }).toBuffer();
    expect(await decoder.inspect(avif)).toMatchObject({ contentType: 'image/avif', width: 64, height: 48 });
    const gif = await animatedGif(5);
    expect(await decoder.inspect(gif)).toMatchObject({ contentType: 'image/gif', width: 32, height: 32 });
  });

  it.each([1, 2, 3, 4, 5, 6, 7, 8])('applies EXIF orientation %s', async (orientation) => {
    const stored = await makeOrientedJpeg(orientation);
    expect(await decoder.inspect(stored)).toMatchObject({ width: 60, height: 90 });
    const { tile } = await decoder.inspect(stored);
    const both = [
      { format: 'webp' as const, width: 60 },
      { format: 'webp' as const, width: 30 },
    ];
    const copies = await decoder.render(stored, both, 'interactive');
    for (const copy of [tile, ...copies, await render(stored, 200), await render(stored, null)])
      expect(await readQuarters(copy)).toEqual(['topLeft', 'topRight', 'bottomLeft', 'bottomRight']);
  });

  it('reads the capture date in camera time and ignores invalid ones', async () => {
    const dated = (text: string) =>
      sharp({ create: { width: 8, height: 8, channels: 3, background: 'red' } })
        .withExif({ IFD2: { DateTimeOriginal: text } })
        .jpeg()
        .toBuffer();
    expect((await decoder.inspect(await dated('2024:02:29 23:59:59'))).takenAt).toBe('2024-02-29T23:59');
    expect((await decoder.inspect(await dated('0000:00:00 00:00:00'))).takenAt).toBeNull();
    expect((await decoder.inspect(await dated('2023:02:29 10:00:00'))).takenAt).toBeNull();
    expect((await decoder.inspect(await makePhoto())).takenAt).toBeNull();
  });

  it.each(['jpeg', 'png', 'webp', 'avif'] as const)('reads the capture date of a %s', async (format) => {
    const photo = await sharp({ create: { width: 8, height: 8, channels: 3, background: 'red' } })
      .withExif({ IFD2: { DateTimeOriginal: '2023:08:14 09:15:00' } })
      .toFormat(format)
      .toBuffer();
    expect((await decoder.inspect(photo)).takenAt).toBe('2023-08-14T09:15');
  });

  it('accepts trailing bytes after a valid image (Motion Photos)', async () => {
    const motion = Buffer.concat([
      await makePhoto(),
      Buffer.from('\0\0\0\x18ftypmp42'),
      Buffer.alloc(50_000, 7),
    ]);
    expect(await decoder.inspect(motion)).toMatchObject({ contentType: 'image/jpeg', width: 60, height: 90 });
  });

  it('takes a JPEG of 108 megapixels, as phones make them', async () => {
    const photo = await plain(12_000, 9_000).jpeg().toBuffer();
    expect(await decoder.inspect(photo)).toMatchObject({ width: 12_000, height: 9_000 });
  });

  it.each([
    ['a decompression bomb of 200 megapixels', decompressionBomb, /more pixels than we can take/],
    [
      'a JPEG cut off in the middle',
      async () => half(await noise(800, 600).jpeg().toBuffer()),
      /^This photo is damaged and cannot be read/,
    ],
    [
      'a PNG cut off in the middle',
      async () => half(await noise(800, 600).png().toBuffer()),
      /^This photo is damaged and cannot be read/,
    ],
    [
      'a WebP cut off in the middle',
      async () => half(await noise(800, 600).webp().toBuffer()),
      /^This photo is damaged and cannot be read/,
    ],
    ['a HEIC cut off in the middle', async () => half(await heic()), /damaged|not a photo/],
    ['a HEIC with scrambled content', async () => scramble(await heic()), /damaged|not a photo/],
    ['an SVG', () => Promise.resolve(Buffer.from('<svg onload="alert(1)"/>')), /not a photo/],
    ['a PDF', () => Promise.resolve(Buffer.from('%PDF-1.7\n%âãÏÓ\n')), /not a photo/],
    ['a TIFF', () => noise(8, 8).tiff().toBuffer(), /not a photo/],
    [
      'only the first bytes of a JPEG',
      () => Promise.resolve(Buffer.from([0xff, 0xd8, 0xff, 0xe0])),
      /damaged/,
    ],
    ['an empty file', () => Promise.resolve(Buffer.alloc(0)), /not a photo/],
  ])('rejects %s with a clear message and keeps working', async (_name, make, message) => {
    const bytes = await make();
    await expect(decoder.inspect(bytes)).rejects.toThrow(message);
    await expect(decoder.cropSquare(bytes, 400)).rejects.toThrow(message);
    expect((await decoder.inspect(await makePhoto())).width).toBe(60);
  });
});

describe('decoding only once', () => {
  const shared = countDecodes();
  afterAll(() => shared.decoder.close());
  const jpeg = () => noise(800, 600).jpeg().toBuffer();
  const png = () => noise(800, 600).png().toBuffer();
  const avif = () => noise(320, 240).avif({ effort: 0 }).toBuffer();

  // 0: the probe rejects an unreadable header before any decode.
  it.each([
    ['a JPEG cut off in the middle', async () => half(await jpeg()), 1],
    ['a JPEG with a flipped bit in its Huffman table', async () => flipHuffmanBit(await jpeg()), 0],
    ['a JPEG’s header', async () => (await jpeg()).subarray(0, 640), 1],
    ['a PNG cut off in the middle', async () => half(await png()), 1],
    ['a PNG with a flipped bit', async () => flipBit(await png(), 50_000), 1],
    ['a PNG’s header', async () => (await png()).subarray(0, 60), 0],
    ['a HEIC cut off in the middle', async () => half(await heic()), 1],
    ['a HEIC with scrambled content', async () => scramble(await heic()), 1],
    ['a HEIC’s header', async () => (await heic()).subarray(0, 5000), 1],
    ['an AVIF cut off in the middle', async () => half(await avif()), 1],
    ['an AVIF with a flipped bit', async () => flipBit(await avif(), 420), 1],
    ['an AVIF’s header', async () => (await avif()).subarray(0, 400), 1],
  ])('rejects %s after at most one decode', async (_name, make, decodes) => {
    const bytes = await make();
    await shared.decoder.inspect(await makePhoto());
    Object.assign(shared.counts, { decodes: 0, starts: 0 });
    await expect(shared.decoder.inspect(bytes)).rejects.toThrow(UnsupportedImageError);
    expect(shared.counts).toEqual({ decodes, starts: 0 });
  });

  it('restarts the process before 100 megapixels after a HEIC instead of decoding twice', async () => {
    const { decoder: counted, counts } = countDecodes(560 * 1024);
    const large = await plain(10_000, 10_000).jpeg({ progressive: true }).toBuffer();
    await counted.inspect(await heic());
    counts.decodes = 0;
    expect(await counted.inspect(large)).toMatchObject({ width: 10_000, height: 10_000 });
    expect(counts.decodes).toBe(1);
    await counted.close();
  }, 120_000);

  it('retries a valid image whose process was killed', async () => {
    const { decoder: counted, counts, endProcess } = countDecodes();
    const large = await plain(6000, 6000).jpeg({ progressive: true }).toBuffer();
    await counted.inspect(await makePhoto());
    counts.decodes = 0;
    const inspected = counted.inspect(large);
    await expect.poll(() => counts.decodes, { interval: 1 }).toBe(1);
    await endProcess();
    expect(await inspected).toMatchObject({ width: 6000, height: 6000 });
    expect(counts).toEqual({ decodes: 2, starts: 2 });
    await counted.close();
  });
});

describe('cropping to a square', () => {
  it('cuts out the wanted square to the pixel, and says what was in the middle of attention', async () => {
    const dot = {
      input: { create: { width: 10, height: 10, channels: 3 as const, background: 'black' } },
      left: 50,
      top: 20,
    };
    const photo = await sharp({ create: { width: 90, height: 60, channels: 3, background: 'white' } })
      .composite([dot])
      .png()
      .toBuffer();
    const wanted = { left: 50, top: 20, size: 10 };
    const cropped = await decoder.cropSquare(photo, 1600, wanted);
    expect(cropped).toMatchObject({ crop: wanted, width: 90, height: 60 });
    const { channels } = await sharp(cropped.square).stats();
    expect(Math.max(...channels.map(({ max }) => max))).toBeLessThan(20);
    expect((await decoder.cropSquare(photo, 1600)).crop).toMatchObject({ size: 60, top: 0 });
    await expect(decoder.cropSquare(photo, 1600, { left: 81, top: 0, size: 10 })).rejects.toThrow();
  });

  it('keeps the salient part, upright and without metadata', async () => {
    const face = await noise(120, 120).png().toBuffer();
    const wall = { create: { width: 900, height: 300, channels: 3 as const, background: 'white' } };
    const photo = await sharp(wall)
      .composite([{ input: face, left: 760, top: 90 }])
      .withMetadata({ orientation: 6 })
      .jpeg()
      .toBuffer();
    const { square, crop } = await decoder.cropSquare(photo, 1600);
    expect(crop).toMatchObject({ left: 0, size: 300 });
    const { width, height, format, exif, orientation } = await sharp(square).metadata();
    expect({ width, height, format, exif, orientation }).toEqual({
      width: 300,
      height: 300,
      format: 'webp',
      exif: undefined,
      orientation: undefined,
    });
    // Orientation 6 turns the right edge of the stored rows into the bottom.
    const { channels } = await sharp(square).stats();
    expect(channels[0]?.min).toBeLessThan(160);
  });

  it('shrinks large images of every format and never enlarges', async () => {
    const sizeOf = async (bytes: Buffer) => {
      const { width, height } = await sharp((await decoder.cropSquare(bytes, 400)).square).metadata();
      return `${width}x${height}`;
    };
    expect(await sizeOf(await heic())).toBe('400x400');
    expect(await sizeOf(await animatedGif(5))).toBe('32x32');
    expect(await sizeOf(await makePhoto({ width: 1200, height: 500, orientation: 8 }))).toBe('400x400');
  });
});

describe('rendering', () => {
  it('converts a HEIC to an upright JPEG and WebP without metadata', async () => {
    const full = await sharp(await render(await heic(), null)).metadata();
    expect(full).toMatchObject({ format: 'jpeg', width: 4032, height: 3024 });
    const small = await sharp(await render(await heic(), 400)).metadata();
    expect(small).toMatchObject({ format: 'webp', width: 400, height: 300 });
    expect([full.exif, small.exif, full.xmp, small.xmp, small.iptc]).toEqual(Array(5).fill(undefined));
  });

  it('rejects an image above the memory limit and keeps working', async () => {
    const modest = createDecoder({ startProcess: () => startDecoderProcess(280 * 1024) });
    const huge = await large();
    await expect(modest.inspect(huge)).rejects.toThrow('damaged');
    expect((await modest.inspect(await makePhoto())).width).toBe(60);
    await modest.close();
  });

  it('rejects invalid headers at once while a decode is running', async () => {
    await decoder.inspect(await makePhoto());
    const completions: string[] = [];
    const slow = decoder.inspect(await large());
    const noted = slow.then(() => completions.push('read'));
    await expect(decoder.inspect(Buffer.from('%PDF-1.7'))).rejects.toThrow('not a photo');
    completions.push('rejected');
    await noted;
    expect(completions).toEqual(['rejected', 'read']);
  });

  it('rejects concurrent invalid files for their own reasons only', async () => {
    const photo = await makePhoto({ width: 600, height: 400 });
    const damaged = photo.subarray(0, photo.length / 2);
    const tooLarge = await decompressionBomb();
    await decoder.inspect(photo);
    const rejecting = (async () => {
      for (let time = 0; time < 3; time += 1)
        await expect(decoder.inspect(damaged)).rejects.toThrow(/damaged/);
    })();
    let isRejecting = true;
    void rejecting.finally(() => (isRejecting = false));
    const looking = Array.from({ length: 8 }, async () => {
      while (isRejecting) await expect(decoder.inspect(tooLarge)).rejects.toThrow(/more pixels/);
    });
    await Promise.all([rejecting, ...looking]);
  });

  it('probes one file at a time and the accounts in turn, so that the timeout measures one file', async () => {
    const probedSizes: number[] = [];
    let pending = 0;
    let maxPending = 0;
    const observed = createImageDecoder({
      startProcess: () => {
        const started = startDecoderProcess();
        return {
          ...started,
          async ask(task) {
            probedSizes.push(task.bytes.length);
            maxPending = Math.max(maxPending, ++pending);
            const answer = await started.ask(task);
            pending--;
            return answer;
          },
        };
      },
    });
    const busy = Array.from({ length: 5 }, () => observed.inspect('busy', Buffer.alloc(100)));
    const other = observed.inspect('other', Buffer.alloc(200));
    const rejection = { status: 'rejected', reason: new UnsupportedImageError('not-a-photo') };
    expect(await Promise.allSettled([...busy, other])).toEqual(Array(6).fill(rejection));
    expect(maxPending).toBe(1);
    expect(probedSizes).toEqual([100, 100, 200, 100, 100, 100]);
    await observed.close();
  });

  it('gives a header five seconds, so that it does not hold up the other accounts', async () => {
    const timeouts: unknown[] = [];
    let isStopped = false;
    const held = createImageDecoder({
      startProcess: () => {
        const started = startDecoderProcess();
        return {
          ...started,
          ask(task, timeoutMs) {
            if (task.kind !== 'probe') return started.ask(task, timeoutMs);
            timeouts.push(timeoutMs);
            const isFirst = isStopped;
            isStopped = false;
            return started.ask(task, isFirst ? 1 : timeoutMs);
          },
        };
      },
    });
    const before = await decoderProcesses();
    // Starts only the process that probes.
    await expect(held.inspect('slow', Buffer.from('%PDF-1.7'))).rejects.toThrow('not a photo');
    const started = (await decoderProcesses()).filter((pid) => !before.includes(pid));
    expect(started).toHaveLength(1);
    for (const pid of started) process.kill(pid, 'SIGSTOP');
    const photo = await makePhoto();
    isStopped = true;
    const slow = expect(held.inspect('slow', photo)).rejects.toThrow(UnavailableError);
    expect((await held.inspect('other', photo)).width).toBe(60);
    await slow;
    expect(new Set(timeouts)).toEqual(new Set([5_000]));
    // Not the photo's fault.
    expect((await held.inspect('slow', photo)).width).toBe(60);
    await held.close();
  });

  it('does not try a second time what took too long, and keeps working', async () => {
    const slow = await large();
    let decodes = 0;
    const impatient = createDecoder({
      startProcess: () => {
        const started = startDecoderProcess();
        const isSlow = (task: TaskContent) => task.kind === 'inspect' && task.bytes.length === slow.length;
        return {
          ...started,
          ask(task) {
            if (!isSlow(task)) return started.ask(task);
            decodes += 1;
            return started.ask(task, 1);
          },
        };
      },
    });
    await impatient.inspect(await makePhoto());
    await expect(impatient.inspect(slow)).rejects.toThrow(DecodeTimeoutError);
    expect(decodes).toBe(1);
    expect((await impatient.inspect(await makePhoto())).width).toBe(60);
    await impatient.close();
  });

  it('ends its idle processes and starts them again', async () => {
    const processes: DecoderProcess[] = [];
    const startProcess = () => {
      const started = startDecoderProcess();
      processes.push(started);
      return started;
    };
    const idling = createDecoder({ startProcess, idleTimeoutMs: 20 });
    const areEnded = () => processes.every((each) => !each.isRunning());
    idling.warmUp();
    expect(areEnded()).toBe(false);
    await expect.poll(areEnded).toBe(true);
    expect((await idling.inspect(await makePhoto())).width).toBe(60);
    await expect.poll(areEnded).toBe(true);
    expect(processes).toHaveLength(4);
    await idling.close();
    idling.warmUp();
    expect(processes).toHaveLength(4);
  });

  it('is unavailable after close, instead of blaming the photo', async () => {
    const closing = createDecoder();
    const large = await plain(6000, 6000).jpeg().toBuffer();
    await closing.inspect(await makePhoto());
    const rejected = expect(
      closing.render(large, [{ format: 'webp', width: 1600 }], 'interactive'),
    ).rejects.toThrow(UnavailableError);
    await closing.close();
    await rejected;
    await expect(closing.inspect(large)).rejects.toThrow(UnavailableError);
  });
});

/** The children of this process that decode. */
async function decoderProcesses(): Promise<number[]> {
  const found: number[] = [];
  for (const pid of (await readdir('/proc')).map(Number).filter(Number.isInteger)) {
    const read = (file: string) => readFile(`/proc/${pid}/${file}`, 'utf8').catch(() => '');
    const isOurs = (await read('status')).includes(`\nPPid:\t${process.pid}\n`);
    if (isOurs && (await read('cmdline')).includes('decoder-process.js')) found.push(pid);
  }
  return found;
}

/** A decoder that serves one account. */
function createDecoder(options: Parameters<typeof createImageDecoder>[0] = {}) {
  const created = createImageDecoder(options);
  return {
    ...created,
    inspect: (bytes: Buffer) => created.inspect('owner', bytes),
    cropSquare: (bytes: Buffer, side: number, crop?: SquareCrop) =>
      created.cropSquare('owner', bytes, side, crop),
    render: (bytes: Buffer, renderings: Rendering[], priority: RenderPriority) =>
      created.render('owner', bytes, renderings, priority),
  };
}

/** A real decoder that counts the decodes and starts of its decode process. */
function countDecodes(memoryLimitKib?: number) {
  const counts = { decodes: 0, starts: 0 };
  let decodeProcess: DecoderProcess | null = null;
  const counted = createDecoder({
    startProcess: () => {
      const started = startDecoderProcess(memoryLimitKib);
      return {
        ...started,
        ask(task) {
          if (task.kind === 'probe') return started.ask(task);
          if (decodeProcess !== started) counts.starts += 1;
          decodeProcess = started;
          counts.decodes += 1;
          return started.ask(task);
        },
      };
    },
  });
  return { decoder: counted, counts, endProcess: () => decodeProcess?.end() };
}

function flipBit(bytes: Buffer, at: number): Buffer {
  const flipped = Buffer.from(bytes);
  flipped.writeUInt8(flipped.readUInt8(at) ^ 1, at);
  return flipped;
}

/** After the marker, length and class: the table's code counts. */
function flipHuffmanBit(jpeg: Buffer): Buffer {
  return flipBit(jpeg, jpeg.indexOf(Buffer.from([0xff, 0xc4])) + 5);
}

function half(bytes: Buffer): Buffer {
  return bytes.subarray(0, bytes.length / 2);
}

function scramble(bytes: Buffer): Buffer {
  return Buffer.concat([bytes.subarray(0, 5000), Buffer.alloc(bytes.length - 5000, 0xa5)]);
}
