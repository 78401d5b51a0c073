import { crc32 } from 'node:zlib';
import sharp, { type JpegOptions } from 'sharp';
import { describe, expect, it } from 'vitest';
import { makeAvifSequence } from '../../../testing/photos/avif-sequence.ts';
import {
  asGrid,
  displayP3Heic,
  makeAvif,
  withBrands,
  withNumbers,
} from '../../../testing/photos/heif-photos.ts';
import { makePhoto } from '../../../testing/photos/photos.ts';
import { inspectImage, renderImage } from './decode-image.ts';

type Color = [number, number, number];

async function colorsOf(bytes: Buffer, positions: [x: number, y: number][]): Promise<Color[][]> {
  const [small, full] = await renderImage(bytes, [
    { format: 'webp', width: 800, quality: 100 },
    { format: 'jpeg', width: null, quality: 100 },
  ]);
  const { tile } = await inspectImage(bytes);
  return Promise.all(
    [small, full, tile].map(async (copy) => {
      const { data, info } = await sharp(copy).removeAlpha().raw().toBuffer({ resolveWithObject: true });
      return positions.map(([x, y]): Color => {
        const at = (y * info.width + x) * 3;
        return [data[at] ?? 0, data[at + 1] ?? 0, data[at + 2] ?? 0];
      });
    }),
  );
}

function expectNear(actual: Color[], expected: Color[], tolerance: number): void {
  for (const [index, color] of expected.entries())
    for (const [channel, value] of color.entries())
      expect(
        Math.abs((actual[index]?.[channel] ?? -1) - value),
        `${String(actual[index])} is not ${String(color)}`,
      ).toBeLessThanOrEqual(tolerance);
}

const QUARTERS: [number, number][] = [
  [16, 10],
  [48, 10],
  [48, 48],
];
const P3: Color[] = [
  [213, 115, 70],
  [52, 172, 66],
  [128, 128, 128],
];
const SAME: Color[] = [
  [200, 120, 80],
  [90, 170, 80],
  [128, 128, 128],
];

describe('colors of a HEIC', () => {
  it('are converted from its ICC profile', async () => {
    for (const copy of await colorsOf(await displayP3Heic(), QUARTERS)) expectNear(copy, P3, 3);
  });

  it.each([
    ['Display P3', { primaries: 12, transfer: 13 }, P3],
    ['Display P3 with the curve of BT.709', { primaries: 12, transfer: 1 }, P3],
    ['sRGB', { primaries: 1, transfer: 13 }, SAME],
    ['unspecified colors', { primaries: 2, transfer: 2 }, SAME],
  ])('are converted from the numbers of %s', async (_name, numbers, expected) => {
    const heic = withNumbers(await displayP3Heic(), numbers);
    for (const copy of await colorsOf(heic, QUARTERS)) expectNear(copy, expected, 3);
  });

  it('are converted as its tiles say, if the grid of them has no colors', async () => {
    const grid = asGrid(await displayP3Heic());
    const numbered = asGrid(withNumbers(await displayP3Heic(), { primaries: 12, transfer: 13 }));
    for (const heic of [grid, numbered])
      for (const copy of await colorsOf(heic, [...QUARTERS, [112, 10], [48, 112]]))
        expectNear(copy, [...P3, P3[1] ?? [0, 0, 0], P3[2] ?? [0, 0, 0]], 3);
  });

  // The expected values are those that Chromium 156 draws of the same pixels in an AVIF.
  it.each<[string, { primaries: number; transfer: number }, Color[]]>([
    [
      'BT.2020',
      { primaries: 9, transfer: 14 },
      [
        [236, 105, 70],
        [0, 177, 62],
        [128, 128, 128],
      ],
    ],
    [
      'PQ',
      { primaries: 9, transfer: 16 },
      [
        [255, 0, 0],
        [0, 241, 0],
        [132, 132, 132],
      ],
    ],
    [
      'HLG',
      { primaries: 9, transfer: 18 },
      [
        [230, 76, 55],
        [0, 153, 48],
        [99, 99, 99],
      ],
    ],
    [
      'HLG with Display P3 primaries',
      { primaries: 12, transfer: 18 },
      [
        [204, 91, 56],
        [37, 148, 53],
        [99, 99, 99],
      ],
    ],
  ])('are shown as browsers show %s', async (_name, numbers, expected) => {
    for (const heic of [
      withNumbers(await displayP3Heic(), numbers),
      asGrid(withNumbers(await displayP3Heic(), numbers)),
    ])
      for (const copy of await colorsOf(heic, QUARTERS)) expectNear(copy, expected, 4);
  });

  it('are those of sRGB if its profile is damaged', async () => {
    const heic = await displayP3Heic();
    heic.fill(0, heic.indexOf('acsp'), heic.indexOf('acsp') + 300);
    for (const copy of await colorsOf(heic, QUARTERS)) expectNear(copy, SAME, 3);
  });
});

