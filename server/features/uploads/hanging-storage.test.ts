import { afterAll, afterEach, describe, expect, inject, it, vi } from 'vitest';
import { v7 as uuidv7 } from 'uuid';
import { createS3ObjectStorage } from '../../platform/object-storage/s3-object-storage.ts';
import { createTestBucket } from '../../platform/object-storage/testing/test-bucket.ts';
import { images } from '../../platform/db/schema/album/images.ts';
import { completeUpload, putPhoto } from '../../testing/data/factories.ts';
import { makePhoto } from '../../testing/photos/photos.ts';
import { startProxy, type Proxy } from '../../testing/environment/proxy.ts';
import { startTestServer } from '../../testing/test-server.ts';
import { TIMEOUT } from '../../testing/timing/timeout.ts';

const BUCKET = {
  bucket: 'photos',
  region: 'us-east-1',
  isPathStyle: true,
  credentials: { accessKeyId: 'a', secretAccessKey: 'b' },
};
const TIMEOUTS = { connectMs: 3000, responseMs: 3000, transferMs: 5000, idleMs: 3000 };
const POOL_SIZE = 10;
const UPLOADS = Array.from({ length: POOL_SIZE + 2 }, (_, index) => index);

const proxies: Proxy[] = [];
afterEach(async () => {
  for (const proxy of proxies.splice(0)) await proxy.close();
});

async function openProxy(target: { host: string; port: number }): Promise<Proxy> {
  const proxy = await startProxy(target);
  proxies.push(proxy);
  return proxy;
}

describe('the app while its object storage hangs', () => {
  it('answers other requests, and 503 to those that need the storage', async () => {
    const proxy = await openProxy({ host: '127.0.0.1', port: 1 });
    proxy.stall();
    const endpoint = `http://127.0.0.1:${proxy.port}`;
    const storage = createS3ObjectStorage({ ...BUCKET, endpoint, timeouts: TIMEOUTS });
    const server = await startTestServer({ overrides: { storage } });
    const owner = await server.signUp();
    // Each has its own share of the decoder.
    const owners = await Promise.all(UPLOADS.map(() => server.signUp()));
    const addresses = await Promise.all(
      owners.map((each) => each.post('/api/objects/upload', { size: 1000 })),
    );
    const imageId = uuidv7();
    await server.context.db.insert(images).values({
      id: imageId,
      ownerId: owner.userId,
      objectKey: 'originals/a',
      contentType: 'image/jpeg',
      byteSize: 1,
      sha256: '',
      width: 1,
      height: 1,
      placeholder: '',
      createdAt: new Date(),
    });

    const picture = owner.get(`/objects/${imageId}`);
    const completed = Promise.all(
      addresses.map(({ body }, index) =>
        completeUpload(owners[index] ?? owner, body as { uploadURL: string }),
      ),
    );
    await vi.waitUntil(() => proxy.waiting() >= POOL_SIZE, TIMEOUT);
    expect((await owner.get('/api/user')).status).toBe(200);
    expect((await owner.get('/api/memories')).status).toBe(200);
    expect((await owner.get('/api/health/ready')).body).toMatchObject({
      dependencies: { database: 'up', storage: 'down', jobs: 'up' },
    });
    expect((await completed).map(({ status }) => status)).toEqual(UPLOADS.map(() => 503));
    expect((await picture).status).toBe(503);
    expect((await picture).body).toEqual({
      message: 'Part of our service is not responding. Please try again in a moment.',
    });
    storage.close();
  });
});

const s3 = inject('s3');
describe.runIf(s3)('the app on S3 that was silent for a while', () => {
  const storages: { close(): void }[] = [];
  afterAll(() => storages.forEach((storage) => storage.close()));

  it('completes pending uploads once the storage is back', async () => {
    if (!s3) return;
    const { hostname, port } = new URL(s3.endpoint);
    const proxy = await openProxy({ host: hostname, port: Number(port) });
    const bucket = await createTestBucket(s3);
    const endpoint = `http://127.0.0.1:${proxy.port}`;
    const storage = createS3ObjectStorage({ ...bucket, endpoint, timeouts: TIMEOUTS });
    storages.push(storage);
    const server = await startTestServer({ overrides: { storage } });
    const owners = await Promise.all(UPLOADS.map(() => server.signUp()));
    const photo = await makePhoto();
    const uploads = await Promise.all(
      owners.map(async (owner) => ({ owner, uploadURL: await putPhoto(owner, photo) })),
    );
    const complete = () =>
      Promise.all(
        uploads.map(async ({ owner, uploadURL }) => (await completeUpload(owner, { uploadURL })).status),
      );

    proxy.stall();
    expect(await complete()).toEqual(UPLOADS.map(() => 503));
    proxy.resume();
    expect(await complete()).toEqual(UPLOADS.map(() => 201));
    for (const owner of owners) expect((await owner.get('/api/memories')).body).toHaveLength(1);
  });
});
