import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { objectsOf } from '../../testing/assertions/stored-objects.ts';
import { createTestClient, type TestClient } from '../../testing/clients/test-client.ts';
import {
  askForCaricature,
  beginCaricature,
  signUpWithPet,
  type PetOwner,
} from '../../testing/data/caricatures.ts';
import { addMemory } from '../../testing/data/factories.ts';
import { startTestServer, type TestServer } from '../../testing/test-server.ts';

const SESSION_SECRET = 'the same one at both of the servers';
const LIMITS = { CARICATURES_PER_DAY: '3', CARICATURES_PER_MONTH: '5' };

let now = new Date('2026-06-30T20:00:00Z');
const overrides = { clock: { now: () => now } };

const optionsOf = async (client: TestClient) => (await client.get('/api/caricatures/options')).body;

describe('the daily limit', () => {
  /** Two processes on one database. */
  let here: TestServer;
  let there: TestServer;
  let owner: PetOwner;
  beforeAll(async () => {
    here = await startTestServer({ env: { ...LIMITS, SESSION_SECRET }, overrides });
    const env = { ...LIMITS, SESSION_SECRET, DATABASE_URL: here.databaseUrl };
    there = await startTestServer({ env, overrides });
  });
  afterAll(() => there.close());
  beforeEach(async () => {
    owner = await signUpWithPet(here);
  });

  it('refunds a failed caricature, but not a completed or deleted one', async () => {
    // This server first, since it runs the jobs.
    await here.drainJobs();
    const photo = await objectsOf(here, owner.userId, owner.memory);
    const stored = await photo.stored();
    const lost = await Promise.all(stored.map((key) => here.context.storage.read(key)));
    for (const key of stored) await here.context.storage.delete(key);
    const failing = await beginCaricature(owner);
    expect(await optionsOf(owner)).toMatchObject({ remaining: 2 });
    await here.drainJobs();
    expect(await optionsOf(owner)).toMatchObject({ remaining: 3 });

    for (const [index, key] of stored.entries())
      await here.context.storage.write(key, lost[index] ?? Buffer.alloc(0), '');
    await owner.post(`/api/caricatures/${failing.id}/redo`);
    expect(await optionsOf(owner)).toMatchObject({ remaining: 2 });
    await here.drainJobs();
    expect(await optionsOf(owner)).toMatchObject({ remaining: 2 });
    const deleted = await beginCaricature(owner, { style: 'pencil' });
    await owner.request('DELETE', `/api/caricatures/${deleted.id}`);
    await here.drainJobs();
    expect(await optionsOf(owner)).toMatchObject({ remaining: 1 });
  });

  it('counts down and resets at midnight UTC', async () => {
    expect(await optionsOf(owner)).toMatchObject({ enabled: true, remaining: 3, limit: 3 });
    expect((await owner.get('/api/config')).body).toMatchObject({ caricaturesEnabled: true });
    for (const style of ['comic', 'pencil', 'pop-art'] as const) await beginCaricature(owner, { style });
    expect(await optionsOf(owner)).toMatchObject({ remaining: 0, limit: 3 });
    const rejected = await askForCaricature(owner, { style: 'watercolour' });
    expect([rejected.status, rejected.headers.get('Retry-After')]).toEqual([429, String(4 * 60 * 60)]);
    expect(rejected.body).toEqual({
      message: 'You have used all of today’s caricatures. Please try again in 4 hours.',
      code: 'too-many-requests',
    });
    // A generating one is not counted again.
    expect((await askForCaricature(owner, { style: 'pencil' })).status).toBe(202);
    // In the client's time zone it is already tomorrow.
    const elsewhere = { 'X-Time-Zone': 'Pacific/Auckland' };
    expect((await owner.get('/api/caricatures/options', elsewhere)).body).toMatchObject({ remaining: 0 });

    now = new Date('2026-07-01T00:00:00Z');
    expect(await optionsOf(owner)).toMatchObject({ remaining: 3 });
    await beginCaricature(owner, { style: 'watercolour' });
    expect(await optionsOf(owner)).toMatchObject({ remaining: 2 });
  });

  it('cannot be exceeded by concurrent processes', async () => {
    const memories = [owner.memory, await addMemory(owner), await addMemory(owner), await addMemory(owner)];
    const atThere = createTestClient(there.origin);
    atThere.setCookie(owner.cookie());
    const elsewhere: PetOwner = Object.assign(atThere, {
      userId: owner.userId,
      pet: owner.pet,
      memory: owner.memory,
    });
    const responses = await Promise.all(
      memories.flatMap((memory) => [
        askForCaricature(owner, { memory, style: 'comic' }),
        askForCaricature(elsewhere, { memory, style: 'pencil' }),
      ]),
    );
    const statuses = responses.map(({ status }) => status).sort();
    expect(statuses).toEqual([202, 202, 202, 429, 429, 429, 429, 429]);
    expect(await optionsOf(elsewhere)).toMatchObject({ remaining: 0 });
  });

  it('of 0 turns caricatures off', async () => {
    const without = await startTestServer({ env: { CARICATURES_PER_DAY: '0' } });
    const client = await signUpWithPet(without);
    expect(await optionsOf(client)).toMatchObject({
      enabled: false,
      remaining: 0,
      limit: 0,
      service: null,
    });
    expect((await client.get('/api/config')).body).toMatchObject({ caricaturesEnabled: false });
    expect((await askForCaricature(client)).status).toBe(403);
    await without.close();
  });
});
