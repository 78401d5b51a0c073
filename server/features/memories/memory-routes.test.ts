import { beforeEach, describe, expect, it } from 'vitest';
import type { Memory } from '#shared/album/memory';
import { readPages } from '../../testing/clients/read-pages.ts';
import type { TestClient } from '../../testing/clients/test-client.ts';
import { addMemory, addPet, insertPet } from '../../testing/data/factories.ts';
import { startTestServer } from '../../testing/test-server.ts';

let now = new Date('2026-01-01T00:00:00Z');

const server = await startTestServer({
  overrides: { clock: { now: () => now } },
  env: { UPLOADS_PER_MINUTE: '1000' },
});
let owner: TestClient & { userId: string };
beforeEach(async () => {
  owner = await server.signUp();
});

const captions = (body: unknown) => (body as Memory[]).map((each) => each.caption);

describe('GET /api/memories', () => {
  it('lists the user’s own memories, newest first', async () => {
    const other = await server.signUp();
    for (const [hour, caption] of [
      [1, 'first'],
      [3, 'third'],
      [2, 'second'],
    ] as const) {
      now = new Date(Date.UTC(2026, 0, 1, hour));
      await addMemory(owner, { caption });
    }
    await addMemory(other, { caption: 'not yours' });
    const response = await owner.get('/api/memories');
    expect(captions(response.body)).toEqual(['third', 'second', 'first']);
    expect(response.headers.get('Link')).toBeNull();
    expect(captions((await other.get('/api/memories')).body)).toEqual(['not yours']);
  });

  it('paginates without gaps or duplicates, also within one millisecond', async () => {
    now = new Date('2026-02-01T10:00:00.123Z');
    for (let each = 1; each <= 5; each++) await addMemory(owner, { caption: `photo ${each}` });
    const pages = (await readPages(owner, '/api/memories?limit=2')).map(captions);
    expect(pages.map((page) => page.length)).toEqual([2, 2, 1]);
    expect(pages.flat()).toEqual(captions((await owner.get('/api/memories')).body));
  });

  it('has no next page after an exactly full one', async () => {
    await addMemory(owner);
    await addMemory(owner);
    expect(await readPages(owner, '/api/memories?limit=2')).toHaveLength(1);
  });

  it('rejects invalid limits and cursors', async () => {
    const cursorAt = (instant: number) =>
      Buffer.from(JSON.stringify(['added', instant, owner.userId])).toString('base64url');
    expect((await owner.get(`/api/memories?cursor=${cursorAt(253402300799999)}`)).status).toBe(200);
    for (const query of [
      `cursor=${cursorAt(253402300800000)}`,
      'limit=0',
      'limit=1001',
      'limit=-1',
      'limit=ten',
      'limit=1&limit=2',
      'cursor=abc',
      'cursor=',
    ]) {
      const response = await owner.get(`/api/memories?${query}`);
      expect([query, response.status]).toEqual([query, 422]);
    }
  });
});

describe('GET /api/memories/stats', () => {
  it('counts months and days in the browser’s time zone', async () => {
    // In Auckland (UTC+13) all three are on March 1; in UTC two of them are still in February.
    for (const instant of ['2026-02-28T11:30:00Z', '2026-02-28T23:00:00Z', '2026-03-01T10:00:00Z']) {
      now = new Date(instant);
      await addMemory(owner);
    }
    const stats = async (zone: string) =>
      (await owner.get('/api/memories/stats', { 'X-Time-Zone': zone })).body;
    expect(await stats('Pacific/Auckland')).toEqual({ total: 3, thisMonth: 3, daysActive: 1 });
    expect(await stats('UTC')).toEqual({ total: 3, thisMonth: 1, daysActive: 2 });
    expect(await stats('America/Los_Angeles')).toEqual({ total: 3, thisMonth: 1, daysActive: 2 });
  });

  it('counts the memories that match a pet and a search', async () => {
    const pet = await addPet(owner);
    await addMemory(owner, { petId: pet.id, caption: 'First snow' });
    await addMemory(owner, { petId: pet.id, caption: 'Lake' });
    await addMemory(owner, { caption: 'Snow again' });
    const totals = ['', `petId=${pet.id}`, 'q=snow', `petId=${pet.id}&q=snow`, 'petId=&q='].map(
      async (query) => {
        const { body } = await owner.get(`/api/memories/stats?${query}`);
        return (body as { total: number }).total;
      },
    );
    expect(await Promise.all(totals)).toEqual([3, 2, 2, 1, 3]);
    const other = await server.signUp();
    expect((await other.get(`/api/memories/stats?petId=${pet.id}`)).status).toBe(404);
    expect((await other.get('/api/memories/stats?q=snow')).body).toMatchObject({ total: 0 });
  });

  it('returns zeros for an empty album, and varies by time zone', async () => {
    const response = await (await server.signUp()).get('/api/memories/stats');
    expect(response.body).toEqual({ total: 0, thisMonth: 0, daysActive: 0 });
    expect(response.headers.get('Vary')).toContain('X-Time-Zone');
  });
});

