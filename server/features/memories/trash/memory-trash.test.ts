import { isDeepStrictEqual } from 'node:util';
import { beforeEach, describe, expect, it } from 'vitest';
import { DeletedMemoryList, type Memory, TRASH_DAYS } from '#shared/album/memory';
import { objectsOf } from '../../../testing/assertions/stored-objects.ts';
import { readPages } from '../../../testing/clients/read-pages.ts';
import type { TestClient } from '../../../testing/clients/test-client.ts';
import {
  addMemory,
  addPet,
  completeUpload,
  deleteMemory,
  petForm,
  putPhoto,
} from '../../../testing/data/factories.ts';
import { makePhoto } from '../../../testing/photos/photos.ts';
import { startTestServer } from '../../../testing/test-server.ts';
import { waitForBlockedConnection } from '../../../testing/timing/lock-waits.ts';
import { trashMemoryRow, restoreMemoryRow } from './memory-trash-queries.ts';
import { purgeMemory } from './memory-trash.ts';

const NOT_THERE = '01900000-0000-7000-8000-000000000001';
const DAY_MS = 24 * 60 * 60 * 1000;

let now = new Date('2026-06-15T12:00:00Z');

const server = await startTestServer({
  overrides: { clock: { now: () => now } },
  env: { UPLOADS_PER_MINUTE: '1000' },
});
let owner: TestClient & { userId: string };
beforeEach(async () => {
  owner = await server.signUp();
});

const restore = (client: TestClient, id: string) => client.post(`/api/memories/${id}/restore`);
const deleteForGood = (client: TestClient, id: string) =>
  client.request('DELETE', `/api/memories/deleted/${id}`);
const patch = (client: TestClient, id: string, json: object) =>
  client.request('PATCH', `/api/memories/${id}`, { json });

async function trash(client: TestClient, query = ''): Promise<(string | null)[]> {
  const response = await client.get(`/api/memories/deleted?${query}`);
  return DeletedMemoryList.parse(response.body).map((each) => each.caption);
}

/** The responses of all calls that list, count and search memories. */
async function readAlbum(client: TestClient, { ids, petId }: { ids: string[]; petId: string }) {
  const paths = {
    list: '',
    'by taken': '?order=taken',
    'first page': '?limit=10',
    'of the pet': `?petId=${petId}`,
    'by ids': `?ids=${ids.join(',')}`,
    'by caption': '/search?q=snow',
    'by tag': '/search?q=winter',
    'by pet': '/search?q=rex',
    ids: '/ids',
    'ids by caption': '/ids?q=snow',
    months: '/months',
    'months taken': '/months?order=taken',
    stats: '/stats',
  };
  const responses = Object.entries(paths).map(async ([name, path]) => {
    const { status, body } = await client.get(`/api/memories${path}`);
    return [name, status, body] as const;
  });
  return Promise.all(responses);
}

/** A memory with all fields set. */
async function addWhole(owner: TestClient, petId: string): Promise<Memory> {
  const { id } = await addMemory(owner, {
    caption: 'Snow',
    tags: 'winter, cold',
    memoryDate: '2020-02-03T04:05',
    petId,
  });
  return (await patch(owner, id, { isLiked: true })).body as Memory;
}

