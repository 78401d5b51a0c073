import sharp from 'sharp';
import { beforeAll, expect, it } from 'vitest';
import type { TestClient } from '../../testing/clients/test-client.ts';
import { addMemory } from '../../testing/data/factories.ts';
import { makeDisplayP3 } from '../../testing/photos/display-p3.ts';
import { asGrid, displayP3Heic, makeAvif, withNumbers } from '../../testing/photos/heif-photos.ts';
import { startTestServer, type TestServer } from '../../testing/test-server.ts';
import { ALL_VARIANTS, variantKey } from './image-variants.ts';

let server: TestServer;
let owner: TestClient;

beforeAll(async () => {
  server = await startTestServer();
  owner = await server.signUp();
});

type Color = [number, number, number];
const COLORS: Color[] = [
  [200, 120, 80],
  [90, 170, 80],
  [128, 128, 128],
];
/** What sRGB has for them. */
const CONVERTED: Color[] = [
  [213, 115, 70],
  [52, 172, 66],
  [128, 128, 128],
];
const DISPLAY_P3 = { primaries: 12, transfer: 13 };
const columns = [1 / 6, 3 / 6, 5 / 6].map((x): [number, number] => [x, 0.5]);
/** Of the HEIC. */
const quarters: [number, number][] = [
  [0.25, 0.2],
  [0.75, 0.2],
  [0.75, 0.75],
];
/** In the tile at the bottom left. */
const quartersOfTile = quarters.map(([x, y]): [number, number] => [x / 2, 0.5 + y / 2]);

it.each<[string, () => Promise<Buffer>, [number, number][]]>([
  ['JPEG', () => makeDisplayP3('jpeg', COLORS), columns],
  ['PNG', () => makeDisplayP3('png', COLORS), columns],
  ['WebP', () => makeDisplayP3('webp', COLORS), columns],
  ['AVIF', () => makeDisplayP3('avif', COLORS), columns],
  ['AVIF with numbers', () => makeAvif(COLORS, DISPLAY_P3), columns],
  ['HEIC', displayP3Heic, quarters],
  ['HEIC with numbers', async () => withNumbers(await displayP3Heic(), DISPLAY_P3), quarters],
  ['HEIC of tiles', async () => asGrid(await displayP3Heic()), quartersOfTile],
])('all copies of a %s in Display P3 have its colors', async (_name, make, places) => {
  const { id, imageUrl } = await addMemory(owner, { photo: await make() });
  await server.drainJobs();
  // The copies for emails and messengers are made when they are asked for.
  const { url } = (await owner.post(`/api/memories/${id}/share`)).body as { url: string };
  for (const name of ['photo.jpg', 'preview.jpg'])
    expect((await server.visitor().get(`${new URL(url).pathname}/${name}`)).status).toBe(200);
  const found: string[] = [];
  for (const variant of ALL_VARIANTS) {
    const copy = await server.context.storage.read(variantKey(imageUrl.replace('/objects/', ''), variant));
    if (!copy) continue;
    found.push(String(variant));
    const colors = await colorsAt(copy, places);
    for (const [index, color] of colors.entries())
      for (const [channel, value] of color.entries()) {
        const message = `${variant}: ${String(color)} is not ${String(CONVERTED[index])}`;
        expect(Math.abs(value - (CONVERTED[index]?.[channel] ?? -9)), message).toBeLessThanOrEqual(3);
      }
  }
  expect(found).toEqual(expect.arrayContaining(['200', '400', '800', '1600', 'shared', 'preview']));
});

async function colorsAt(copy: Buffer, places: [number, number][]): Promise<Color[]> {
  const { data, info } = await sharp(copy).removeAlpha().raw().toBuffer({ resolveWithObject: true });
  return places.map(([x, y]) => {
    const at = (Math.floor(y * info.height) * info.width + Math.floor(x * info.width)) * info.channels;
    return [data[at] ?? 0, data[at + 1] ?? 0, data[at + 2] ?? 0];
  });
}
