import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import type { FlipbookPdf } from '#shared/album/flipbook';
import type { Memory } from '#shared/album/memory';
import type { ObjectStorage } from '../../platform/object-storage/object-storage.ts';
import { readPdf } from '../../testing/assertions/read-pdf.ts';
import type { TestClient, TestResponse } from '../../testing/clients/test-client.ts';
import { addMemory, deleteMemory } from '../../testing/data/factories.ts';
import { colorAt, makePhoto } from '../../testing/photos/photos.ts';
import { startTestServer } from '../../testing/test-server.ts';
import { makeFlipbookPdfJob } from './make-flipbook-pdf-job.ts';
import { requeueStalledPdfsJob } from './requeue-stalled-pdfs-job.ts';

const HOUR = 60 * 60 * 1000;
let now = new Date('2026-06-01T22:00:00Z');
let owner: TestClient & { userId: string };

const server = await startTestServer({ overrides: { clock: { now: () => now } } });
beforeEach(async () => {
  owner = await server.signUp();
});

const idsOf = (memories: Memory[]) => memories.map(({ id }) => id);
const post = (memories: Memory[], client: TestClient = owner): Promise<TestResponse> =>
  client.post('/api/flipbooks/pdf', { memoryIds: idsOf(memories) });
const ask = async (id: string) => (await owner.get(`/api/flipbooks/pdf/${id}`)).body as FlipbookPdf;

async function start(...memories: Memory[]): Promise<FlipbookPdf> {
  const response = await post(memories);
  expect(response.status).toBe(202);
  return response.body as FlipbookPdf;
}

async function addMemories(count: number): Promise<Memory[]> {
  const memories: Memory[] = [];
  for (let index = 0; index < count; index++) memories.push(await addMemory(owner));
  await server.drainJobs();
  return memories;
}

async function requeueStalledPdfs(): Promise<void> {
  const { db, jobs } = server.context;
  await db.transaction((tx) => jobs.enqueue(tx, requeueStalledPdfsJob, {}));
  await server.drainJobs();
}

const storedPdfs = () => readdir(join(server.dataDir, 'objects/flipbooks')).catch(() => []);
/** Runs the job with a storage that fails. */
const makeWithStorage = (storage: Partial<ObjectStorage>, pdf: FlipbookPdf) =>
  makeFlipbookPdfJob.handle(
    { ...server.context, storage: { ...server.context.storage, ...storage } },
    { ownerId: owner.userId, flipbookPdfId: pdf.id },
  );