describe('DELETE /api/memories/:id', () => {
  it('hides the memory from all lists, counts and searches', async () => {
    const pet = await addPet(owner);
    const stays = await addMemory(owner, { caption: 'Stays' });
    now = new Date(now.getTime() + DAY_MS);
    const album = { ids: [stays.id], petId: pet.id };
    const without = await readAlbum(owner, album);
    const memory = await addWhole(owner, pet.id);
    album.ids.push(memory.id);
    const withIt = await readAlbum(owner, album);
    expect(withIt.filter((response, index) => isDeepStrictEqual(response, without[index]))).toEqual([]);

    const deleted = await deleteMemory(owner, memory.id);
    expect([deleted.status, deleted.text]).toEqual([204, '']);
    expect(await readAlbum(owner, album)).toEqual(without);
    for (const changes of [{ isLiked: false }, { caption: 'x' }, { petId: null }, {}]) {
      expect((await patch(owner, memory.id, changes)).status).toBe(404);
    }
    expect((await restore(owner, memory.id)).body).toEqual(memory);
  });

  it('keeps the image available and counts its bytes', async () => {
    const photo = await makePhoto();
    const room = ((photo.length * 1.5) / 1024 ** 3).toFixed(12);
    const small = await startTestServer({ env: { STORAGE_LIMIT_GB: room } });
    const owner = await small.signUp();
    const { id, imageUrl } = await addMemory(owner, { photo });
    await deleteMemory(owner, id);
    expect((await owner.get(imageUrl)).bytes.equals(photo)).toBe(true);
    expect((await owner.get(`${imageUrl}?w=400`)).status).toBe(200);
    expect((await (await small.signUp()).get(imageUrl)).status).toBe(404);

    const rejected = await owner.post('/api/objects/upload', { size: photo.length });
    expect([rejected.status, rejected.body]).toEqual([
      413,
      {
        message: expect.stringMatching(/^Your album is full.* for good to make room/) as string,
        code: 'album-full',
      },
    ]);
    await deleteForGood(owner, id);
    expect((await owner.post('/api/objects/upload', { size: photo.length })).status).toBe(200);
  });

  it('is idempotent, also concurrently, and keeps the first time', async () => {
    const { id } = await addMemory(owner);
    const first = now;
    const responses = await Promise.all([1, 2, 3].map(() => deleteMemory(owner, id)));
    expect(responses.map((each) => each.status)).toEqual([204, 204, 204]);
    now = new Date(now.getTime() + DAY_MS);
    expect((await deleteMemory(owner, id)).status).toBe(204);
    expect((await owner.get('/api/memories/deleted')).body).toMatchObject([
      { id, deletedAt: first.toISOString() },
    ]);
  });

  it('responds with 404 for unknown, purged and other users’ memories', async () => {
    const memory = await addMemory(owner);
    const other = await server.signUp();
    expect((await deleteMemory(other, memory.id)).status).toBe(404);
    expect((await owner.get('/api/memories')).body).toHaveLength(1);
    for (const id of [NOT_THERE, 'no-uuid', 'deleted'])
      expect((await deleteMemory(owner, id)).status).toBe(404);
    await deleteMemory(owner, memory.id);
    await deleteForGood(owner, memory.id);
    expect((await deleteMemory(owner, memory.id)).status).toBe(404);
  });

  it('is serialized with a concurrent edit, which succeeds first or gets 404', async () => {
    const { id } = await addMemory(owner, { caption: 'before' });
    const held = await server.context.db.transaction(async (tx) => {
      await trashMemoryRow(tx, owner.userId, id, now);
      const waiting = patch(owner, id, { caption: 'after' });
      await waitForBlockedConnection(server.databaseUrl);
      return { waiting };
    });
    expect((await held.waiting).status).toBe(404);
    expect((await restore(owner, id)).body).toMatchObject({ caption: 'before' });
  });

  it('does not let complete-upload restore the memory', async () => {
    const uploadURL = await putPhoto(owner, await makePhoto());
    const { body: memory } = await completeUpload(owner, { uploadURL });
    const { id } = memory as Memory;
    const rejection = [404, { message: 'This photo was deleted.', code: 'not-found' }];
    const again = async () => {
      const response = await completeUpload(owner, { uploadURL });
      return [response.status, response.body];
    };
    await deleteMemory(owner, id);
    expect(await again()).toEqual(rejection);
    await restore(owner, id);
    expect(await again()).toEqual([201, memory]);
    await deleteMemory(owner, id);
    await deleteForGood(owner, id);
    await server.drainJobs();
    expect(await again()).toEqual(rejection);
    expect((await owner.get('/api/memories')).body).toEqual([]);
  });
});

