import { v7 as uuidv7 } from 'uuid';
import { beforeEach, describe, expect, it } from 'vitest';
import { type Memory, MemoryMonthList } from '#shared/album/memory';
import { caricatures } from '../../../platform/db/schema/album/caricatures.ts';
import { readPages } from '../../../testing/clients/read-pages.ts';
import type { TestClient } from '../../../testing/clients/test-client.ts';
import { addMemory, addPet } from '../../../testing/data/factories.ts';
import { startTestServer } from '../../../testing/test-server.ts';

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

async function list(client: TestClient, query = ''): Promise<(string | null)[]> {
  return captions((await client.get(`/api/memories?${query}`)).body);
}

/** With a time zone, which the server stores for this owner. */
async function readMonths(client: TestClient, query: string, zone = 'UTC'): Promise<MemoryMonthList> {
  const response = await client.get(`/api/memories/months?${query}`, { 'X-Time-Zone': zone });
  expect(response.headers.get('Vary')).toContain('X-Time-Zone');
  return MemoryMonthList.parse(response.body);
}

/** Each month's cursor leads to its memories, and all months together are the list. */
async function expectToFollowList(client: TestClient, months: MemoryMonthList, query: string): Promise<void> {
  const all = await list(client, query);
  let position = 0;
  for (const { count, cursor } of months) {
    expect(await list(client, `${query}&cursor=${cursor}&limit=${count}`)).toEqual(
      all.slice(position, position + count),
    );
    position += count;
  }
  expect(position).toBe(all.length);
}

/** Six photos: dated, timed and undated ones, three of them added within one millisecond. */
async function addAlbum(owner: TestClient): Promise<void> {
  const add = (instant: string, caption: string, memoryDate = '') => {
    now = new Date(instant);
    return addMemory(owner, { caption, memoryDate });
  };
  // Like an imported album: its id sorts before the others', its time of adding after.
  await add('2026-04-02T10:00:00Z', 'same minute of 2020', '2020-05-31T08:30');
  await add('2026-03-01T10:00:00.123Z', 'morning of 2020', '2020-05-31T08:30');
  await add('2026-03-01T10:00:00.123Z', 'undated');
  await add('2026-03-01T10:00:00.123Z', 'undated too');
  await add('2026-03-02T10:00:00Z', 'evening of 2020', '2020-05-31T20:30');
  await add('2026-04-03T10:00:00Z', 'some time of 2020', '2020-05-31');
}

const BY_TAKEN = [
  'undated too',
  'undated',
  'evening of 2020',
  'same minute of 2020',
  'morning of 2020',
  'some time of 2020',
];

describe('GET /api/memories?order=taken', () => {
  it('sorts by memory date, else by day added, then by time added', async () => {
    await addAlbum(owner);
    expect(await list(owner, 'order=taken')).toEqual(BY_TAKEN);
    expect((await list(owner, 'order=added'))[0]).toBe('some time of 2020');
    expect(await list(owner)).toEqual(await list(owner, 'order=added'));
  });

  it.each(['added', 'taken'])('paginates without gaps or duplicates, by %s', async (order) => {
    await addAlbum(owner);
    for (const limit of [1, 2, 4]) {
      const pages = (await readPages(owner, `/api/memories?order=${order}&limit=${limit}`)).map(captions);
      expect(pages.flat()).toEqual(await list(owner, `order=${order}`));
    }
  });

  it('uses the owner’s time zone for the day added', async () => {
    now = new Date('2026-02-28T11:30:00Z');
    await owner.get('/api/memories', { 'X-Time-Zone': 'Pacific/Auckland' });
    await addMemory(owner, { caption: 'added on March 1' });
    await owner.get('/api/memories', { 'X-Time-Zone': 'America/Los_Angeles' });
    await addMemory(owner, { caption: 'added on February 28' });
    await addMemory(owner, { caption: 'taken on February 28 at noon', memoryDate: '2026-02-28T12:00' });
    expect(await list(owner, 'order=taken')).toEqual([
      'added on March 1',
      'taken on February 28 at noon',
      'added on February 28',
    ]);
  });

  it('rejects unknown orders and cursors of the other order', async () => {
    await addAlbum(owner);
    const cursorOf = async (order: string) =>
      /cursor=([\w-]+)/.exec(
        (await owner.get(`/api/memories?order=${order}&limit=1`)).headers.get('Link') ?? '',
      )?.[1];
    const cursorOn = (day: string) =>
      Buffer.from(JSON.stringify(['taken', `${day} 10:00:00`, 1, owner.userId])).toString('base64url');
    expect((await owner.get(`/api/memories?order=taken&cursor=${cursorOn('2026-02-28')}`)).status).toBe(200);
    for (const query of [
      'order=newest',
      'order=',
      'order=added&order=taken',
      `order=taken&cursor=${await cursorOf('added')}`,
      `order=added&cursor=${await cursorOf('taken')}`,
      `order=taken&cursor=${cursorOn('2026-02-30')}`,
    ]) {
      for (const path of ['/api/memories', '/api/memories/search']) {
        expect([query, (await owner.get(`${path}?${query}`)).status]).toEqual([query, 422]);
      }
    }
  });
});

