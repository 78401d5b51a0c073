import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Caricature } from '#shared/caricature';
import { GENERATION_TIMEOUT_MS } from '../../platform/caricature-generator/caricature-generator.ts';
import type { ObjectStorage } from '../../platform/object-storage/object-storage.ts';
import {
  beginCaricature,
  findCaricature,
  listCaricatures,
  signUpWithPet,
  startServerWithOpenai,
  type PetOwner,
} from '../../testing/caricatures.ts';
import { objectsOf } from '../../testing/stored-objects.ts';
import type { TestServer } from '../../testing/test-server.ts';
import { expireStaleCaricaturesJob } from './expire-stale-caricatures-job.ts';
import {
  CARICATURE_TIMEOUT_MS,
  generateCaricatureJob,
  LAST_CALL_START_MS,
} from './generate-caricature-job.ts';

const MINUTE = 60_000;

let server: TestServer;
let owner: PetOwner;
let now = new Date('2026-06-01T12:00:00Z');

beforeAll(async () => {
  ({ server } = await startServerWithOpenai({ overrides: { clock: { now: () => now } } }));
});
beforeEach(async () => {
  owner = await signUpWithPet(server);
  await server.drainJobs();
});

/** What the queue would run, on a storage of which something is different. */
const drawOn = (storage: Partial<ObjectStorage>, { id }: Caricature) =>
  generateCaricatureJob.handle(
    { ...server.context, storage: { ...server.context.storage, ...storage } },
    { ownerId: owner.userId, caricatureId: id },
  );
const originals = () => readdir(join(server.dataDir, 'objects/originals'));
const remaining = async () =>
  ((await owner.get('/api/caricatures/options')).body as { remaining: number }).remaining;

async function enqueue(job: typeof expireStaleCaricaturesJob): Promise<void> {
  const { db, jobs } = server.context;
  await db.transaction((tx) => jobs.enqueue(tx, job, {}));
}

/** What is stored of the photo is gone: whoever asks an artist now fails. */
async function losePhoto(): Promise<void> {
  const photo = await objectsOf(server, owner.userId, owner.memory);
  const shared = `variants/${owner.memory.imageUrl.replace('/objects/', '')}/shared.jpg`;
  for (const key of [...(await photo.stored()), shared]) await server.context.storage.delete(key);
}

describe('drawing a caricature', () => {
  it('shows it once all widths of it are stored', async () => {
    const begun = await beginCaricature(owner);
    const seen: string[] = [];
    await drawOn(
      {
        async write(key, ...object) {
          seen.push(`${key.split('/')[0]} ${(await findCaricature(owner, begun)).status}`);
          await server.context.storage.write(key, ...object);
        },
      },
      begun,
    );
    // The copy that the artist gets, the drawing, its four widths.
    expect(seen).toEqual([
      'variants generating',
      'originals generating',
      ...Array<string>(4).fill('variants generating'),
    ]);
    expect((await findCaricature(owner, begun)).status).toBe('completed');
  });

  it('goes on where its worker ended: what is drawn and stored is not drawn again', async () => {
    const begun = await beginCaricature(owner);
    const ended = new Error('The worker ended');
    let widths = 0;
    const dieAtSecondWidth: ObjectStorage['write'] = (key, ...object) => {
      if (key.endsWith('.webp') && ++widths === 2) return Promise.reject(ended);
      return server.context.storage.write(key, ...object);
    };
    await expect(drawOn({ write: dieAtSecondWidth }, begun)).rejects.toBe(ended);
    expect(await findCaricature(owner, begun)).toMatchObject({
      status: 'generating',
      caricatureImageUrl: null,
    });
    await losePhoto();
    await server.drainJobs();
    expect((await findCaricature(owner, begun)).status).toBe('completed');
  });

  it('keeps one drawing of two workers that are at it', async () => {
    const before = (await originals()).length;
    const begun = await beginCaricature(owner);
    await Promise.all([drawOn({}, begun), drawOn({}, begun)]);
    await server.drainJobs();
    expect((await findCaricature(owner, begun)).status).toBe('completed');
    expect((await originals()).length).toBe(before + 1);
  });

  it('drops what nobody wants any more', async () => {
    const before = await originals();
    const begun = await beginCaricature(owner);
    await drawOn(
      {
        async write(key, ...object) {
          await server.context.storage.write(key, ...object);
          if (key.startsWith('originals/')) await owner.request('DELETE', `/api/caricatures/${begun.id}`);
        },
      },
      begun,
    );
    await server.drainJobs();
    expect(await listCaricatures(owner)).toEqual([]);
    expect(await originals()).toEqual(before);
  });

  it('is tried again when the storage is down, given up in the end, and leaves nothing behind', async () => {
    const before = await originals();
    const begun = await beginCaricature(owner);
    const down = () => Promise.reject(new Error('The storage is down'));
    for (const status of ['generating', 'generating', 'generating', 'failed'] as const) {
      await expect(drawOn({ write: down }, begun)).rejects.toThrow('The storage is down');
      expect((await findCaricature(owner, begun)).status).toBe(status);
    }
    expect(await findCaricature(owner, begun)).toMatchObject({ failureReason: 'unavailable' });
    await server.drainJobs();
    expect(await originals()).toEqual(before);
    expect(await remaining()).toBe(10);
  });

  it('fails when its photo is gone', async () => {
    const begun = await beginCaricature(owner);
    await owner.request('DELETE', `/api/memories/${owner.memory.id}`);
    await owner.request('DELETE', `/api/memories/deleted/${owner.memory.id}`);
    await server.drainJobs();
    expect(await findCaricature(owner, begun)).toMatchObject({
      status: 'failed',
      failureReason: 'bad-input',
      originalImageUrl: null,
    });
  });
});