describe('POST /api/flipbooks/pdf', () => {
  it('makes all pages in the order of dates, with upright photos without metadata', async () => {
    await owner.get('/api/user', { 'X-Time-Zone': 'Pacific/Auckland' });
    const memories = [
      await addMemory(owner, { caption: 'Undated' }),
      await addMemory(owner, {
        caption: 'Second',
        memoryDate: '2026-03-01T23:59',
        tags: 'sea, sun',
        // Browsers show its original as it lies.
        photo: await makePhoto({ format: 'webp', orientation: 8 }),
      }),
      await addMemory(owner, {
        caption: 'First',
        memoryDate: '2024-02-29',
        photo: await makePhoto({ width: 60, height: 90, orientation: 6 }),
      }),
    ];
    const started = await start(...memories);
    expect(started).toMatchObject({ status: 'making', progress: 0, url: null });
    expect((await owner.get(`/api/flipbooks/pdf/${started.id}/file`)).status).toBe(404);

    await server.drainJobs();
    const { status, progress, url } = await ask(started.id);
    expect({ status, progress }).toEqual({ status: 'completed', progress: 100 });
    const file = await owner.get(url ?? '');
    expect(file.status).toBe(200);
    expect(Object.fromEntries(file.headers)).toMatchObject({
      'content-type': 'application/pdf',
      'content-disposition': 'attachment; filename=memory-flipbook.pdf',
      'cache-control': 'private, no-store',
    });

    const { pages, photos } = await readPdf(file.bytes);
    expect(pages).toHaveLength(8);
    const texts = pages.map(({ text }) => text);
    expect(texts[0]).toContain('3 Beautiful Memories');
    expect(texts[2]).toMatch(/First[^]*February 29, 2024/);
    expect(texts[4]).toMatch(/Second[^]*March 1, 2026 at 11:59 PM[^]*sea • sun/);
    // In the owner's time zone it was already June 2.
    expect(texts[6]).toMatch(/Undated[^]*June 2, 2026/);
    expect(texts[7]).toContain('Created on June 2, 2026');
    // One of them is also on the cover.
    expect(photos).toHaveLength(4);
    for (const photo of photos) {
      expect([await colorAt(photo, 0.5, 0.1), await colorAt(photo, 0.5, 0.9)]).toEqual(['red', 'blue']);
      expect(photo.includes('Exif')).toBe(false);
    }
  });

  it('has its own title on the cover', async () => {
    const [memory] = await addMemories(1);
    const create = (title: string) => owner.post('/api/flipbooks/pdf', { memoryIds: [memory?.id], title });
    expect((await create('x'.repeat(61))).status).toBe(422);
    const { body } = await create('  Rex by the sea ');
    expect((await create('Another title')).status).toBe(409);
    await server.drainJobs();
    const { url } = await ask((body as FlipbookPdf).id);
    const [cover] = (await readPdf((await owner.get(url ?? '')).bytes)).pages;
    expect(cover?.text).toMatch(/^Rex by the sea\s1 Beautiful Memory/);
  });

  it('rejects empty selections and more than 500 memories', async () => {
    const id = '0197f6a0-0000-7000-8000-000000000000';
    for (const [count, message] of [
      [0, 'Please select at least one memory to create a flipbook.'],
      [501, 'A PDF holds at most 500 memories. Please select fewer.'],
    ] as const) {
      const rejected = await owner.post('/api/flipbooks/pdf', { memoryIds: Array(count).fill(id) });
      expect(rejected.status).toBe(422);
      expect(rejected.body).toEqual({ message, code: 'invalid', fields: { memoryIds: message } });
    }
    expect((await owner.post('/api/flipbooks/pdf', { memoryIds: Array(500).fill(id) })).status).toBe(404);
  });

  it("skips deleted, malformed and other users' ids, and rejects a selection without memories", async () => {
    const stranger = await server.signUp();
    const [remaining, deleted] = await addMemories(2);
    const foreign = await addMemory(stranger);
    if (!remaining || !deleted) throw new Error('There are no memories');
    await deleteMemory(owner, deleted.id);
    const gone = [...idsOf([deleted, foreign]), 'no-id'];
    expect((await owner.post('/api/flipbooks/pdf', { memoryIds: gone })).status).toBe(404);
    const { body } = await owner.post('/api/flipbooks/pdf', { memoryIds: [...gone, remaining.id] });
    await server.drainJobs();
    const { url } = await ask((body as FlipbookPdf).id);
    const { pages } = await readPdf((await owner.get(url ?? '')).bytes);
    expect(pages).toHaveLength(4);
    for (const path of [url ?? '', url?.replace('/file', '') ?? ''])
      expect((await stranger.get(path)).status).toBe(404);
  });

  it('returns the PDF that is being made, also concurrently, and rejects another selection', async () => {
    const [first, second] = await addMemories(2);
    if (!first || !second) throw new Error('There are no memories');
    const responses = await Promise.all([
      post([first, second]),
      post([second, first]),
      post([first, second]),
    ]);
    expect(responses.map(({ status }) => status)).toEqual([202, 202, 202]);
    expect(new Set(responses.map(({ body }) => (body as FlipbookPdf).id)).size).toBe(1);
    const other = await post([first]);
    expect(other.status).toBe(409);
    expect(other.body).toEqual({
      message: 'Another PDF is being made. Please start this one when that is done.',
      code: 'conflict',
    });
  });

  it('replaces the previous PDF', async () => {
    const memories = await addMemories(1);
    const former = await start(...memories);
    await server.drainJobs();
    const latter = await start(...memories);
    expect(latter.id).not.toBe(former.id);
    await server.drainJobs();
    expect((await owner.get(`/api/flipbooks/pdf/${former.id}`)).status).toBe(404);
    const stored = await storedPdfs();
    expect(stored).toContain(`${latter.id}.pdf`);
    expect(stored).not.toContain(`${former.id}.pdf`);
  });

  it('shows a placeholder for a photo whose bytes are gone', async () => {
    const memories = await addMemories(1);
    const pdf = await start(...memories);
    await makeWithStorage({ read: () => Promise.resolve(null) }, pdf);
    const { pages, photos } = await readPdf((await owner.get((await ask(pdf.id)).url ?? '')).bytes);
    expect(pages[1]?.text).toBe('Image not found');
    expect(photos).toEqual([]);
  });
});