describe('GET /api/memories?petId=', () => {
  it('lists the pet’s memories; an empty value means all', async () => {
    const pet = await addPet(owner);
    for (const each of ['one', 'two', 'three']) await addMemory(owner, { caption: each, petId: pet.id });
    await addMemory(owner, { caption: 'of no pet' });
    expect(await list(owner, `petId=${pet.id}`)).toEqual(['three', 'two', 'one']);
    expect((await readPages(owner, `/api/memories?petId=${pet.id}&limit=2`)).map(captions)).toEqual([
      ['three', 'two'],
      ['one'],
    ]);
    expect(await list(owner, 'petId=')).toHaveLength(4);
    expect(await list(owner, `petId=${(await addPet(owner)).id}`)).toEqual([]);
  });

  it('responds with 404 for unknown pets and those of other users, in every list', async () => {
    const foreign = await addPet(await server.signUp());
    for (const petId of [foreign.id, '01900000-0000-7000-8000-000000000001', 'no-uuid']) {
      for (const path of ['', '/search', '/ids', '/months', '/stats']) {
        const { status } = await owner.get(`/api/memories${path}?petId=${petId}`);
        expect([path, petId, status]).toEqual([path, petId, 404]);
      }
    }
  });
});

describe('GET /api/memories?ids=', () => {
  it('lists the existing memories in the list’s order', async () => {
    const first = await addMemory(owner, { caption: 'first' });
    await addMemory(owner, { caption: 'second' });
    const third = await addMemory(owner, { caption: 'third' });
    const foreign = await addMemory(await server.signUp());
    const ids = [first.id, third.id, first.id, foreign.id, '01900000-0000-7000-8000-000000000001', 'no-uuid'];
    expect(await list(owner, `ids=${ids.join(',')}`)).toEqual(['third', 'first']);
    expect(await list(owner, `ids=${foreign.id}`)).toEqual([]);
    expect(await list(owner, 'ids=')).toEqual([]);
  });

  it('rejects more than a hundred ids', async () => {
    const { id } = await addMemory(owner);
    const ids = (count: number) => Array.from({ length: count }, () => id).join(',');
    expect(await list(owner, `ids=${ids(100)}`)).toHaveLength(1);
    const rejected = await owner.get(`/api/memories?ids=${ids(101)}`);
    expect([rejected.status, rejected.body]).toEqual([
      422,
      {
        message: 'Please ask for at most 100 memories at a time',
        code: 'invalid',
        fields: { ids: 'Please ask for at most 100 memories at a time' },
      },
    ]);
  });
});

