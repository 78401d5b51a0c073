import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Caricature } from '#shared/album/caricature';
import { GENERATION_TIMEOUT_MS } from '../../platform/caricature-generator/caricature-generator.ts';
import type { ObjectStorage } from '../../platform/object-storage/object-storage.ts';
import { objectsOf } from '../../testing/assertions/stored-objects.ts';
import {
  beginCaricature,
  findCaricature,
  listCaricatures,
  signUpWithPet,
  startServerWithOpenai,
  type PetOwner,
} from '../../testing/data/caricatures.ts';
import type { TestServer } from '../../testing/test-server.ts';
import { variantKey } from '../images/image-variants.ts';
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

/** Runs the job with parts of the storage replaced. */
const runWithStorage = (storage: Partial<ObjectStorage>, { id }: Caricature) =>
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

/** Deletes the stored photo, so that every further call to the generator fails. */
async function losePhoto(): Promise<void> {
  const photo = await objectsOf(server, owner.userId, owner.memory);
  const shared = variantKey(owner.memory.imageUrl.replace('/objects/', ''), 'shared');
  for (const key of [...(await photo.stored()), shared]) await server.context.storage.delete(key);
}

describe('generating a caricature', () => {
  it('completes it once all variants are stored', async () => {
    const begun = await beginCaricature(owner);
    const seen: string[] = [];
    await runWithStorage(
      {
        async write(key, ...object) {
          seen.push(`${key.split('/')[0]} ${(await findCaricature(owner, begun)).status}`);
          await server.context.storage.write(key, ...object);
        },
      },
      begun,
    );
    // The generator's input, the generated image, its four widths.
    expect(seen).toEqual([
      'variants generating',
      'originals generating',
      ...Array<string>(4).fill('variants generating'),
    ]);
    expect((await findCaricature(owner, begun)).status).toBe('completed');
  });

  it('resumes after a killed worker without generating a stored image again', async () => {
    const begun = await beginCaricature(owner);
    const ended = new Error('The worker ended');
    let widths = 0;
    const dieAtSecondWidth: ObjectStorage['write'] = (key, ...object) => {
      if (key.endsWith('.webp') && ++widths === 2) return Promise.reject(ended);
      return server.context.storage.write(key, ...object);
    };
    await expect(runWithStorage({ write: dieAtSecondWidth }, begun)).rejects.toBe(ended);
    expect(await findCaricature(owner, begun)).toMatchObject({
      status: 'generating',
      caricatureImageUrl: null,
    });
    await losePhoto();
    await server.drainJobs();
    expect((await findCaricature(owner, begun)).status).toBe('completed');
  });

  it('stores one image for two concurrent workers', async () => {
    const before = (await originals()).length;
    const begun = await beginCaricature(owner);
    await Promise.all([runWithStorage({}, begun), runWithStorage({}, begun)]);
    await server.drainJobs();
    expect((await findCaricature(owner, begun)).status).toBe('completed');
    expect((await originals()).length).toBe(before + 1);
  });

  it('discards the image of a deleted caricature', async () => {
    const before = await originals();
    const begun = await beginCaricature(owner);
    await runWithStorage(
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

  it('retries while the storage is down, then fails and leaves no objects behind', async () => {
    const before = await originals();
    const begun = await beginCaricature(owner);
    const down = () => Promise.reject(new Error('The storage is down'));
    for (const status of ['generating', 'generating', 'generating', 'failed'] as const) {
      await expect(runWithStorage({ write: down }, begun)).rejects.toThrow('The storage is down');
      expect((await findCaricature(owner, begun)).status).toBe(status);
    }
    expect(await findCaricature(owner, begun)).toMatchObject({ failureReason: 'unavailable' });
    await server.drainJobs();
    expect(await originals()).toEqual(before);
    expect(await remaining()).toBe(10);
  });

  it('fails when the photo was deleted', async () => {
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

describe('a stale caricature', () => {
  it('has time limits in order: the call, then the job, then the caricature', () => {
    expect(GENERATION_TIMEOUT_MS).toBeGreaterThanOrEqual(3 * MINUTE);
    expect(generateCaricatureJob.expireInSeconds * 1000).toBeGreaterThan(GENERATION_TIMEOUT_MS);
    expect(CARICATURE_TIMEOUT_MS).toBeGreaterThan(generateCaricatureJob.expireInSeconds * 1000);
    expect(LAST_CALL_START_MS + GENERATION_TIMEOUT_MS).toBeLessThanOrEqual(CARICATURE_TIMEOUT_MS);
  });

  it('fails after ten minutes, even when its job is lost', async () => {
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

  it('is not started by a job that could end too late', async () => {
    const begun = await beginCaricature(owner);
    now = new Date(now.getTime() + LAST_CALL_START_MS);
    await server.drainJobs();
    expect(await findCaricature(owner, begun)).toMatchObject({
      status: 'failed',
      failureReason: 'timed-out',
    });
  });

  it('is completed when its image is stored, with variants created on demand', async () => {
    const before = await originals();
    const begun = await beginCaricature(owner);
    const ended = new Error('The worker ended');
    await expect(
      runWithStorage(
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
