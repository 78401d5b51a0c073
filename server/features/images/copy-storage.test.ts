import { beforeAll, describe, expect, it } from 'vitest';
import type { StorageUsage } from '#shared/transfers/upload';
import type { TestClient } from '../../testing/clients/test-client.ts';
import { addMemory, completeUpload, deleteMemory, putPhoto } from '../../testing/data/factories.ts';
import { makePhoto } from '../../testing/photos/photos.ts';
import { startTestServer, type TestServer } from '../../testing/test-server.ts';
import { countOldCopiesJob } from './count-old-copies-job.ts';
import { ALL_VARIANTS, variantKey } from './image-variants.ts';

const LIMIT_BYTES = 200_000;
let server: TestServer;
let owner: TestClient & { userId: string };

beforeAll(async () => {
  server = await startTestServer({ env: { STORAGE_LIMIT_GB: String(LIMIT_BYTES / 1024 ** 3) } });
});

async function usageOf(client: TestClient) {
  const { usedBytes, limitBytes } = (await client.get('/api/user/storage')).body as StorageUsage;
  return { usedBytes, limitBytes };
}

function idOf({ imageUrl }: { imageUrl: string }): string {
  return imageUrl.replace('/objects/', '');
}

async function storedBytes(imageId: string): Promise<number> {
  const { storage } = server.context;
  const sizes = await Promise.all(
    ALL_VARIANTS.map((variant) => storage.sizeOf(variantKey(imageId, variant))),
  );
  return sizes.reduce<number>((sum, size) => sum + (size ?? 0), 0);
}

async function share(memoryId: string): Promise<void> {
  const { url } = (await owner.post(`/api/memories/${memoryId}/share`)).body as { url: string };
  const photo = await server.visitor().get(`${new URL(url).pathname}/photo.jpg`);
  expect(photo.status).toBe(200);
}

describe('the copies of a photo', () => {
  it('count in its account’s stored bytes: the tile, the widths and the shared one, until it is deleted', async () => {
    owner = await server.signUp();
    const photo = await makePhoto({ width: 900, height: 1200 });
    const memory = await addMemory(owner, { photo });
    const imageId = idOf(memory);
    const expected = async () => photo.length + (await storedBytes(imageId));
    const used = [(await usageOf(owner)).usedBytes];
    expect(used).toEqual([await expected()]);
    await server.drainJobs();
    used.push((await usageOf(owner)).usedBytes);
    expect(used[1]).toBe(await expected());
    await share(memory.id);
    used.push((await usageOf(owner)).usedBytes);
    expect(used[2]).toBe(await expected());
    expect(used).toEqual(used.toSorted((a, b) => a - b));
    expect(new Set(used).size).toBe(3);

    // Rendered again, a copy counts once.
    await server.context.storage.delete(variantKey(imageId, 800));
    expect((await owner.get(`${memory.imageUrl}?w=800`)).status).toBe(200);
    expect((await usageOf(owner)).usedBytes).toBe(used[2]);

    await deleteMemory(owner, memory.id);
    await owner.request('DELETE', `/api/memories/deleted/${memory.id}`);
    expect((await usageOf(owner)).usedBytes).toBe(0);
  });

  it('reject no photo for its growth, but the next one in a full album', async () => {
    owner = await server.signUp();
    const noise = await noisyPhoto();
    await addMemory(owner, { photo: noise });
    await server.drainJobs();
    expect((await usageOf(owner)).usedBytes).toBeGreaterThan(LIMIT_BYTES);
    const request = { contentType: 'image/jpeg', size: 1000 };
    expect((await owner.post('/api/objects/upload', request)).status).toBe(413);
  });

  it('of an earlier release count once the job has run, and raise the limit by as much', async () => {
    owner = await server.signUp();
    const { db } = server.context;
    const memory = await addMemory(owner, { photo: await noisyPhoto() });
    await server.drainJobs();
    const imageId = idOf(memory);
    const counted = await usageOf(owner);
    // As after the migration: nothing of the copies is counted.
    await db.execute(`update images set copy_bytes = null where id = '${imageId}'`);
    const before = await usageOf(owner);
    expect(before.usedBytes).toBe(counted.usedBytes - (await storedBytes(imageId)));
    // A copy that is made before the job runs is counted by it.
    await share(memory.id);
    expect(await usageOf(owner)).toEqual(before);

    for (let run = 0; run < 2; run++) await countOldCopiesJob.handle(server.context, {});
    const copies = await storedBytes(imageId);
    const after = await usageOf(owner);
    expect(after.usedBytes).toBe(before.usedBytes + copies);
    expect(after.limitBytes).toBe(before.limitBytes + copies);
    expect(after.usedBytes).toBeGreaterThan(before.limitBytes);
    const uploadURL = await putPhoto(owner, await makePhoto());
    expect((await completeUpload(owner, { uploadURL })).status).toBe(201);
  });
});

/** Its copies take more than `LIMIT_BYTES`, itself less. */
async function noisyPhoto(): Promise<Buffer> {
  const sharp = (await import('sharp')).default;
  const [width, height] = [1000, 1000];
  const bits = await sharp({
    create: {
      width,
      height,
      channels: 3,
      background: 'grey',
      noise: { type: 'gaussian', mean: 128, sigma: 60 },
    },
  })
    .greyscale()
    .threshold(128)
    .png({ palette: true, colours: 2 })
    .toBuffer();
  expect(bits.length).toBeLessThan(LIMIT_BYTES);
  return bits;
}