describe('GET /api/memories/ids', () => {
  it('lists the ids of the whole list in its order', async () => {
    await addAlbum(owner);
    await addMemory(await server.signUp(), { caption: 'undated, of another' });
    const idsOf = async (path: string) =>
      ((await owner.get(`/api/memories${path}`)).body as Memory[]).map((each) => each.id);
    const ids = async (query: string) => (await owner.get(`/api/memories/ids?${query}`)).body;
    expect(await ids('')).toEqual(await idsOf(''));
    expect(await ids('order=taken')).toEqual(await idsOf('?order=taken'));
    expect(await ids('order=taken&q=2020')).toEqual(await idsOf('/search?order=taken&q=2020'));
    expect(await ids('q=2020')).toHaveLength(4);
    const pet = await addPet(owner);
    const { id } = await addMemory(owner, { petId: pet.id });
    expect(await ids(`petId=${pet.id}`)).toEqual([id]);
  });

  it('rejects unknown orders', async () => {
    expect((await owner.get('/api/memories/ids?order=up')).status).toBe(422);
    expect((await owner.get('/api/memories/months?order=up')).status).toBe(422);
  });
});

describe('GET /api/memories/months', () => {
  const counts = (months: MemoryMonthList) => months.map(({ month, count }) => `${month}: ${count}`);

  it('counts by capture month and links to each month', async () => {
    await addAlbum(owner);
    await addMemory(owner, { caption: 'last minute', memoryDate: '2020-04-30T23:59' });
    await addMemory(owner, { caption: 'first minute', memoryDate: '2020-05-01T00:00' });
    await addMemory(owner, { caption: 'first year', memoryDate: '0001-01-01' });
    await addMemory(owner, { caption: 'last day', memoryDate: '9999-12-31T23:59' });
    const months = await readMonths(owner, 'order=taken');
    expect(counts(months)).toEqual(['9999-12: 1', '2026-03: 2', '2020-05: 5', '2020-04: 1', '0001-01: 1']);
    await expectToFollowList(owner, months, 'order=taken');
  });

  it('counts by month added in the browser’s time zone and links to each month', async () => {
    for (const [instant, caption] of [
      ['2026-02-28T10:59:59.999Z', 'February everywhere'],
      ['2026-02-28T11:00:00.000Z', 'March in Auckland'],
      ['2026-03-01T00:00:00.000Z', 'March in London'],
      ['2026-03-01T07:59:59.999Z', 'still February in Los Angeles'],
      ['2026-03-01T08:00:00.000Z', 'March everywhere'],
      ['2026-03-01T08:00:00.000Z', 'March everywhere too'],
    ] as const) {
      now = new Date(instant);
      await addMemory(owner, { caption });
    }
    for (const [zone, expected] of [
      ['Pacific/Auckland', ['2026-03: 5', '2026-02: 1']],
      ['UTC', ['2026-03: 4', '2026-02: 2']],
      ['America/Los_Angeles', ['2026-03: 2', '2026-02: 4']],
    ] as const) {
      const months = await readMonths(owner, 'order=added', zone);
      expect([zone, counts(months)]).toEqual([zone, expected]);
      await expectToFollowList(owner, months, 'order=added');
    }
  });

  it('counts both hours of a month that starts with a repeated hour (Havana)', async () => {
    for (const [instant, caption] of [
      ['2026-11-01T03:59:59.999Z', 'October'],
      ['2026-11-01T04:00:00.000Z', 'November in summer time'],
      ['2026-11-01T05:00:00.000Z', 'November in winter time'],
    ] as const) {
      now = new Date(instant);
      await addMemory(owner, { caption });
    }
    const months = await readMonths(owner, 'order=added', 'America/Havana');
    expect(counts(months)).toEqual(['2026-11: 2', '2026-10: 1']);
    await expectToFollowList(owner, months, 'order=added');
  });

  it('counts one pet’s months, and none for an empty album', async () => {
    expect(await readMonths(owner, '')).toEqual([]);
    const pet = await addPet(owner);
    now = new Date('2026-01-15T00:00:00Z');
    await addMemory(owner, { caption: 'hers', petId: pet.id, memoryDate: '2020-01-01' });
    await addMemory(owner, { caption: 'of no pet' });
    for (const [order, month] of [
      ['added', '2026-01'],
      ['taken', '2020-01'],
    ] as const) {
      const query = `order=${order}&petId=${pet.id}`;
      const months = await readMonths(owner, query);
      expect(counts(months)).toEqual([`${month}: 1`]);
      await expectToFollowList(owner, months, query);
    }
  });
});