describe('a caricature that is not drawn in time', () => {
  it('is given up later than a call of three minutes can end, and its job later still than the call', () => {
    expect(GENERATION_TIMEOUT_MS).toBeGreaterThanOrEqual(3 * MINUTE);
    expect(generateCaricatureJob.expireInSeconds * 1000).toBeGreaterThan(GENERATION_TIMEOUT_MS);
    expect(CARICATURE_TIMEOUT_MS).toBeGreaterThan(generateCaricatureJob.expireInSeconds * 1000);
    expect(LAST_CALL_START_MS + GENERATION_TIMEOUT_MS).toBeLessThanOrEqual(CARICATURE_TIMEOUT_MS);
  });

  it('is given up after ten minutes, also when the queue has lost its job', async () => {
    const begun = await beginCaricature(owner);
    await server.context.db.execute(`delete from pgboss.job where name = '${generateCaricatureJob.name}'`);
    now = new Date(now.getTime() + 10 * MINUTE);
    await enqueue(expireStaleCaricaturesJob);
    await server.drainJobs();
    expect((await findCaricature(owner, begun)).status).toBe('generating');
    now = new Date(now.getTime() + 1);
    await enqueue(expireStaleCaricaturesJob);
    await server.drainJobs();
    expect(await findCaricature(owner, begun)).toMatchObject({
      status: 'failed',
      failureReason: 'timed-out',
    });
    expect(await remaining()).toBe(10);
    await owner.post(`/api/caricatures/${begun.id}/redo`);
    await server.drainJobs();
    expect(await findCaricature(owner, begun)).toMatchObject({ status: 'completed', failureReason: null });
  });

  it('is not begun by a job that could end too late', async () => {
    const begun = await beginCaricature(owner);
    now = new Date(now.getTime() + LAST_CALL_START_MS);
    await server.drainJobs();
    expect(await findCaricature(owner, begun)).toMatchObject({
      status: 'failed',
      failureReason: 'timed-out',
    });
  });

  it('is shown when it was drawn: it is paid, and its widths are made on demand', async () => {
    const before = await originals();
    const begun = await beginCaricature(owner);
    const ended = new Error('The worker ended');
    await expect(
      drawOn(
        {
          write: (key, ...object) =>
            key.endsWith('.webp') ? Promise.reject(ended) : server.context.storage.write(key, ...object),
        },
        begun,
      ),
    ).rejects.toBe(ended);
    expect((await originals()).length).toBe(before.length + 1);
    await server.context.db.execute(`delete from pgboss.job where name = '${generateCaricatureJob.name}'`);
    now = new Date(now.getTime() + 11 * MINUTE);
    await enqueue(expireStaleCaricaturesJob);
    await server.drainJobs();
    const shown = await findCaricature(owner, begun);
    expect(shown).toMatchObject({ status: 'completed', failureReason: null });
    expect((await owner.get(`${shown.caricatureImageUrl}?w=200`)).status).toBe(200);
    expect((await originals()).length).toBe(before.length + 1);
  });
});