describe('POST /api/memories/:id/restore', () => {
  it('restores the memory in its former position', async () => {
    const pet = await addPet(owner);
    const memory = await addWhole(owner, pet.id);
    now = new Date(now.getTime() + DAY_MS);
    const newer = await addMemory(owner, { caption: 'newer' });
    const album = { ids: [memory.id, newer.id], petId: pet.id };
    const before = await readAlbum(owner, album);
    await deleteMemory(owner, memory.id);
    now = new Date(now.getTime() + (TRASH_DAYS - 1) * DAY_MS);
    const restored = await restore(owner, memory.id);
    expect([restored.status, restored.body]).toEqual([200, memory]);
    now = new Date(now.getTime() - (TRASH_DAYS - 1) * DAY_MS);
    expect(await readAlbum(owner, album)).toEqual(before);
    expect(await trash(owner)).toEqual([]);
  });

  it('is idempotent, and accepts memories that were never deleted', async () => {
    const memory = await addMemory(owner);
    expect((await restore(owner, memory.id)).body).toEqual(memory);
    await deleteMemory(owner, memory.id);
    const responses = await Promise.all([1, 2, 3].map(() => restore(owner, memory.id)));
    expect(responses.map((each) => [each.status, each.body])).toEqual(Array(3).fill([200, memory]));
  });

  it('responds with 404 for unknown, purged and other users’ memories', async () => {
    const { id } = await addMemory(owner);
    await deleteMemory(owner, id);
    const other = await server.signUp();
    for (const [client, eachId] of [
      [other, id],
      [owner, NOT_THERE],
      [owner, 'no-uuid'],
    ] as const) {
      expect((await restore(client, eachId)).status).toBe(404);
    }
    expect(await trash(owner)).toHaveLength(1);
    await deleteForGood(owner, id);
    expect((await restore(owner, id)).status).toBe(404);
  });

  it('responds with 404 after 30 days, even before the purge', async () => {
    const { id } = await addMemory(owner, { caption: 'long gone' });
    await deleteMemory(owner, id);
    now = new Date(now.getTime() + TRASH_DAYS * DAY_MS);
    expect(await trash(owner)).toEqual(['long gone']);
    now = new Date(now.getTime() + 1);
    expect(await trash(owner)).toEqual([]);
    expect((await restore(owner, id)).status).toBe(404);
    expect((await owner.get('/api/memories')).body).toEqual([]);
  });

  it('is serialized with a concurrent deletion', async () => {
    const { id } = await addMemory(owner);
    for (let each = 1; each <= 5; each++) {
      const responses = await Promise.all([deleteMemory(owner, id), restore(owner, id)]);
      expect(responses.map((response) => response.status)).toEqual([204, 200]);
      const [shown, deleted] = [(await owner.get('/api/memories')).body as Memory[], await trash(owner)];
      expect(shown.length + deleted.length).toBe(1);
    }
  });

  it('finds the memory by its pet’s new name', async () => {
    const pet = await addPet(owner, { name: 'Rex' });
    const { id } = await addMemory(owner, { caption: 'photo', petId: pet.id });
    await deleteMemory(owner, id);
    await owner.request('PATCH', `/api/pets/${pet.id}`, { body: petForm({ name: 'Luna' }) });
    await restore(owner, id);
    expect((await owner.get('/api/memories/search?q=luna')).body).toMatchObject([{ id, petId: pet.id }]);
    expect((await owner.get('/api/memories/search?q=rex')).body).toEqual([]);
  });

  it('restores the memory without its pet when that was deleted', async () => {
    const pet = await addPet(owner, { name: 'Rex' });
    const { id } = await addMemory(owner, { caption: 'photo', petId: pet.id });
    await deleteMemory(owner, id);
    expect((await owner.request('DELETE', `/api/pets/${pet.id}`)).status).toBe(204);
    expect((await restore(owner, id)).body).toMatchObject({ id, petId: null });
    expect((await owner.get('/api/memories/search?q=rex')).body).toEqual([]);
    expect((await owner.get('/api/memories/search?q=photo')).body).toMatchObject([{ id }]);
  });
});

describe('GET /api/memories/deleted', () => {
  it('lists the user’s deleted memories with their deletion time, latest first', async () => {
    const memories: Memory[] = [];
    for (const caption of ['first', 'second', 'third']) memories.push(await addMemory(owner, { caption }));
    const [first, second, third] = memories as [Memory, Memory, Memory];
    const other = await server.signUp();
    await deleteMemory(other, (await addMemory(other, { caption: 'not yours' })).id);
    await addMemory(owner, { caption: 'not deleted' });
    for (const { id } of [second, third, first]) {
      now = new Date(now.getTime() + 1000);
      await deleteMemory(owner, id);
    }
    const response = await owner.get('/api/memories/deleted');
    const ago = (ms: number) => new Date(now.getTime() - ms).toISOString();
    expect(response.body).toEqual([
      { ...first, deletedAt: ago(0) },
      { ...third, deletedAt: ago(1000) },
      { ...second, deletedAt: ago(2000) },
    ]);
    expect(response.headers.get('Link')).toBeNull();
    expect(response.headers.get('Cache-Control')).toBe('private, no-cache');
    expect(await trash(other)).toEqual(['not yours']);
    expect((await server.visitor().get('/api/memories/deleted')).status).toBe(401);
  });

  it('paginates without gaps or duplicates, also within one millisecond', async () => {
    for (const caption of ['a', 'b', 'c', 'd', 'e']) {
      const { id } = await addMemory(owner, { caption });
      await deleteMemory(owner, id);
      if (caption === 'b') now = new Date(now.getTime() + 1);
    }
    const pages = async (limit: number) =>
      (await readPages(owner, `/api/memories/deleted?limit=${limit}`)).map((page) =>
        DeletedMemoryList.parse(page).map(({ caption }) => caption),
      );
    expect(await trash(owner)).toEqual(['e', 'd', 'c', 'b', 'a']);
    expect(await pages(2)).toEqual([['e', 'd'], ['c', 'b'], ['a']]);
    expect(await pages(1)).toHaveLength(5);
    expect(await pages(5)).toHaveLength(1);
  });

  it('rejects invalid limits and cursors', async () => {
    await addMemory(owner);
    await addMemory(owner);
    const { headers } = await owner.get('/api/memories?limit=1');
    const ofOtherList = /cursor=([\w-]+)/.exec(headers.get('Link') ?? '')?.[1] ?? '';
    const encode = (text: string) => Buffer.from(text).toString('base64url');
    const cursors = [
      '',
      'abc',
      ofOtherList,
      encode(`["deleted",253402300800000,"${NOT_THERE}"]`),
      encode(`["deleted",-1,"${NOT_THERE}"]`),
      encode(`["deleted",1.5,"${NOT_THERE}"]`),
      encode(`["deleted",1,"no-uuid"]`),
      encode(`["Rex","${NOT_THERE}"]`),
    ];
    expect(ofOtherList).not.toBe('');
    for (const query of ['limit=0', 'limit=1001', 'limit=ten', ...cursors.map((each) => `cursor=${each}`)]) {
      expect([query, (await owner.get(`/api/memories/deleted?${query}`)).status]).toEqual([query, 422]);
    }
    for (const instant of [0, 253402300799999]) {
      const cursor = encode(`["deleted",${instant},"${NOT_THERE}"]`);
      expect((await owner.get(`/api/memories/deleted?cursor=${cursor}`)).status).toBe(200);
    }
  });
});