describe('loved memories', () => {
  it('are a filter of lists, searches, ids and stats', async () => {
    const pet = await addPet(owner);
    const loved: Memory[] = [];
    for (const caption of ['sea', 'snow', 'sun']) {
      const memory = await addMemory(owner, { caption, petId: caption === 'sea' ? '' : pet.id });
      if (caption === 'sun') continue;
      await owner.request('PATCH', `/api/memories/${memory.id}`, { json: { isLiked: true } });
      loved.unshift(memory);
    }
    const query = 'isLiked=true';
    expect((await list(owner, query)).toSorted()).toEqual(['sea', 'snow']);
    expect(await list(owner, `${query}&petId=${pet.id}`)).toEqual(['snow']);
    expect(captions((await owner.get(`/api/memories/search?${query}&q=s`)).body).toSorted()).toEqual([
      'sea',
      'snow',
    ]);
    const ids = (await owner.get(`/api/memories/ids?${query}`)).body as string[];
    expect(ids.toSorted()).toEqual(loved.map(({ id }) => id).toSorted());
    expect((await owner.get(`/api/memories/stats?${query}`)).body).toMatchObject({ total: 2 });
    expect((await owner.get('/api/memories?isLiked=no')).status).toBe(422);
  });
});

describe('GET /api/memories/pet-counts', () => {
  it('has the number of memories and the newest photo of each pet, without the trash', async () => {
    const rex = await addPet(owner, { name: 'Rex' });
    const cat = await addPet(owner, { name: 'Tom' });
    await addPet(owner, { name: 'Without memories' });
    await addMemory(owner, { petId: rex.id });
    const ofRex = await addMemory(owner, { petId: rex.id });
    const deleted = await addMemory(owner, { petId: rex.id });
    const ofCat = await addMemory(owner, { petId: cat.id });
    await addMemory(owner);
    await owner.request('DELETE', `/api/memories/${deleted.id}`);
    const { body } = await owner.get('/api/memories/pet-counts');
    expect(body).toHaveLength(2);
    expect(body).toEqual(
      expect.arrayContaining([
        { petId: rex.id, count: 2, newestImageUrl: ofRex.imageUrl },
        { petId: cat.id, count: 1, newestImageUrl: ofCat.imageUrl },
      ]),
    );
  });

  it('has a saved caricature only for a pet without a photo', async () => {
    const [rex, cat] = [await addPet(owner, { name: 'Rex' }), await addPet(owner, { name: 'Tom' })];
    const photo = await addMemory(owner, { petId: rex.id });
    const drawings = [await addMemory(owner, { petId: rex.id }), await addMemory(owner, { petId: cat.id })];
    for (const { id } of drawings)
      await server.context.db.insert(caricatures).values({
        id: uuidv7(),
        ownerId: owner.userId,
        style: 'comic',
        generator: 'local',
        status: 'completed',
        savedMemoryId: id,
        createdAt: now,
        startedAt: now,
        countedDay: '2026-01-01',
      });
    expect((await owner.get('/api/memories/pet-counts')).body).toEqual(
      expect.arrayContaining([
        { petId: rex.id, count: 2, newestImageUrl: photo.imageUrl },
        { petId: cat.id, count: 1, newestImageUrl: drawings[1]!.imageUrl },
      ]),
    );
  });
});
