import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { User } from '#shared/accounts/user';
import { MemoryList, MemoryStats } from '#shared/album/memory';
import { PetList } from '#shared/album/pet';
import type { TestClient } from '../testing/clients/test-client.ts';
import { startTestServer } from '../testing/test-server.ts';
import { createDemoAccount, DEMO_ACCOUNT } from './create-demo-account.ts';
import { resolveDemoDate } from './demo-dates.ts';
import { DEMO_MEMORIES } from './demo-memories.ts';
import { DEMO_PETS } from './demo-pets.ts';
import { DEMO_PHOTOS_DIR } from './demo-photos.ts';

const NOW = new Date('2026-06-15T12:00:00Z');

const server = await startTestServer({ overrides: { clock: { now: () => NOW } } });

async function signIn(): Promise<TestClient | null> {
  const visitor = server.visitor();
  const response = await visitor.post('/api/login', DEMO_ACCOUNT);
  return response.status === 200 ? visitor : null;
}

async function list(client: TestClient, query = '') {
  return MemoryList.parse((await client.get(`/api/memories${query}`)).body);
}

describe('createDemoAccount', () => {
  it('creates nothing visible when interrupted, and starts over', async () => {
    let written = 0;
    const { storage } = server.context;
    const failing = {
      ...storage,
      write: (...object: Parameters<typeof storage.write>) =>
        ++written > 5 ? Promise.reject(new Error('the disk is full')) : storage.write(...object),
    };
    await expect(createDemoAccount({ ...server.context, storage: failing })).rejects.toThrow('disk is full');
    expect(await signIn()).toBeNull();

    await createDemoAccount(server.context);
    expect(await list((await signIn()) as TestClient)).toHaveLength(DEMO_MEMORIES.length);
  });

  it('is an administrator only where nobody else can sign in: everybody knows its password', async () => {
    const visitor = (await signIn()) as TestClient;
    const isAdmin = async () => User.parse((await visitor.get('/api/user')).body).isAdmin;
    expect(await isAdmin()).toBe(true);
    const { config } = server.context;
    const http = { ...config.http, isOnlyLocal: false };
    await createDemoAccount({ ...server.context, config: { ...config, http } });
    expect(await isAdmin()).toBe(false);
    await createDemoAccount(server.context);
    expect(await isAdmin()).toBe(true);
  });

  it('leaves an existing demo account unchanged', async () => {
    const visitor = (await signIn()) as TestClient;
    const [newest] = await list(visitor);
    await visitor.request('DELETE', `/api/memories/${newest?.id}`);
    await createDemoAccount(server.context);
    expect(await list(visitor)).toHaveLength(DEMO_MEMORIES.length - 1);
    await visitor.post(`/api/memories/${newest?.id}/restore`);
    expect(await list(visitor)).toHaveLength(DEMO_MEMORIES.length);
  });

  it('creates searchable memories over three years, each with its own image', async () => {
    const visitor = (await signIn()) as TestClient;
    const memories = await list(visitor);
    const stats = MemoryStats.parse((await visitor.get('/api/memories/stats')).body);
    expect(stats.total).toBe(memories.length);
    const days = memories.map(({ createdAt }) => createdAt.slice(0, 10));
    expect([days[0], days.at(-1)]).toEqual(['2026-06-14', '2023-06-26']);
    const found = await list(visitor, '/search?q=snow');
    expect(found.map(({ caption }) => caption)).toContain('First snow! He tried to eat all of it.');
    const image = await visitor.get(`${found[0]?.imageUrl}?w=200`);
    expect(image.headers.get('content-type')).toBe('image/webp');
    expect(await readdir(join(server.dataDir, 'objects/originals'))).toHaveLength(
      DEMO_MEMORIES.length + DEMO_PETS.filter(({ portrait }) => portrait).length,
    );
  });

  it('creates all pets, one of them without a profile picture', async () => {
    const visitor = (await signIn()) as TestClient;
    const pets = PetList.parse((await visitor.get('/api/pets')).body);
    expect(pets.filter((pet) => !pet.profileImageUrl).map(({ name }) => name)).toEqual(['Pip']);
    const otto = pets.find(({ name }) => name === 'Otto');
    const oldest = (await list(visitor, `?petId=${otto?.id}&order=taken`)).at(-1);
    expect(oldest).toMatchObject({ memoryDate: '2009-05-30', createdAt: '2024-07-25T20:15:00.000Z' });
  });
});

describe('the demo photos', () => {
  it('are each used by exactly one memory or pet', async () => {
    const used = [...DEMO_MEMORIES.map(({ photo }) => photo), ...DEMO_PETS.map(({ portrait }) => portrait)];
    expect(used.filter(Boolean).sort()).toEqual((await readdir(DEMO_PHOTOS_DIR)).sort());
  });
});

describe('resolveDemoDate', () => {
  it.each([
    ['2026-06-15', { on: '06-12', yearsAgo: 0 }, '2026-06-12'],
    ['2026-06-15', { on: '06-14', yearsAgo: 0 }, '2025-06-14'],
    ['2026-06-15', { on: '12-24', yearsAgo: 1 }, '2024-12-24'],
    ['2026-01-01', { on: '12-31', yearsAgo: 0 }, '2024-12-31'],
    ['2026-03-01', { daysAgo: 1 }, '2026-02-28'],
  ])('on %s resolves %j to %s', (today, date, day) => {
    expect(resolveDemoDate(date, today)).toBe(day);
  });
});