describe('DELETE /api/memories/deleted/:id', () => {
  it('deletes the memory with its image and variants, and nothing else', async () => {
    const [gone, stays] = [await addMemory(owner), await addMemory(owner)];
    await server.drainJobs();
    const objects = await objectsOf(server, owner.userId, gone);
    const others = await objectsOf(server, owner.userId, stays);
    await deleteMemory(owner, gone.id);
    await deleteMemory(owner, stays.id);
    expect((await deleteForGood(owner, gone.id)).status).toBe(204);
    expect((await owner.get(gone.imageUrl)).status).toBe(404);
    await server.drainJobs();
    expect(await objects.stored()).toEqual([]);
    expect(await others.stored()).toHaveLength(5);
    expect((await owner.get('/api/memories/deleted')).body).toMatchObject([{ id: stays.id }]);
    expect((await restore(owner, stays.id)).status).toBe(200);
    expect((await owner.get(stays.imageUrl)).status).toBe(200);
  });

  it('responds with 404 for memories outside this user’s trash', async () => {
    const memory = await addMemory(owner);
    expect((await deleteForGood(owner, memory.id)).status).toBe(404);
    expect((await owner.get('/api/memories')).body).toEqual([memory]);
    await deleteMemory(owner, memory.id);
    expect((await deleteForGood(await server.signUp(), memory.id)).status).toBe(404);
    expect(await trash(owner)).toHaveLength(1);
    for (const id of [NOT_THERE, 'no-uuid']) expect((await deleteForGood(owner, id)).status).toBe(404);
  });

  it('succeeds once for concurrent requests', async () => {
    const memory = await addMemory(owner);
    await deleteMemory(owner, memory.id);
    const responses = await Promise.all([1, 2, 3].map(() => deleteForGood(owner, memory.id)));
    expect(responses.map((each) => each.status).sort()).toEqual([204, 404, 404]);
  });

  it('leaves a memory that is restored first', async () => {
    const memory = await addMemory(owner);
    const objects = await objectsOf(server, owner.userId, memory);
    await deleteMemory(owner, memory.id);
    const held = await server.context.db.transaction(async (tx) => {
      await restoreMemoryRow(tx, owner.userId, memory.id, now);
      const waiting = deleteForGood(owner, memory.id);
      await waitForBlockedConnection(server.databaseUrl);
      return { waiting };
    });
    expect((await held.waiting).status).toBe(404);
    await server.drainJobs();
    expect((await owner.get('/api/memories')).body).toEqual([memory]);
    expect(await objects.stored()).toHaveLength(5);
  });

  it('leaves nothing to restore when it is first', async () => {
    const memory = await addMemory(owner);
    const objects = await objectsOf(server, owner.userId, memory);
    await deleteMemory(owner, memory.id);
    const held = await server.context.db.transaction(async (tx) => {
      await purgeMemory(server.context, tx, owner.userId, memory.id);
      const waiting = restore(owner, memory.id);
      await waitForBlockedConnection(server.databaseUrl);
      return { waiting };
    });
    expect((await held.waiting).status).toBe(404);
    await server.drainJobs();
    expect((await owner.get('/api/memories')).body).toEqual([]);
    expect(await objects.stored()).toEqual([]);
  });
});
