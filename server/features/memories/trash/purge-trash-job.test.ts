import pg from 'pg';
import { v7 as uuidv7 } from 'uuid';
import { beforeEach, describe, expect, it } from 'vitest';
import type { Memory } from '#shared/album/memory';
import { images } from '../../../platform/db/schema/album/images.ts';
import { memories } from '../../../platform/db/schema/album/memories.ts';
import { purgeTrashJob } from './purge-trash-job.ts';
import { addMemory, deleteMemory } from '../../../testing/data/factories.ts';
import { waitForBlockedConnection } from '../../../testing/timing/lock-waits.ts';
import { objectsOf } from '../../../testing/assertions/stored-objects.ts';
import type { TestClient } from '../../../testing/clients/test-client.ts';
import { startTestServer } from '../../../testing/test-server.ts';
import { lockMemoriesToPurge, restoreMemoryRow } from './memory-trash-queries.ts';

const DAYS_30 = 30 * 24 * 60 * 60 * 1000;

let now = new Date('2026-06-15T12:00:00Z');

const server = await startTestServer({ overrides: { clock: { now: () => now } } });
let owner: TestClient & { userId: string };
beforeEach(async () => {
  owner = await server.signUp();
});

const later = (ms: number) => (now = new Date(now.getTime() + ms));
const restore = (client: TestClient, { id }: Memory) => client.post(`/api/memories/${id}/restore`);

async function purge(): Promise<void> {
  const { db, jobs } = server.context;
  await db.transaction((tx) => jobs.enqueue(tx, purgeTrashJob, {}));
  await server.drainJobs();
}

async function idsIn(client: TestClient, path: string): Promise<string[]> {
  return ((await client.get(path)).body as Memory[]).map((each) => each.id);
}

/** Latest first, including those past the retention. */
async function trashOf({ userId }: { userId: string }): Promise<string[]> {
  const all = await lockMemoriesToPurge(server.context.db, new Date('9999-12-31'), 1000);
  return all.flatMap(({ ownerId, id }) => (ownerId === userId ? [id] : [])).reverse();
}

/** Memories that were just deleted, without stored objects. */
async function insertDeleted(ownerId: string, count: number): Promise<void> {
  const ids = Array.from({ length: count }, () => uuidv7());
  const image = { contentType: 'image/jpeg', byteSize: 1, sha256: '', width: 1, height: 1, placeholder: '' };
  await server.context.db
    .insert(images)
    .values(ids.map((id) => ({ ...image, id, ownerId, objectKey: `originals/${id}` })));
  await server.context.db.insert(memories).values(
    ids.map((id) => ({
      ...{ id, ownerId, imageId: id, tags: [], source: 'web' as const },
      ...{ createdAt: now, addedDay: '2026-06-15', deletedAt: now },
    })),
  );
}

describe('purging the trash', () => {
  it('deletes memories, images and variants 30 days after their deletion, and nothing else', async () => {
    const other = await server.signUp();
    const added = [];
    for (const client of [owner, other, owner, owner]) added.push(await addMemory(client));
    const [gone, gonesToo, restored, stays] = added as [Memory, Memory, Memory, Memory];
    await server.drainJobs();
    const objects = await objectsOf(server, owner.userId, gone);
    const othersObjects = await objectsOf(server, other.userId, gonesToo);
    const objectsThatStay = await objectsOf(server, owner.userId, restored);
    await deleteMemory(owner, gone.id);
    await deleteMemory(other, gonesToo.id);
    await deleteMemory(owner, restored.id);
    await restore(owner, restored);

    later(DAYS_30);
    const deletedLater = await addMemory(owner);
    await deleteMemory(owner, deletedLater.id);
    await purge();
    expect(await trashOf(owner)).toEqual([deletedLater.id, gone.id]);
    expect(await objects.stored()).toHaveLength(5);

    later(1);
    await purge();
    expect(await trashOf(owner)).toEqual([deletedLater.id]);
    expect(await trashOf(other)).toEqual([]);
    expect(await objects.stored()).toEqual([]);
    expect(await othersObjects.stored()).toEqual([]);
    expect((await owner.get(gone.imageUrl)).status).toBe(404);
    expect((await restore(owner, gone)).status).toBe(404);

    expect(await idsIn(owner, '/api/memories')).toEqual([stays.id, restored.id]);
    expect(await objectsThatStay.stored()).toHaveLength(5);
    await purge();
    expect((await restore(owner, deletedLater)).status).toBe(200);
  });

  it('purges more than one batch in one run', async () => {
    await insertDeleted(owner.userId, 120);
    expect(await trashOf(owner)).toHaveLength(120);
    later(DAYS_30 + 1);
    await purge();
    expect(await trashOf(owner)).toEqual([]);
  });

  it('skips a memory that is being restored', async () => {
    const [restored, gone] = [await addMemory(owner), await addMemory(owner)];
    await server.drainJobs();
    const objects = await objectsOf(server, owner.userId, restored);
    await deleteMemory(owner, restored.id);
    await deleteMemory(owner, gone.id);
    later(DAYS_30 + 1);
    await server.context.db.transaction(async (tx) => {
      await restoreMemoryRow(tx, owner.userId, restored.id, new Date(0));
      await purge();
    });
    expect(await trashOf(owner)).toEqual([]);
    expect(await idsIn(owner, '/api/memories')).toEqual([restored.id]);
    expect(await objects.stored()).toHaveLength(5);
  });

  it('makes a concurrent restore find nothing after the purge', async () => {
    const memory = await addMemory(owner);
    const objects = await objectsOf(server, owner.userId, memory);
    await deleteMemory(owner, memory.id);
    later(DAYS_30 + 1);
    const image = await holdImage(memory);
    const purging = purge();
    await waitForBlockedConnection(server.databaseUrl);
    const restoring = restore(owner, memory);
    await image.letGo();
    await purging;
    expect((await restoring).status).toBe(404);
    expect(await objects.stored()).toEqual([]);
  });

  it('leaves no half-deleted memory when killed, and resumes in the next run', async () => {
    const added = [await addMemory(owner), await addMemory(owner), await addMemory(owner)];
    await server.drainJobs();
    const objects = await Promise.all(added.map((each) => objectsOf(server, owner.userId, each)));
    const stored = async () => (await Promise.all(objects.map((each) => each.stored()))).flat();
    for (const each of added) {
      later(1);
      await deleteMemory(owner, each.id);
    }
    later(DAYS_30 + 1);
    const [, second] = added as [Memory, Memory, Memory];
    const image = await holdImage(second);
    const killed = expect(purge()).rejects.toThrow();
    const pid = await waitForBlockedConnection(server.databaseUrl);
    await image.kill(pid);
    await killed;
    await image.letGo();

    expect(await trashOf(owner)).toHaveLength(3);
    expect(await stored()).toHaveLength(15);
    for (const { imageUrl } of added) expect((await owner.get(imageUrl)).status).toBe(200);

    await server.drainJobs();
    expect(await trashOf(owner)).toEqual([]);
    expect(await stored()).toEqual([]);
  });
});

/** Locks a memory's image, so that its deletion waits. */
async function holdImage({ imageUrl }: Memory) {
  const client = new pg.Client({ connectionString: server.databaseUrl });
  await client.connect();
  await client.query('begin');
  await client.query('select 1 from images where id = $1 for update', [imageUrl.replace('/objects/', '')]);
  return {
    /** Like a killed process: the connection ends during a transaction. */
    kill: (pid: number) => client.query('select pg_terminate_backend($1)', [pid]),
    letGo: () => client.end(),
  };
}
