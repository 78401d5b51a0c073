import { randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, it } from 'vitest';
import type { CompletedUpload } from '#shared/album/memory';
import type { Batch } from '#shared/transfers/batch';
import { memoriesOf, trashOf } from '../../testing/clients/album.ts';
import { readOutbox } from '../../testing/clients/dev-outbox.ts';
import { openEventStream } from '../../testing/clients/event-stream.ts';
import type { TestClient } from '../../testing/clients/test-client.ts';
import {
  addContact,
  addMemory,
  completeUpload,
  deleteMemory,
  putPhoto,
} from '../../testing/data/factories.ts';
import { makePhoto } from '../../testing/photos/photos.ts';
import { startTestServer } from '../../testing/test-server.ts';
import { finishAbandonedBatchesJob } from './finish-abandoned-batches-job.ts';

const HOUR_MS = 60 * 60 * 1000;
const DAY_MS = 24 * HOUR_MS;

let owner: TestClient & { userId: string };
let batchId: string;
let passedMs = 0;

const clock = { now: () => new Date(Date.now() + passedMs) };
const server = await startTestServer({ env: { BATCH_GB_PER_HOUR: '0.05' }, overrides: { clock } });
beforeEach(async () => {
  owner = await server.signUp();
  batchId = randomUUID();
  await start();
});

const start = (client: TestClient = owner, id = batchId) => client.post('/api/batches', { id });
const finish = (contactsMemoryIds?: string[], client: TestClient = owner) =>
  client.post(`/api/batches/${batchId}/finish`, { contactsMemoryIds });
const takeBack = (client: TestClient = owner) => client.request('DELETE', `/api/batches/${batchId}`);
const restore = (client: TestClient = owner) => client.post(`/api/batches/${batchId}/restore`);
const list = async () => (await owner.get('/api/batches')).body as Batch[];
const announce = (size: number, client: TestClient = owner, id: string | undefined = batchId) =>
  client.post('/api/objects/upload', { size, batchId: id });

async function add(photo?: Buffer, details: object = {}): Promise<CompletedUpload> {
  const uploadURL = await putPhoto(owner, photo ?? (await makePhoto()), 'image/jpeg', batchId);
  return (await completeUpload(owner, { uploadURL, ...details })).body as CompletedUpload;
}

async function addMany(count: number): Promise<string[]> {
  const ids: string[] = [];
  for (let n = 0; n < count; n++) ids.push((await add()).id);
  return ids;
}