describe('making a PDF', () => {
  it('reports its progress, and resumes with another worker when one dies', async () => {
    const pdf = await start(...(await addMemories(2)));
    let reads = 0;
    const secondPhoto = 3;
    let revive = () => {};
    const asleep = new Promise<void>((resolve) => (revive = resolve));
    let sleeps = () => {};
    const fallenAsleep = new Promise<void>((resolve) => (sleeps = resolve));
    const first = makeWithStorage(
      {
        async read(key) {
          if (++reads === secondPhoto) {
            sleeps();
            await asleep;
          }
          return server.context.storage.read(key);
        },
      },
      pdf,
    );
    await fallenAsleep;
    expect(await ask(pdf.id)).toMatchObject({ status: 'making', progress: 50, url: null });
    // Another worker cannot claim it while the first has a heartbeat.
    await server.drainJobs();
    expect((await ask(pdf.id)).status).toBe('making');

    now = new Date(now.getTime() + 2 * 60 * 1000);
    await requeueStalledPdfs();
    const completed = await ask(pdf.id);
    expect(completed).toMatchObject({ status: 'completed', progress: 100 });
    revive();
    await first;
    expect(await ask(pdf.id)).toEqual(completed);
    expect((await readPdf((await owner.get(completed.url ?? '')).bytes)).pages).toHaveLength(6);
  });

  it('is retried while the storage is down, then fails', async () => {
    const memories = await addMemories(1);
    const pdf = await start(...memories);
    const down = () => Promise.reject(new Error('The storage is down'));
    for (const status of ['making', 'making', 'making', 'failed'] as const) {
      await expect(makeWithStorage({ writeStream: down }, pdf)).rejects.toThrow('The storage is down');
      expect(await ask(pdf.id)).toMatchObject({ status, url: null });
    }
    await server.drainJobs();
    expect((await ask(pdf.id)).status).toBe('failed');
    const again = await start(...memories);
    await server.drainJobs();
    expect((await ask(again.id)).status).toBe('completed');
  });

  it('succeeds after the storage has recovered', async () => {
    const pdf = await start(...(await addMemories(1)));
    const down = () => Promise.reject(new Error('The storage is down'));
    await expect(makeWithStorage({ read: down }, pdf)).rejects.toThrow('The storage is down');
    await server.drainJobs();
    expect((await ask(pdf.id)).status).toBe('completed');
  });
});

describe('a finished PDF', () => {
  it('is deleted after a day', async () => {
    const pdf = await start(...(await addMemories(1)));
    await server.drainJobs();
    now = new Date(now.getTime() + 23 * HOUR);
    await requeueStalledPdfs();
    expect((await ask(pdf.id)).status).toBe('completed');
    now = new Date(now.getTime() + 2 * HOUR);
    await requeueStalledPdfs();
    expect((await owner.get(`/api/flipbooks/pdf/${pdf.id}`)).status).toBe(404);
    expect(await storedPdfs()).not.toContain(`${pdf.id}.pdf`);
  });

  it('is deleted with a permanently deleted memory, but not with one in the trash', async () => {
    const [remaining, deleted] = await addMemories(2);
    if (!remaining || !deleted) throw new Error('There are no memories');
    const pdf = await start(remaining, deleted);
    await server.drainJobs();
    await deleteMemory(owner, deleted.id);
    expect((await ask(pdf.id)).status).toBe('completed');
    await owner.request('DELETE', `/api/memories/deleted/${deleted.id}`);
    await server.drainJobs();
    expect((await owner.get(`/api/flipbooks/pdf/${pdf.id}`)).status).toBe(404);
    expect(await storedPdfs()).not.toContain(`${pdf.id}.pdf`);
  });

  it('is not left in the storage when it is replaced while being stored', async () => {
    const [memory] = await addMemories(1);
    if (!memory) throw new Error('There is no memory');
    const pdf = await start(memory);
    await makeWithStorage(
      {
        async writeStream(...object) {
          await server.context.storage.writeStream(...object);
          await deleteMemory(owner, memory.id);
          await owner.request('DELETE', `/api/memories/deleted/${memory.id}`);
        },
      },
      pdf,
    );
    expect(await storedPdfs()).not.toContain(`${pdf.id}.pdf`);
  });
});
