import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { MemoryList, MemoryStats } from '#shared/memory';
import { PetList } from '#shared/pet';
import type { TestClient } from '../testing/test-client.ts';
import { startTestServer, type TestServer } from '../testing/test-server.ts';
import { dayOf } from './demo-dates.ts';
import { DEMO_PETS } from './demo-pets.ts';
import { DEMO_STORIES } from './demo-memories.ts';
import { drawPicture } from './drawing/draw-picture.ts';
import { DEMO_ACCOUNT, makeDemo } from './create-demo-account.ts';

const SMALL = { scale: 0.05 };
const NOW = new Date('2026-06-15T12:00:00Z');

let server: TestServer;

beforeAll(async () => {
  server = await startTestServer({ overrides: { clock: { now: () => NOW } } });
});

async function signIn(): Promise<TestClient | null> {
  const visitor = server.visitor();
  const response = await visitor.post('/api/login', DEMO_ACCOUNT);
  return response.status === 200 ? visitor : null;
}

async function list(client: TestClient, query = '') {
  return MemoryList.parse((await client.get(`/api/memories${query}`)).body);
}

describe('the demo', () => {
  it('leaves nothing to be seen when it is ended in the middle, and begins anew', async () => {
    let written = 0;
    const { storage } = server.context;
    const failing = {
      ...storage,
      write: (...object: Parameters<typeof storage.write>) =>
        ++written > 5 ? Promise.reject(new Error('the disk is full')) : storage.write(...object),
    };
    await expect(makeDemo({ ...server.context, storage: failing }, SMALL)).rejects.toThrow('disk is full');
    expect(await signIn()).toBeNull();

    await makeDemo(server.context, SMALL);
    expect(await list((await signIn()) as TestClient)).toHaveLength(DEMO_STORIES.length);
  });

  it('is made once: what its visitor has changed stays', async () => {
    const visitor = (await signIn()) as TestClient;
    const [newest] = await list(visitor);
    await visitor.request('DELETE', `/api/memories/${newest?.id}`);
    await makeDemo(server.context, SMALL);
    expect(await list(visitor)).toHaveLength(DEMO_STORIES.length - 1);
    await visitor.post(`/api/memories/${newest?.id}/restore`);
    expect(await list(visitor)).toHaveLength(DEMO_STORIES.length);
  });

  it('shows three years of memories, found by their words, each with its own picture', async () => {
    const visitor = (await signIn()) as TestClient;
    const memories = await list(visitor);
    const stats = MemoryStats.parse((await visitor.get('/api/memories/stats')).body);
    expect(stats.total).toBe(memories.length);
    const days = memories.map(({ createdAt }) => createdAt.slice(0, 10));
    expect([days[0], days.at(-1)]).toEqual(['2026-06-14', '2023-06-26']);
    const found = await list(visitor, '/search?q=snow');
    expect(found.map(({ caption }) => caption)).toContain('First snow! He tried to eat all of it.');
    const picture = await visitor.get(`${found[0]?.imageUrl}?w=200`);
    expect(picture.headers.get('content-type')).toBe('image/webp');
    expect(await readdir(join(server.dataDir, 'objects/originals'))).toHaveLength(
      DEMO_STORIES.length + DEMO_PETS.filter(({ portrait }) => portrait).length,
    );
  });

  it('has a pet for everybody in it, one without a picture', async () => {
    const visitor = (await signIn()) as TestClient;
    const pets = PetList.parse((await visitor.get('/api/pets')).body);
    expect(pets.filter((pet) => !pet.profileImageUrl).map(({ name }) => name)).toEqual(['Pip']);
    const otto = pets.find(({ name }) => name === 'Otto');
    const oldest = (await list(visitor, `?petId=${otto?.id}&order=taken`)).at(-1);
    expect(oldest).toMatchObject({ memoryDate: '2009-05-30', createdAt: '2024-07-25T20:15:00.000Z' });
  });
});

describe('a picture of the demo', () => {
  it('is the same whenever it is drawn', async () => {
    const [first, second] = DEMO_STORIES.map(({ picture }) => ({ ...picture, seed: 7 }));
    if (!first || !second) throw new Error('There are no pictures');
    const drawn = await drawPicture(first, 0.1);
    expect(drawn.equals(await drawPicture(first, 0.1))).toBe(true);
    expect(drawn.equals(await drawPicture(second, 0.1))).toBe(false);
    expect(drawn.equals(await drawPicture({ ...first, seed: 8 }, 0.1))).toBe(false);
  });
});

describe('a day of the demo', () => {
  it.each([
    ['2026-06-15', { on: '06-12', yearsAgo: 0 }, '2026-06-12'],
    ['2026-06-15', { on: '06-14', yearsAgo: 0 }, '2025-06-14'],
    ['2026-06-15', { on: '12-24', yearsAgo: 1 }, '2024-12-24'],
    ['2026-01-01', { on: '12-31', yearsAgo: 0 }, '2024-12-31'],
    ['2026-03-01', { daysAgo: 1 }, '2026-02-28'],
  ])('seen from %s, %j is %s', (today, when, day) => {
    expect(dayOf(when, today)).toBe(day);
  });
});
