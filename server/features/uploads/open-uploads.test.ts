import { once } from 'node:events';
import { readdir } from 'node:fs/promises';
import { request, type IncomingMessage } from 'node:http';
import { join } from 'node:path';
import { beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import { MAX_UPLOAD_BYTES } from '#shared/transfers/upload';
import { completeUpload, putPhoto } from '../../testing/data/factories.ts';
import { copyOfPhoto, makePhoto } from '../../testing/photos/photos.ts';
import type { TestClient, TestResponse } from '../../testing/clients/test-client.ts';
import { startTestServer, type TestServer } from '../../testing/test-server.ts';
import { purgeUploadsJob } from './purge-uploads-job.ts';
import { findUpload, markUploadUsed } from './upload-queries.ts';
import { countOpenUploads, markUploadRejected } from '../storage/open-upload-queries.ts';

const MINUTE_MS = 60 * 1000;

let server: TestServer;
let now = new Date('2026-06-01T12:00:00Z');

beforeAll(async () => {
  server = await startTestServer({
    env: { STORAGE_LIMIT_GB: String((15 * MAX_UPLOAD_BYTES) / 1024 ** 3), UPLOADS_PER_MINUTE: '1000' },
    overrides: { clock: { now: () => now } },
  });
});

const pass = (minutes: number) => (now = new Date(now.getTime() + minutes * MINUTE_MS));
const ask = (client: TestClient, size = 1000): Promise<TestResponse> =>
  client.post('/api/objects/upload', { contentType: 'image/jpeg', size });
const askTimes = (client: TestClient, count: number, size?: number) =>
  Promise.all(Array.from({ length: count }, () => ask(client, size)));
const idOf = (url: string) => server.context.storage.uploadIdOf(url) ?? '';
const countOpen = async ({ userId }: { userId: string }) =>
  (await countOpenUploads(server.context.db, userId)).count;
const ok = (count: number) => Array<number>(count).fill(200);
const put = (client: TestClient, uploadURL: string, body: Buffer) => {
  const { pathname, search } = new URL(uploadURL);
  return client.request('PUT', pathname + search, { body, headers: { 'Content-Type': 'image/jpeg' } });
};
/** Without a Content-Length. */
const putInChunks = async (uploadURL: string, body: Buffer): Promise<{ status: number | undefined }> => {
  const headers = { 'Content-Type': 'image/jpeg', 'Transfer-Encoding': 'chunked' };
  const sending = request(new URL(new URL(uploadURL).pathname + new URL(uploadURL).search, server.origin), {
    method: 'PUT',
    headers,
  });
  const responded = once(sending, 'response') as Promise<[IncomingMessage]>;
  sending.end(body);
  const [response] = await responded;
  response.resume();
  return { status: response.statusCode };
};
const statuses = (answers: TestResponse[]) => answers.map(({ status }) => status).toSorted();

async function purge(): Promise<void> {
  const { db, jobs } = server.context;
  await db.transaction((tx) => jobs.enqueue(tx, purgeUploadsJob, {}));
  await server.drainJobs();
}

describe('open uploads', () => {
  it('without a body or a size reserve the largest photo', async () => {
    const owner = await server.signUp();
    const photo = await makePhoto();
    const usedBytes = async () =>
      ((await owner.get('/api/user/storage')).body as { usedBytes: number }).usedBytes;
    const asked = await owner.request('POST', '/api/objects/upload');
    expect([asked.status, await usedBytes()]).toEqual([200, MAX_UPLOAD_BYTES]);
    const { uploadURL } = asked.body as { uploadURL: string };
    expect((await put(owner, uploadURL, photo)).status).toBe(200);
    expect((await completeUpload(owner, { uploadURL })).status).toBe(201);
    expect(await usedBytes()).toBeLessThan(MAX_UPLOAD_BYTES);
    expect((await owner.post('/api/objects/upload', { contentType: 'image/jpeg' })).status).toBe(200);
  });

  it('without a size are rejected where photos go to a bucket, which takes any size', async () => {
    const bucket = { OBJECT_STORAGE: 's3', S3_BUCKET: 'photos', S3_ENDPOINT: 'http://127.0.0.1:1' };
    const elsewhere = await startTestServer({
      env: { ...bucket, S3_ACCESS_KEY_ID: 'a', S3_SECRET_ACCESS_KEY: 'b' },
    });
    const owner = await elsewhere.signUp();
    const rejected = await owner.request('POST', '/api/objects/upload');
    expect([rejected.status, rejected.body]).toEqual([
      422,
      expect.objectContaining({ fields: { size: 'Please send the size of the photo in bytes' } }),
    ]);
    expect((await ask(owner)).status).toBe(200);
  });

  it('count against the storage of the account, also when requested at the same moment', async () => {
    const owner = await server.signUp();
    expect(statuses(await askTimes(owner, 18, MAX_UPLOAD_BYTES))).toEqual([
      ...Array<number>(15).fill(200),
      ...Array<number>(3).fill(413),
    ]);
    expect((await ask(await server.signUp(), MAX_UPLOAD_BYTES)).status).toBe(200);
  });

  it('leave room for the photo that they reserved it for', async () => {
    const photo = await makePhoto();
    const small = await startTestServer({ env: { STORAGE_LIMIT_GB: String(photo.length / 1024 ** 3) } });
    const owner = await small.signUp();
    expect((await completeUpload(owner, { uploadURL: await putPhoto(owner, photo) })).status).toBe(201);
    expect((await ask(owner, 1)).status).toBe(413);
  });

  it('are at most 20 per account: a further one replaces the oldest that nothing was sent to', async () => {
    const owner = await server.signUp();
    const other = await server.signUp();
    const photo = await makePhoto();
    const sent = await putPhoto(owner, photo);
    const [first] = await askTimes(owner, 1, photo.length);
    const kept = await putPhoto(other, photo);
    pass(1);
    // Also when they are requested at the same moment.
    expect(statuses(await askTimes(owner, 25))).toEqual(ok(25));
    expect(await countOpen(owner)).toBe(20);

    const { uploadURL } = first?.body as { uploadURL: string };
    expect((await put(owner, uploadURL, photo)).status).toBe(409);
    expect((await completeUpload(owner, { uploadURL })).status).toBe(404);
    expect((await completeUpload(owner, { uploadURL: sent })).status).toBe(201);
    expect((await completeUpload(other, { uploadURL: kept })).status).toBe(201);
  });

  it('are replaced by the next request for the same photo, but not those that became a memory', async () => {
    const client = await server.signUp();
    const replace = (replaces: string, by: TestClient = client) =>
      by.post('/api/objects/upload', { size: 1000, replaces });
    const { body: first } = await ask(client);
    const { uploadURL } = first as { uploadURL: string };
    expect((await replace(uploadURL, await server.signUp())).status).toBe(200);
    expect(await countOpen(client)).toBe(1);
    for (const address of [uploadURL, uploadURL, 'nonsense', ''])
      expect((await replace(address)).status).toBe(200);
    // Those without an earlier one stay.
    expect(await countOpen(client)).toBe(4);
    const photo = await makePhoto();
    const stored = await putPhoto(client, photo);
    expect((await completeUpload(client, { uploadURL: stored })).status).toBe(201);
    expect((await replace(stored)).status).toBe(200);
    expect((await completeUpload(client, { uploadURL: stored })).status).toBe(201);
  });

  it('are replaced after a PUT that was cut off, too', async () => {
    const owner = await server.signUp();
    for (const { body } of await askTimes(owner, 20)) {
      pass(0.1);
      const { uploadURL } = body as { uploadURL: string };
      // As one that ends early.
      expect((await putInChunks(uploadURL, Buffer.alloc(999))).status).toBe(400);
    }
    expect((await ask(owner)).status).toBe(200);
    expect(await countOpen(owner)).toBe(20);
  });

  it('in a bucket are not replaced while their URL works, since it would store what is sent there', async () => {
    const owner = await server.signUp();
    await askTimes(owner, 20);
    const { storage } = server.context;
    const { receiver } = storage;
    onTestFinished(() => void (storage.receiver = receiver));
    storage.receiver = null;
    pass(15);
    const rejected = await ask(owner);
    expect([rejected.status, rejected.headers.get('Retry-After')]).toEqual([429, String(16 * 60)]);
    pass(1.1);
    expect((await ask(owner)).status).toBe(200);
  });

  it('are not replaced while their bytes arrive', async () => {
    const owner = await server.signUp();
    const photo = await makePhoto();
    const [first] = await askTimes(owner, 1, photo.length);
    const { uploadURL } = first?.body as { uploadURL: string };
    pass(14);
    const { hostname, port } = new URL(server.origin);
    const { pathname, search } = new URL(uploadURL);
    const headers = { 'Content-Type': 'image/jpeg', 'Content-Length': photo.length };
    const sending = request({ hostname, port, path: pathname + search, method: 'PUT', headers });
    const responded = once(sending, 'response') as Promise<[IncomingMessage]>;
    sending.write(photo.subarray(0, 100));
    const isUsed = async () =>
      (await findUpload(server.context.db, owner.userId, idOf(uploadURL)))?.lastUsedAt;
    await expect.poll(isUsed).toEqual(now);
    pass(3);
    expect(statuses(await askTimes(owner, 25))).toEqual(ok(25));
    sending.end(photo.subarray(100));
    expect((await responded)[0].statusCode).toBe(200);
    expect((await completeUpload(owner, { uploadURL })).status).toBe(201);
  });

  it('take no bytes once they are rejected', async () => {
    const owner = await server.signUp();
    const photo = await makePhoto();
    const { uploadURL } = (await ask(owner, photo.length)).body as { uploadURL: string };
    await markUploadRejected(server.context.db, owner.userId, idOf(uploadURL), 'expired');
    const late = await put(owner, uploadURL, photo);
    expect([late.status, late.body]).toEqual([
      409,
      { message: 'This upload was given up. Please add the photo again.', code: 'conflict' },
    ]);
    expect(await server.context.storage.isUploaded(idOf(uploadURL))).toBe(false);
  });

  it('of an earlier release, which have no time of use, are stored and completed', async () => {
    const owner = await server.signUp();
    const { db } = server.context;
    const photo = await makePhoto();
    const { uploadURL } = (await ask(owner, photo.length)).body as { uploadURL: string };
    await db.execute(
      `update uploads set last_used_at = null, byte_size = null where id = '${idOf(uploadURL)}'`,
    );
    expect((await put(owner, uploadURL, photo)).status).toBe(200);
    expect((await completeUpload(owner, { uploadURL })).status).toBe(201);
    const again = await put(owner, uploadURL, photo);
    expect([again.status, again.body]).toEqual([
      409,
      { message: 'This upload is already completed.', code: 'conflict' },
    ]);
  });

  it('are not replaced when they are used while the storage is asked for them', async () => {
    const owner = await server.signUp();
    const { db, storage } = server.context;
    await askTimes(owner, 20);
    pass(20);
    const isUploaded = vi.spyOn(storage, 'isUploaded').mockImplementation(async (id) => {
      await markUploadUsed(db, id, now);
      return false;
    });
    expect((await ask(owner)).status).toBe(429);
    isUploaded.mockRestore();
    expect(await countOpen(owner)).toBe(20);
  });

  it('are rejected while 20 have stored bytes, of which none is lost', async () => {
    const owner = await server.signUp();
    const photo = await makePhoto();
    const sent: string[] = [];
    for (let n = 0; n < 20; n++) sent.push(await putPhoto(owner, copyOfPhoto(photo)));
    const rejected = await ask(owner);
    expect([rejected.status, rejected.body]).toEqual([
      429,
      {
        message: 'You have started 20 uploads without finishing them. Please finish one, or try again later.',
        code: 'too-many-requests',
      },
    ]);
    expect(Number(rejected.headers.get('Retry-After'))).toBeGreaterThan(0);
    for (const uploadURL of sent) expect((await completeUpload(owner, { uploadURL })).status).toBe(201);
    expect((await ask(owner)).status).toBe(200);
  });

  it('are purged after an hour without bytes, and can be completed for a day with them', async () => {
    const owner = await server.signUp();
    const unused = (await ask(owner)).body as { uploadURL: string };
    const uploadURL = await putPhoto(owner, await makePhoto());
    pass(61);
    await purge();
    const gone = await findUpload(server.context.db, owner.userId, idOf(unused.uploadURL));
    expect([gone, await countOpen(owner)]).toEqual([null, 1]);
    pass(22 * 60);
    await purge();
    expect((await completeUpload(owner, { uploadURL })).status).toBe(201);
  });

  it('are purged a day after they were last used', async () => {
    const owner = await server.signUp();
    const filesOf = async () => readdir(join(server.dataDir, 'objects/uploads'));
    const abandoned = await putPhoto(owner, await makePhoto());
    pass(10);
    const late = (await ask(owner, (await makePhoto()).length)).body as { uploadURL: string };
    pass(10);
    await put(owner, late.uploadURL, await makePhoto());
    pass(24 * 60 - 15);
    await purge();
    expect(await filesOf()).not.toContain(idOf(abandoned));
    expect(await filesOf()).toContain(idOf(late.uploadURL));
    const expired = await completeUpload(owner, { uploadURL: abandoned });
    // Its row is gone with its bytes.
    expect([expired.status, expired.body]).toEqual([
      404,
      { message: 'This upload was not found. Please add the photo again.', code: 'not-found' },
    ]);
    // A try that fails is a use, too.
    expect((await completeUpload(owner, { uploadURL: late.uploadURL, petId: idOf(abandoned) })).status).toBe(
      404,
    );
    pass(45);
    await purge();
    expect((await completeUpload(owner, { uploadURL: late.uploadURL })).status).toBe(201);
  });

  it('that could not be completed yet do not count as used without bytes', async () => {
    const owner = await server.signUp();
    for (const { body } of await askTimes(owner, 20)) {
      pass(0.1);
      expect((await completeUpload(owner, body as { uploadURL: string })).status).toBe(409);
    }
    expect((await ask(owner)).status).toBe(200);
  });

  it('of another account cannot be used, and are not kept alive', async () => {
    const owner = await server.signUp();
    const uploadURL = await putPhoto(owner, await makePhoto());
    pass(23 * 60);
    expect((await completeUpload(await server.signUp(), { uploadURL })).status).toBe(404);
    pass(70);
    await purge();
    expect((await completeUpload(owner, { uploadURL })).status).toBe(404);
  });
});
