import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { addMemory, completeUpload, putPhoto } from '../../testing/data/factories.ts';
import type { StoredUpload } from '../../platform/object-storage/object-storage.ts';
import { makePhoto } from '../../testing/photos/photos.ts';
import { startTestServer, type TestServer } from '../../testing/test-server.ts';
import { storeTile } from '../images/image-variants.ts';
import { purgeUploadsJob } from './purge-uploads-job.ts';
import { originalKey } from '../images/staged-object.ts';
import { createUpload } from '../storage/open-upload-queries.ts';

let server: TestServer;
let now = new Date('2026-06-01T12:00:00Z');

beforeAll(async () => {
  server = await startTestServer({ overrides: { clock: { now: () => now } } });
});

const filesIn = (folder: string) => readdir(join(server.dataDir, 'objects', folder)).catch(() => []);
const idOf = (uploadURL: string) => server.context.storage.uploadIdOf(uploadURL) ?? '';

async function purge(): Promise<void> {
  const { db, jobs } = server.context;
  await db.transaction((tx) => jobs.enqueue(tx, purgeUploadsJob, {}));
  await server.drainJobs();
}

describe('purgeUploadsJob', () => {
  it('deletes only bytes that never became a memory, at any stage', async () => {
    const owner = await server.signUp();
    const kept = await addMemory(owner);
    const justPut = idOf(await putPhoto(owner, await makePhoto()));
    // The state after a crash between the tile and the memory.
    const copied = idOf(await putPhoto(owner, await makePhoto()));
    const { id: copy } = await createUpload(server.context.db, owner.userId, now);
    const uploaded = await server.context.storage.storeUpload(copied, originalKey(copy), 1_000_000);
    await (uploaded as StoredUpload).stored;
    await storeTile(server.context.storage, copy, Buffer.from('a tile'));
    expect(await filesIn(`variants/${copy}`)).toHaveLength(1);
    await owner.post('/api/objects/upload', { size: 1000 });
    const originals = (await filesIn('originals')).length;

    now = new Date(now.getTime() + (24 * 60 - 10) * 60 * 1000);
    const fresh = await putPhoto(owner, await makePhoto());
    await purge();
    expect(await filesIn('uploads')).toEqual([justPut, copied, idOf(fresh)].sort());

    now = new Date(now.getTime() + 20 * 60 * 1000);
    await purge();
    expect(await filesIn('uploads')).toEqual([idOf(fresh)]);
    // The copy may still be in use.
    expect(await filesIn('originals')).toHaveLength(originals);
    expect((await owner.get(`${kept.imageUrl}?w=400`)).status).toBe(200);
    expect((await owner.get(kept.imageUrl)).status).toBe(200);
    expect((await completeUpload(owner, { uploadURL: `/uploads/${justPut}` })).status).toBe(404);
    expect((await completeUpload(owner, { uploadURL: fresh })).status).toBe(201);
    // Photos of messages may be retried until then.
    now = new Date(now.getTime() + 3 * 60 * 60 * 1000);
    await purge();
    expect(await filesIn(`variants/${copy}`)).toHaveLength(1);
    now = new Date(now.getTime() + 2 * 60 * 60 * 1000);
    await purge();
    expect(await filesIn('originals')).toHaveLength(originals);
    expect(await filesIn(`variants/${copy}`)).toEqual([]);
    expect((await owner.get('/api/memories')).body).toHaveLength(2);
  });
});
