import sharp from 'sharp';
import { beforeAll, expect, it } from 'vitest';
import { MemoryList, type Memory } from '#shared/album/memory';
import { COPY_VERSION } from '#shared/photos/image-widths';
import type { StorageUsage } from '#shared/transfers/upload';
import type { TestClient } from '../../testing/clients/test-client.ts';
import { addMemory } from '../../testing/data/factories.ts';
import { displayP3Heic } from '../../testing/photos/heif-photos.ts';
import { makePhoto } from '../../testing/photos/photos.ts';
import { startTestServer, type TestServer } from '../../testing/test-server.ts';
import { createSlowDecoder } from '../../testing/timing/slow-decoder.ts';
import { ALL_VARIANTS, variantKey } from './image-variants.ts';
import { remakeCopiesJob, remakeOutdatedCopies } from './remake-copies-job.ts';

let server: TestServer;
let owner: TestClient & { userId: string };

let slowPhoto = Buffer.alloc(0);
const decoder = createSlowDecoder((bytes) => slowPhoto.equals(bytes));

beforeAll(async () => {
  server = await startTestServer({ overrides: { startDecoderProcess: decoder.start } });
  owner = await server.signUp();
});

const idOf = ({ imageUrl }: Pick<Memory, 'imageUrl'>) => imageUrl.replace('/objects/', '');

const find = async ({ id }: Memory) =>
  MemoryList.parse((await owner.get('/api/memories')).body).find((memory) => memory.id === id);

/** As an earlier release left it: dull copies without a version in their keys. */
async function makeOutdated(id: string): Promise<void> {
  const { db, storage } = server.context;
  const red = await sharp({ create: { width: 64, height: 64, channels: 3, background: 'red' } })
    .webp()
    .toBuffer();
  for (const variant of ALL_VARIANTS) {
    await storage.delete(variantKey(id, variant));
    await storage.write(variantKey(id, variant, 1), red, 'image/webp');
  }
  await db.execute(
    `update images set copy_version = 1, is_animated = false, is_turned = false, placeholder = 'old' where id = '${id}'`,
  );
}

async function existing(id: string, version: number): Promise<string[]> {
  const { storage } = server.context;
  const names = [];
  for (const variant of ALL_VARIANTS)
    if ((await storage.sizeOf(variantKey(id, variant, version))) !== null) names.push(String(variant));
  return names;
}

it('makes the copies of an earlier release again, at new keys, and counts them', async () => {
  const memory = await addMemory(owner, { photo: await displayP3Heic() });
  const id = idOf(memory);
  await server.drainJobs();
  const usage = async () => ((await owner.get('/api/user/storage')).body as StorageUsage).usedBytes;
  const before = await usage();
  await makeOutdated(id);
  const isRed = async () => {
    const { bytes } = await owner.get(`${memory.imageUrl}?w=200`);
    const { channels } = await sharp(bytes).stats();
    return (channels[2]?.mean ?? 0) < 5;
  };
  expect(await isRed()).toBe(true);
  for (let run = 0; run < 2; run++) await remakeCopiesJob.handle(server.context, {});
  expect(await isRed()).toBe(false);
  expect(await existing(id, 1)).toEqual([]);
  expect(await existing(id, 2)).toEqual(['200', '400', '800', '1600', 'full']);
  expect(await usage()).toBe(before);
  expect(await find(memory)).toMatchObject({ placeholder: memory.placeholder });
});

it('makes them again at each later change, whichever version they have', async () => {
  const photos = await Promise.all([
    makePhoto({ format: 'png' }),
    makePhoto({ format: 'webp' }),
    makePhoto(),
  ]);
  const memories: Memory[] = [];
  for (const photo of photos) memories.push(await addMemory(owner, { photo }));
  await server.drainJobs();
  const [png = '', webp = '', jpeg = ''] = memories.map(idOf);
  await makeOutdated(png);
  const change = { to: 4, types: { 2: ['image/png'], 3: ['image/webp', 'image/png'], 4: ['image/webp'] } };
  for (let run = 0; run < 2; run++) await remakeOutdatedCopies(server.context, change);
  for (const id of [png, webp]) {
    for (const version of [1, 2, 3]) expect([version, await existing(id, version)]).toEqual([version, []]);
    expect(await existing(id, 4)).toEqual(['200', '400', '800', '1600']);
  }
  expect(await existing(jpeg, COPY_VERSION)).toEqual(['200', '400', '800', '1600']);
  for (const { imageUrl } of memories) expect((await owner.get(`${imageUrl}?w=200`)).status).toBe(200);
});

it('continues after a photo that takes too long to decode, which keeps its copies', async () => {
  const [photo = Buffer.alloc(0), otherPhoto = Buffer.alloc(0)] = await Promise.all(
    ['blue', 'green'].map((background) =>
      sharp({ create: { width: 30, height: 20, channels: 3, background } })
        .png()
        .toBuffer(),
    ),
  );
  const slow = await addMemory(owner, { photo });
  const other = await addMemory(owner, { photo: otherPhoto });
  await server.drainJobs();
  for (const memory of [slow, other]) await makeOutdated(idOf(memory));
  slowPhoto = photo;
  await remakeCopiesJob.handle(server.context, {});
  expect(await existing(idOf(slow), 1)).not.toEqual([]);
  expect(await existing(idOf(other), 1)).toEqual([]);
});

it('leaves the copies of a JPEG, which looks as before', async () => {
  const memory = await addMemory(owner);
  const id = idOf(memory);
  await server.drainJobs();
  await makeOutdated(id);
  await remakeCopiesJob.handle(server.context, {});
  expect(await existing(id, 1)).toHaveLength(ALL_VARIANTS.length);
  expect((await owner.get(`${memory.imageUrl}?w=200`)).status).toBe(200);
});

it('finds animations and orientations of earlier releases, also after it was interrupted', async () => {
  const moving = await addMemory(owner, { photo: await animated('webp') });
  const turned = await addMemory(owner, { photo: await makePhoto({ format: 'webp', orientation: 6 }) });
  await server.drainJobs();
  for (const each of [moving, turned]) await makeOutdated(idOf(each));
  const { storage } = server.context;
  const failing = {
    ...server.context,
    storage: { ...storage, delete: () => Promise.reject(new Error('The storage is gone')) },
  };
  await expect(remakeCopiesJob.handle(failing, {})).rejects.toThrow('gone');
  await remakeCopiesJob.handle(server.context, {});
  expect(await find(moving)).toMatchObject({ isAnimated: true });
  const original = await owner.get(turned.imageUrl);
  expect(original.headers.get('Content-Type')).toBe('image/jpeg');
  for (const each of [moving, turned]) expect(await existing(idOf(each), 1)).toEqual([]);
});

async function animated(format: 'webp' | 'gif'): Promise<Buffer> {
  const frames = Buffer.concat([0, 1].map((frame) => Buffer.alloc(32 * 32 * 3, 40 + frame * 100)));
  const raw = { width: 32, height: 64, channels: 3 as const, pageHeight: 32 };
  return sharp(frames, { raw })
    .toFormat(format, { loop: 0, delay: [50, 50] })
    .toBuffer();
}
