import { describe, expect, it } from 'vitest';
import type { FeaturedMemory } from '#shared/album/memory';
import type { TestClient } from '../../../testing/clients/test-client.ts';
import { addMemory, deleteMemory } from '../../../testing/data/factories.ts';
import { startTestServer } from '../../../testing/test-server.ts';

let now = new Date('2026-06-01T12:00:00Z');

const server = await startTestServer({ overrides: { clock: { now: () => now } } });

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

  it('else is a loved one, the same all day, whose turn an added one leaves or takes', async () => {
    const owner = await server.signUp();
    now = new Date('2026-07-10T12:00:00Z');
    await addMemory(owner);
    let today: string | undefined;
    for (let index = 0; index < 8; index++) {
      const { id } = await addMemory(owner);
      await love(owner, id);
      const shown = await featured(owner);
      expect(shown).toMatchObject({ reason: 'loved', yearsAgo: null, memory: { isLiked: true } });
      expect([today ?? id, id]).toContain(shown?.memory.id);
      expect(await featured(owner)).toEqual(shown);
      today = shown?.memory.id;
    }
    const shownIds = new Set<string | undefined>();
    for (let day = 0; day < 40; day++) {
      now = new Date(now.getTime() + 24 * 60 * 60 * 1000);
      shownIds.add((await featured(owner))?.memory.id);
    }
    expect(shownIds.size, 'another on other days').toBeGreaterThan(1);
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
