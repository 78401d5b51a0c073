import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { MAX_UPLOAD_BYTES } from '#shared/upload';
import { completeUpload, putPhoto } from '../../testing/factories.ts';
import { makePhoto } from '../../testing/photos.ts';
import type { TestClient, TestResponse } from '../../testing/test-client.ts';
import { startTestServer, type TestServer } from '../../testing/test-server.ts';
import { purgeUploadsJob } from './purge-uploads-job.ts';

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
const statuses = (answers: TestResponse[]) => answers.map(({ status }) => status).toSorted();

async function purge(): Promise<void> {
  const { db, jobs } = server.context;
  await db.transaction((tx) => jobs.enqueue(tx, purgeUploadsJob, {}));
  await server.drainJobs();
}

describe('open uploads', () => {
  it('need a size', async () => {
    const response = await (await server.signUp()).post('/api/objects/upload', { contentType: 'image/jpeg' });
    expect([response.status, response.body]).toEqual([
      422,
      expect.objectContaining({ fields: { size: 'Please send the size of the photo in bytes' } }),
    ]);
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

  it('are at most 20 per account', async () => {
    const owner = await server.signUp();
    const uploadURL = await putPhoto(owner, await makePhoto());
    const answers = await askTimes(owner, 22);
    expect(statuses(answers)).toEqual([...Array<number>(19).fill(200), 429, 429, 429]);
    const refused = answers.find(({ status }) => status === 429);
    expect(refused?.body).toEqual({
      message:
        'You have started 20 uploads without finishing them. Please finish one, or try again in an hour.',
    });
    expect(Number(refused?.headers.get('Retry-After'))).toBeGreaterThan(0);
    expect((await completeUpload(owner, { uploadURL })).status).toBe(201);
    expect((await ask(owner)).status).toBe(200);
  });

  it('are purged an hour after they were last used', async () => {
    const owner = await server.signUp();
    const filesOf = async () => readdir(join(server.dataDir, 'objects/uploads'));
    const abandoned = await putPhoto(owner, await makePhoto());
    const idOf = (url: string) => server.context.storage.uploadIdOf(url) ?? '';
    pass(10);
    const late = (await ask(owner, (await makePhoto()).length)).body as { uploadURL: string };
    pass(10);
    const { pathname, search } = new URL(late.uploadURL);
    const body = await makePhoto();
    await owner.request('PUT', pathname + search, { body, headers: { 'Content-Type': 'image/jpeg' } });
    pass(45);
    await purge();
    expect(await filesOf()).not.toContain(idOf(abandoned));
    expect(await filesOf()).toContain(idOf(late.uploadURL));
    const expired = await completeUpload(owner, { uploadURL: abandoned });
    // Its row is gone with its bytes.
    expect([expired.status, expired.body]).toEqual([
      404,
      { message: 'This upload was not found. Please add the photo again.' },
    ]);
    // A try that fails is a use, too.
    expect((await completeUpload(owner, { uploadURL: late.uploadURL, petId: idOf(abandoned) })).status).toBe(
      404,
    );
    pass(45);
    await purge();
    expect((await completeUpload(owner, { uploadURL: late.uploadURL })).status).toBe(201);
  });

  it('of another account cannot be used, and are not kept alive', async () => {
    const owner = await server.signUp();
    const uploadURL = await putPhoto(owner, await makePhoto());
    pass(45);
    expect((await completeUpload(await server.signUp(), { uploadURL })).status).toBe(404);
    pass(20);
    await purge();
    expect((await completeUpload(owner, { uploadURL })).status).toBe(404);
  });
});