/** The photos in the emails to contacts since the contact was added. */
async function emailedPhotos(): Promise<number> {
  passedMs += HOUR_MS;
  await server.drainJobs();
  const mails = (await readOutbox(server.dataDir)).filter(({ subject }) => /photo|memor/i.test(subject));
  const own = mails.filter(({ to }) => JSON.stringify(to).includes(owner.userId));
  return own.reduce((sum, { html }) => sum + new Set(html?.match(/cid:[^"]+/g) ?? []).size, 0);
}
const addOwnContact = () => addContact(owner, { name: 'Oma', email: `${owner.userId}@family.example` });

describe('a batch', () => {
  it('is created once, lists what it added, and belongs to one account', async () => {
    expect((await start()).status).toBe(204);
    await addMany(2);
    expect(await list()).toMatchObject([{ id: batchId, finishedAt: null, takenBackAt: null, count: 2 }]);
    const other = await server.signUp();
    expect((await start(other)).status).toBe(404);
    for (const response of [
      await announce(10, other),
      await finish([], other),
      await takeBack(other),
      await restore(other),
    ])
      expect(response.status).toBe(404);
    expect((await other.get('/api/batches')).body).toEqual([]);
    expect(await memoriesOf(owner)).toHaveLength(2);
  });

  it('of ten photos is sent to contacts when it is finished, twice at once, and no earlier', async () => {
    await addOwnContact();
    await addMany(10);
    expect(await emailedPhotos()).toBe(0);
    expect((await Promise.all([finish(), finish()])).map(({ status }) => status)).toEqual([204, 204]);
    expect(await emailedPhotos()).toBe(10);
  });

  it('of eleven photos sends the chosen ones in one email, and nothing by itself', async () => {
    await addOwnContact();
    const ids = await addMany(11);
    const foreign = await addMemory(owner);
    expect((await finish([ids[0] ?? '', foreign.id])).status).toBe(422);
    expect((await finish(ids.slice(0, 7))).status).toBe(422);
    expect((await finish(ids.slice(3, 9))).status).toBe(204);
    // And the one that was added by itself.
    expect(await emailedPhotos()).toBe(7);

    await start(owner, (batchId = randomUUID()));
    await addMany(11);
    await finish();
    expect(await emailedPhotos()).toBe(7);
  });

  it('is one event, at its end', async () => {
    const events = await openEventStream(owner, server.origin);
    await addMany(2);
    await finish();
    expect(await events.nextChange()).toEqual({ kind: 'memory', ids: null });
    await events.stop();
  });

  it('takes nothing more when it is finished, but what was on its way shows itself', async () => {
    const uploadURL = await putPhoto(owner, await makePhoto(), 'image/jpeg', batchId);
    await add();
    await finish();
    expect((await announce(10)).status).toBe(409);
    const events = await openEventStream(owner, server.origin);
    expect((await completeUpload(owner, { uploadURL })).status).toBe(201);
    expect(await events.nextChange()).toEqual({ kind: 'memory', ids: null });
    await events.stop();
    expect(await list()).toMatchObject([{ count: 2 }]);
  });

  it('is sent to contacts who were added while its photos arrived', async () => {
    await addMany(2);
    await addOwnContact();
    await finish();
    expect(await emailedPhotos()).toBe(2);
  });

  it('is finished by itself a day after its last photo', async () => {
    await addOwnContact();
    await add();
    passedMs += 23 * HOUR_MS;
    await add();
    expect(await emailedPhotos()).toBe(0);
    expect(await list()).toMatchObject([{ finishedAt: null }]);
    passedMs += 24 * HOUR_MS;
    await finishAbandonedBatchesJob.handle(server.context, {}, new AbortController().signal);
    expect(await list()).toMatchObject([{ finishedAt: expect.any(String) as string }]);
    expect(await emailedPhotos()).toBe(2);
  });
});

describe('taking a batch back', () => {
  it('moves its memories to the trash, and undoing it brings back exactly those', async () => {
    const own = await addMemory(owner);
    const [first = '', second = ''] = await addMany(3);
    await deleteMemory(owner, first);
    passedMs += 1000;
    expect((await takeBack()).status).toBe(204);
    expect((await takeBack()).status).toBe(204);
    expect((await memoriesOf(owner)).map(({ id }) => id)).toEqual([own.id]);
    expect(await list()).toMatchObject([{ takenBackAt: expect.any(String) as string }]);
    expect((await restore()).status).toBe(204);
    expect((await restore()).status).toBe(204);
    expect((await memoriesOf(owner)).map(({ id }) => id)).toContain(second);
    expect(await trashOf(owner)).toMatchObject([{ id: first }]);
  });

  it('rejects the photos that are still on their way', async () => {
    const uploadURL = await putPhoto(owner, await makePhoto(), 'image/jpeg', batchId);
    await takeBack();
    expect((await completeUpload(owner, { uploadURL })).status).toBe(404);
    expect(await memoriesOf(owner)).toEqual([]);
    expect(await trashOf(owner)).toEqual([]);
  });

  it('sends contacts nothing, whether it was finished before or is afterwards', async () => {
    await addOwnContact();
    await add();
    await finish();
    await takeBack();
    await start(owner, (batchId = randomUUID()));
    await add();
    await takeBack();
    expect((await finish()).status).toBe(204);
    expect(await emailedPhotos()).toBe(0);
  });

  it('is one event, and undoing it another', async () => {
    await addMany(3);
    await finish();
    const events = await openEventStream(owner, server.origin);
    await takeBack();
    await restore();
    await addMemory(owner);
    const ids = [];
    for (let n = 0; n < 3; n++) ids.push((await events.nextChange()).ids?.length ?? null);
    await events.stop();
    expect(ids).toEqual([3, 3, 1]);
  });

  it('leaves no photo behind that is completed at the same moment', async () => {
    const uploadURLs = [];
    for (let n = 0; n < 6; n++)
      uploadURLs.push(await putPhoto(owner, await makePhoto(), 'image/jpeg', batchId));
    const [statuses] = await Promise.all([
      Promise.all(uploadURLs.map(async (uploadURL) => (await completeUpload(owner, { uploadURL })).status)),
      takeBack(),
    ]);
    expect(await memoriesOf(owner)).toEqual([]);
    expect(await trashOf(owner)).toHaveLength(statuses.filter((status) => status === 201).length);
  });

  it('is possible for 30 days', async () => {
    await add();
    passedMs += 31 * DAY_MS;
    expect([(await takeBack()).status, (await restore()).status]).toEqual([404, 404]);
    expect(await list()).toEqual([]);
  });
});

describe('a photo of a batch', () => {
  it('that is in the trash stays there, and one that the album has belongs to no batch', async () => {
    const [photo, deleted] = [await makePhoto(), await makePhoto()];
    const { id } = await addMemory(owner, { photo });
    const { id: deletedId } = await addMemory(owner, { photo: deleted, caption: 'Old' });
    await deleteMemory(owner, deletedId);
    expect(await add(photo)).toMatchObject({ id, before: 'album' });
    const uploadURL = await putPhoto(owner, deleted, 'image/jpeg', batchId);
    for (const attempt of [1, 2]) {
      const response = await completeUpload(owner, { uploadURL, caption: 'New' });
      expect([attempt, response.status, response.body]).toMatchObject([
        attempt,
        200,
        { id: deletedId, before: 'trash', caption: 'Old' },
      ]);
    }
    expect(await trashOf(owner)).toMatchObject([{ id: deletedId }]);
    await takeBack();
    expect(await memoriesOf(owner)).toMatchObject([{ id }]);
  });

  it('may have 50 MB, and others 10', async () => {
    const statuses = async (size: number) => [
      (await announce(size)).status,
      (await announce(size, owner, '')).status,
    ];
    expect((await announce(10_485_761)).status).toBe(200);
    const single = await owner.post('/api/objects/upload', { size: 10_485_761 });
    expect([single.status, single.body]).toMatchObject([
      413,
      { message: 'This photo is larger than 10 MB.' },
    ]);
    const huge = await announce(52_428_801);
    expect([huge.status, huge.body]).toMatchObject([413, { message: 'This photo is larger than 50 MB.' }]);
    expect(await statuses(10)).toEqual([200, 422]);
  });

  it('larger than 10 MB becomes a memory', async () => {
    const photo = Buffer.concat([await makePhoto(), Buffer.alloc(11 * 1024 ** 2)]);
    expect(await add(photo)).toMatchObject({ before: 'none' });
  });

  it('counts by its bytes in an hour, not by the minute', async () => {
    expect((await announce(52_428_800)).status).toBe(200);
    const rejected = await announce(3 * 1024 ** 2);
    expect([rejected.status, rejected.body]).toMatchObject([
      429,
      { message: expect.stringMatching(/^You have added very many photos in the last hour/) as string },
    ]);
    expect(Number(rejected.headers.get('retry-after'))).toBeGreaterThan(60);
  });
});