// The expected values are those that Chromium 140 draws.
describe('colors of an AVIF without an ICC profile', () => {
  const patches: Color[] = [
    [128, 38, 38],
    [38, 128, 38],
    [128, 90, 51],
    [128, 128, 128],
  ];
  const centers = patches.map((_, index): [number, number] => [32 + 64 * index, 32]);

  it.each<[string, { primaries: number; transfer: number }, Color[]]>([
    ['sRGB', { primaries: 1, transfer: 13 }, patches],
    [
      'Display P3',
      { primaries: 12, transfer: 13 },
      [
        [139, 27, 33],
        [0, 130, 13],
        [135, 88, 43],
        [128, 128, 128],
      ],
    ],
    [
      'BT.2020',
      { primaries: 9, transfer: 14 },
      [
        [159, 0, 34],
        [0, 135, 0],
        [148, 84, 42],
        [128, 128, 128],
      ],
    ],
    [
      'linear light',
      { primaries: 1, transfer: 8 },
      [
        [188, 108, 108],
        [108, 188, 108],
        [188, 160, 124],
        [188, 188, 188],
      ],
    ],
    [
      'BT.601',
      { primaries: 5, transfer: 6 },
      [
        [130, 38, 38],
        [27, 128, 41],
        [129, 90, 52],
        [128, 128, 128],
      ],
    ],
  ])('are converted from %s', async (_name, numbers, expected) => {
    for (const copy of await colorsOf(await makeAvif(patches, numbers), centers))
      expectNear(copy, expected, 3);
  });

  // Gray ramps: PQ and HLG differ from Chromium by less than 15 % of the mean luminance.
  const ramp = [16, 64, 96, 128, 148, 160, 192, 224, 255];
  it.each([
    ['PQ', { primaries: 9, transfer: 16 }, [1, 30, 70, 132, 187, 213, 255, 255, 255]],
    ['PQ with BT.709 primaries', { primaries: 1, transfer: 16 }, [1, 30, 70, 132, 187, 213, 255, 255, 255]],
    ['HLG', { primaries: 9, transfer: 18 }, [3, 43, 71, 99, 120, 135, 189, 228, 255]],
    [
      'HLG with Display P3 primaries',
      { primaries: 12, transfer: 18 },
      [3, 43, 71, 99, 120, 135, 189, 228, 255],
    ],
  ])('are shown about as bright as browsers show %s', async (_name, numbers, expected) => {
    const avif = await makeAvif(
      ramp.map((value): Color => [value, value, value]),
      numbers,
    );
    const positions = ramp.map((_, index): [number, number] => [32 + 64 * index, 32]);
    const mean = (values: number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;
    const [copy = []] = await colorsOf(avif, positions);
    const values = copy.map(([red]) => red);
    expect(mean(values) / mean(expected)).toBeGreaterThan(0.95);
    expect(mean(values) / mean(expected)).toBeLessThan(1.05);
    expectNear(
      copy,
      expected.map((value): Color => [value, value, value]),
      8,
    );
  });
});

describe('an HEIF file with a general brand', () => {
  const avif = () => makeAvif([[200, 120, 80]], { primaries: 1, transfer: 13 });

  it.each<[string, () => Promise<Buffer>, string]>([
    ['mif1 before avif', async () => withBrands(await avif(), ['mif1', 'avif', 'miaf']), 'image/avif'],
    ['miaf before avif', async () => withBrands(await avif(), ['miaf', 'mif1', 'avif']), 'image/avif'],
    [
      'mif1 before heic',
      async () => withBrands(await displayP3Heic(), ['mif1', 'miaf', 'heic']),
      'image/heic',
    ],
    [
      'miaf before heic',
      async () => withBrands(await displayP3Heic(), ['miaf', 'mif1', 'heic']),
      'image/heic',
    ],
    [
      'mif1 before heix',
      async () => withBrands(await displayP3Heic(), ['mif1', 'heix', 'miaf']),
      'image/heic',
    ],
  ])('is known by the others: %s', async (_name, make, contentType) => {
    const { image } = await inspectImage(await make());
    expect(image).toMatchObject({ contentType, width: 64, height: 64 });
  });
});

it.each(['avis', 'msf1hevc'])('a sequence of frames without a still image is a video: %s', async (brands) => {
  const sequence = Buffer.concat([
    box('ftyp', `${brands.slice(0, 4)}\0\0\0\0${brands}`),
    box('moov', ''),
    box('mdat', ''),
  ]);
  await expect(inspectImage(sequence)).rejects.toMatchObject({ reason: 'video' });
});

describe('a JPEG without its end marker', () => {
  const photo = (options: JpegOptions = {}, channels: 1 | 3 = 3) =>
    sharp({
      create: {
        width: 320,
        height: 240,
        channels: 3,
        background: 'grey',
        noise: { type: 'gaussian', mean: 128, sigma: 40 },
      },
    })
      .toColorspace(channels === 1 ? 'b-w' : 'srgb')
      .jpeg(options)
      .toBuffer();
  const withoutEnd = (jpeg: Buffer) => jpeg.subarray(0, jpeg.length - 2);
  const kinds: [string, () => Promise<Buffer>][] = [
    ['baseline', () => photo()],
    ['progressive', () => photo({ progressive: true })],
    ['grayscale', () => photo({}, 1)],
    [
      'with full chroma and its own Huffman tables',
      () => photo({ chromaSubsampling: '4:4:4', optimizeCoding: true }),
    ],
  ];

  it.each(kinds)('is a photo if all rows are there: %s', async (_name, make) => {
    const whole = await make();
    const { image } = await inspectImage(withoutEnd(whole));
    expect(image).toMatchObject({ width: 320, height: 240 });
    const rendering = { format: 'jpeg' as const, width: null };
    expect(await renderImage(withoutEnd(whole), [rendering])).toEqual(await renderImage(whole, [rendering]));
  });

  it.each(kinds)('is damaged if rows or scans are missing: %s', async (_name, make) => {
    const whole = await make();
    for (const share of [0.3, 0.5, 0.9, 0.99])
      await expect(inspectImage(whole.subarray(0, Math.floor(whole.length * share)))).rejects.toThrow(
        'damaged',
      );
  });

  it('is damaged if it is cut between two scans', async () => {
    const whole = await photo({ progressive: true });
    const scans = [];
    for (
      let at = whole.indexOf('\xff\xda', 0, 'latin1');
      at !== -1;
      at = whole.indexOf('\xff\xda', at + 1, 'latin1')
    )
      scans.push(at);
    expect(scans.length).toBeGreaterThan(3);
    for (const at of scans.slice(1))
      await expect(
        inspectImage(whole.subarray(0, whole.lastIndexOf('\xff\xc4', at, 'latin1'))),
      ).rejects.toThrow('damaged');
  });
});

describe('animations and orientations', () => {
  const frames = (count: number) => {
    const rows = Buffer.concat(
      Array.from({ length: count }, (_, frame) => Buffer.alloc(32 * 32 * 3, 40 + frame * 50)),
    );
    return sharp(rows, { raw: { width: 32, height: 32 * count, channels: 3, pageHeight: 32 } });
  };
  const moving = (format: 'webp' | 'gif', count: number) =>
    frames(count)
      .toFormat(format, { loop: 0, delay: Array<number>(count).fill(50) })
      .toBuffer();
  /** An animated PNG has its number of frames before its pixels. */
  const apng = async (count: number) => {
    const png = await frames(1).png().toBuffer();
    const chunk = Buffer.alloc(20);
    chunk.writeUInt32BE(8, 0);
    chunk.write('acTL', 4, 'latin1');
    chunk.writeUInt32BE(count, 8);
    chunk.writeUInt32BE(crc32(chunk.subarray(4, 16)), 16);
    return Buffer.concat([png.subarray(0, 33), chunk, png.subarray(33)]);
  };
  const avif = () => makeAvif([[200, 120, 80]], { primaries: 1, transfer: 13 });
  const sequence = (count: number) =>
    makeAvifSequence(Array.from({ length: count }, (_, frame): Color => [40 + 90 * frame, 60, 200]));
  const turned = (format: 'webp' | 'png', orientation: number) =>
    frames(1).withMetadata({ orientation }).toFormat(format).toBuffer();

  it.each<[string, () => Promise<Buffer>, { isAnimated: boolean; isTurned: boolean }]>([
    ['a GIF', () => moving('gif', 3), { isAnimated: true, isTurned: false }],
    ['a GIF of one frame', () => moving('gif', 1), { isAnimated: false, isTurned: false }],
    ['a WebP', () => moving('webp', 3), { isAnimated: true, isTurned: false }],
    ['a WebP of one frame', () => moving('webp', 1), { isAnimated: false, isTurned: false }],
    ['an APNG', () => apng(2), { isAnimated: true, isTurned: false }],
    ['an APNG of one frame', () => apng(1), { isAnimated: false, isTurned: false }],
    ['an AVIF sequence', () => sequence(2), { isAnimated: true, isTurned: false }],
    ['an AVIF', avif, { isAnimated: false, isTurned: false }],
    ['a turned WebP', () => turned('webp', 6), { isAnimated: false, isTurned: true }],
    ['a mirrored WebP', () => turned('webp', 2), { isAnimated: false, isTurned: true }],
    ['a turned PNG', () => turned('png', 8), { isAnimated: false, isTurned: true }],
    [
      'a turned JPEG, which browsers show upright',
      () => makePhoto({ orientation: 6 }),
      { isAnimated: false, isTurned: false },
    ],
    ['an upright WebP', () => turned('webp', 1), { isAnimated: false, isTurned: false }],
  ])('are known of %s', async (_name, make, expected) => {
    const bytes = await make();
    expect((await inspectImage(bytes)).image).toMatchObject(expected);
  });
});

function box(type: string, content: string): Buffer {
  const size = Buffer.alloc(4);
  size.writeUInt32BE(8 + content.length);
  return Buffer.concat([size, Buffer.from(type + content, 'latin1')]);
}