describe('PATCH /api/memories/:id', () => {
  const patch = (client: TestClient, id: string, json: object) =>
    client.request('PATCH', `/api/memories/${id}`, { json });

  it('changes only the given fields, also in concurrent edits', async () => {
    const memory = await addMemory(owner, {
      caption: 'before',
      tags: 'a, b',
      memoryDate: '2026-03-01T08:30',
    });
    const petId = await insertPet(server.context.db, owner.userId);
    const edits = await Promise.all([
      patch(owner, memory.id, { caption: ' after ' }),
      patch(owner, memory.id, { tags: ['c', ' ', 'd'] }),
      patch(owner, memory.id, { isLiked: true }),
      patch(owner, memory.id, { memoryDate: '2026-03-02' }),
      patch(owner, memory.id, { petId }),
    ]);
    expect(edits.map((each) => each.status)).toEqual([200, 200, 200, 200, 200]);
    const [now] = (await owner.get('/api/memories')).body as Memory[];
    expect(now).toEqual({
      ...memory,
      ...{ caption: 'after', tags: ['c', 'd'], isLiked: true, memoryDate: '2026-03-02T08:30', petId },
    });
  });

  it('keeps the time when only the date changes, and clears both together', async () => {
    const { id } = await addMemory(owner, { memoryDate: '2026-03-01T08:30' });
    expect((await patch(owner, id, { memoryDate: '2026-03-02' })).body).toMatchObject({
      memoryDate: '2026-03-02T08:30',
    });
    expect((await patch(owner, id, { memoryDate: '2026-03-02T23:59' })).body).toMatchObject({
      memoryDate: '2026-03-02T23:59',
    });
    expect((await patch(owner, id, { memoryDate: null })).body).toMatchObject({ memoryDate: null });
    expect((await patch(owner, id, { memoryDate: '2026-04-01' })).body).toMatchObject({
      memoryDate: '2026-04-01',
    });
  });

  it('clears the time alone, also with another day', async () => {
    const { id } = await addMemory(owner, { memoryDate: '2026-03-01T08:30' });
    expect((await patch(owner, id, { memoryTime: null })).body).toMatchObject({ memoryDate: '2026-03-01' });
    await patch(owner, id, { memoryDate: '2026-03-01T08:30' });
    expect((await patch(owner, id, { memoryDate: '2026-03-02', memoryTime: null })).body).toMatchObject({
      memoryDate: '2026-03-02',
    });
    expect((await patch(owner, id, { memoryTime: '09:00' })).status).toBe(422);
  });

  it('clears empty fields, and adds and removes a pet', async () => {
    const { id } = await addMemory(owner, { caption: 'words', tags: 'a' });
    const petId = await insertPet(server.context.db, owner.userId);
    expect((await patch(owner, id, { petId, caption: '', tags: '' })).body).toMatchObject({
      petId,
      caption: null,
      tags: [],
    });
    expect((await patch(owner, id, { petId: null })).body).toMatchObject({ petId: null });
  });

  it('responds with 404 for memories and pets of other users, and changes nothing', async () => {
    const other = await server.signUp();
    const memory = await addMemory(owner, { caption: 'mine' });
    const foreignPet = await insertPet(server.context.db, other.userId);
    expect((await patch(other, memory.id, { caption: 'theirs' })).status).toBe(404);
    expect((await patch(owner, memory.id, { caption: 'changed', petId: foreignPet })).status).toBe(404);
    expect(captions((await owner.get('/api/memories')).body)).toEqual(['mine']);
  });

  it('names invalid fields', async () => {
    const { id } = await addMemory(owner);
    for (const wrong of [{ isLiked: 'yes' }, { memoryDate: '2026-02-30' }, { tags: [1] }, { caption: 5 }]) {
      const response = await patch(owner, id, wrong);
      expect([response.status, Object.keys((response.body as { fields: object }).fields)]).toEqual([
        422,
        Object.keys(wrong),
      ]);
    }
  });
});
