import { beforeAll, describe, expect, it } from 'vitest';
import type { FeaturedMemory } from '#shared/memory';
import { addMemory, deleteMemory } from '../../testing/factories.ts';
import type { TestClient } from '../../testing/test-client.ts';
import { startTestServer, type TestServer } from '../../testing/test-server.ts';

let server: TestServer;
let now = new Date('2026-06-01T12:00:00Z');

beforeAll(async () => {
  server = await startTestServer({ overrides: { clock: { now: () => now } } });
});

async function featured(client: TestClient, zone = 'UTC'): Promise<FeaturedMemory | null> {
  const response = await client.get('/api/memories/featured', { 'X-Time-Zone': zone });
  expect(response.headers.get('Vary')).toContain('X-Time-Zone');
  return response.body as FeaturedMemory | null;
}

const love = (client: TestClient, id: string) =>
  client.request('PATCH', `/api/memories/${id}`, { json: { isLiked: true } });
const dismiss = (client: TestClient, id: string) => client.post(`/api/memories/${id}/dismiss`);

describe('GET /api/memories/featured', () => {
  it('is null without a memory', async () => {
    expect(await featured(await server.signUp())).toBeNull();
  });

  it('is a memory of this day in the latest earlier year, in the time zone of the browser', async () => {
    const owner = await server.signUp();
    now = new Date('2026-06-01T12:00:00Z');
    await addMemory(owner, { caption: 'today', memoryDate: '2026-06-01' });
    await addMemory(owner, { caption: 'long ago', memoryDate: '2019-06-01T23:59' });
    const { id } = await addMemory(owner, { caption: 'lately', memoryDate: '2024-06-01T08:00' });
    await addMemory(owner, { caption: 'the day before', memoryDate: '2025-05-31' });
    expect(await featured(owner)).toMatchObject({
      reason: 'on-this-day',
      yearsAgo: 2,
      memory: { id, caption: 'lately' },
    });
    now = new Date('2026-06-01T01:00:00Z');
    expect(await featured(owner, 'America/Los_Angeles')).toMatchObject({
      yearsAgo: 1,
      memory: { caption: 'the day before' },
    });
    expect(await featured(await server.signUp())).toBeNull();
  });

  it('prefers the loved one of a day, and skips the trash', async () => {
    const owner = await server.signUp();
    now = new Date('2026-02-28T12:00:00Z');
    await addMemory(owner, { caption: 'another', memoryDate: '2024-02-29' });
    const { id } = await addMemory(owner, { caption: 'leap day', memoryDate: '2024-02-29' });
    await love(owner, id);
    expect(await featured(owner)).toMatchObject({ yearsAgo: 2, memory: { id, isLiked: true } });
    await deleteMemory(owner, id);
    expect(await featured(owner)).toMatchObject({ yearsAgo: 2, memory: { caption: 'another' } });
  });

  it('else is a loved one, another each day, until all were featured', async () => {
    const owner = await server.signUp();
    const ids: string[] = [];
    for (let index = 0; index < 4; index++) {
      const { id } = await addMemory(owner);
      if (index > 0) ids.push((await love(owner, id), id));
    }
    const shown: (string | undefined)[] = [];
    for (const day of [10, 11, 12]) {
      now = new Date(`2026-07-${day}T12:00:00Z`);
      const today = await featured(owner);
      expect(today).toMatchObject({ reason: 'loved', yearsAgo: null });
      expect(await featured(owner)).toEqual(today);
      shown.push(today?.memory.id);
    }
    expect(shown.toSorted()).toEqual(ids.toSorted());
  });

  it('else is one of the last added, and never a dismissed one', async () => {
    const owner = await server.signUp();
    now = new Date('2026-07-10T12:00:00Z');
    const { id } = await addMemory(owner, { caption: 'dated today', memoryDate: '2025-07-10' });
    await love(owner, id);
    const other = await addMemory(owner, { caption: 'other' });
    expect(await featured(owner)).toMatchObject({ reason: 'on-this-day', memory: { id } });
    const stranger = await server.signUp();
    expect((await dismiss(stranger, id)).status).toBe(404);
    expect([(await dismiss(owner, id)).status, (await dismiss(owner, id)).status]).toEqual([204, 204]);
    expect(await featured(owner)).toMatchObject({ reason: 'recent', memory: { id: other.id } });
    await dismiss(owner, other.id);
    expect(await featured(owner)).toBeNull();
  });
});
