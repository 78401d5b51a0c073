import sharp from 'sharp';

type Color = [number, number, number];

/** The four quarters of an image: every rotation and mirroring of it looks different. */
const QUARTERS = {
  topLeft: [200, 30, 30],
  topRight: [30, 170, 30],
  bottomLeft: [30, 30, 200],
  bottomRight: [220, 200, 40],
} as const satisfies Record<string, Color>;

const WIDTH = 60;
const HEIGHT = 90;

/** Where each pixel of the upright image lies in the file, by EXIF orientation. */
const STORED: Record<number, (x: number, y: number) => [number, number]> = {
  1: (x, y) => [x, y],
  2: (x, y) => [WIDTH - 1 - x, y],
  3: (x, y) => [WIDTH - 1 - x, HEIGHT - 1 - y],
  4: (x, y) => [x, HEIGHT - 1 - y],
  5: (x, y) => [y, x],
  6: (x, y) => [y, WIDTH - 1 - x],
  7: (x, y) => [HEIGHT - 1 - y, WIDTH - 1 - x],
  8: (x, y) => [HEIGHT - 1 - y, x],
};

/** Upright it is 60 x 90 pixels with QUARTERS; the file holds it rotated as the orientation says. */
export async function makeOrientedJpeg(orientation: number): Promise<Buffer> {
  const isTurned = orientation > 4;
  const [width, height] = isTurned ? [HEIGHT, WIDTH] : [WIDTH, HEIGHT];
  const pixels = Buffer.alloc(width * height * 3);
  for (let y = 0; y < HEIGHT; y += 1) {
    for (let x = 0; x < WIDTH; x += 1) {
      const [column, row] = STORED[orientation]?.(x, y) ?? [x, y];
      pixels.set(quarterAt(x, y), (row * width + column) * 3);
    }
  }
  return sharp(pixels, { raw: { width, height, channels: 3 } })
    .withMetadata({ orientation })
    .jpeg({ quality: 95 })
    .toBuffer();
}

function quarterAt(x: number, y: number): Color {
  const [isRight, isBelow] = [x >= WIDTH / 2, y >= HEIGHT / 2];
  if (isBelow) return [...(isRight ? QUARTERS.bottomRight : QUARTERS.bottomLeft)];
  return [...(isRight ? QUARTERS.topRight : QUARTERS.topLeft)];
}

/** Names the quarters of an image by the color in the middle of each, row by row. */
export async function readQuarters(image: Buffer): Promise<(string | undefined)[]> {
  const { data, info } = await sharp(image).removeAlpha().raw().toBuffer({ resolveWithObject: true });
  return [
    [0.25, 0.25],
    [0.75, 0.25],
    [0.25, 0.75],
    [0.75, 0.75],
  ].map(([x = 0, y = 0]) => {
    const offset = (Math.floor(y * info.height) * info.width + Math.floor(x * info.width)) * info.channels;
    const isNear = (color: Color) =>
      color.every((value, index) => Math.abs(value - (data[offset + index] ?? 0)) < 40);
    return Object.entries(QUARTERS).find(([, color]) => isNear(color))?.[0];
  });
}
