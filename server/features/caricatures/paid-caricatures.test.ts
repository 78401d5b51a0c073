import { beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Caricature } from '#shared/album/caricature';
import {
  askForCaricature,
  beginCaricature,
  findCaricature,
  listCaricatures,
  signUpWithPet,
  startServerWithOpenai,
  type PetOwner,
} from '../../testing/data/caricatures.ts';
import type { OpenaiResponse, TestOpenaiServer } from '../../testing/fakes/openai-server.ts';
import type { TestServer } from '../../testing/test-server.ts';
import { TIMEOUT } from '../../testing/timing/timeout.ts';
import { updateUser } from '../accounts/users/user-queries.ts';
import { findUsedOfDay } from './caricature-usage-queries.ts';
import { expireStaleCaricaturesJob } from './expire-stale-caricatures-job.ts';
import { generateCaricatureJob } from './generate-caricature-job.ts';

const MINUTE = 60_000;
const MONTHLY = 8;
const BUSY = { status: 429, code: 'rate_limit_exceeded' };
const DECLINED = { status: 400, code: 'moderation_blocked' };
const BROKEN = { status: 500, type: 'server_error' };

let server: TestServer;
let openai: TestOpenaiServer;
let owner: PetOwner;
let now = new Date('2026-01-31T12:00:00Z');
/** The counts before the test. */
let before = { calls: 0, taken: 0 };

beforeAll(async () => {
  ({ server, openai } = await startServerWithOpenai({
    env: { CARICATURES_PER_MONTH: String(MONTHLY) },
    overrides: { clock: { now: () => now } },
  }));
});
beforeEach(async () => {
  // Each test has its own month.
  now = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 1, 15, 12));
  owner = await signUpWithPet(server);
  await server.drainJobs();
  before = { calls: openai.calls(), taken: openai.received.length };
});

const calls = () => openai.calls() - before.calls;
const runJob = ({ id }: Caricature) =>
  generateCaricatureJob.handle(server.context, { ownerId: owner.userId, caricatureId: id });
const remaining = async () =>
  ((await owner.get('/api/caricatures/options')).body as { remaining: number }).remaining;

async function generateAfter(...responses: OpenaiResponse[]): Promise<Caricature> {
  openai.respondNext(...responses);
  const begun = await beginCaricature(owner);
  await server.drainJobs();
  return findCaricature(owner, begun);
}

/** Waits until the generator holds this many photos. */
const untilHeld = (count: number) =>
  vi.waitUntil(() => openai.received.length - before.taken === count, TIMEOUT);

/** The delays of the pending jobs, in seconds. */
async function pauses(): Promise<number[]> {
  const { rows } = await server.context.db.execute<{ pause: string }>(
    `select extract(epoch from start_after - created_on)::int as pause from pgboss.job
      where name = '${generateCaricatureJob.name}' and state = 'created'`,
  );
  return rows.map(({ pause }) => Number(pause));
}

describe('consent', () => {
  it('is requested once, before the first photo is sent', async () => {
    const newcomer = await signUpWithPet(server, { agrees: false });
    const options = async () => (await newcomer.get('/api/caricatures/options')).body;
    expect(await options()).toMatchObject({
      artist: 'openai',
      service: '127.0.0.1',
      consentNeeded: true,
      remaining: MONTHLY,
    });
    const rejected = await askForCaricature(newcomer);
    expect([rejected.status, rejected.body]).toEqual([
      409,
      {
        code: 'consent-needed',
        message: 'Please agree first that your photo is sent to the AI service.',
      },
    ]);
    await server.drainJobs();
    expect(calls()).toBe(0);
    expect(await listCaricatures(newcomer)).toEqual([]);
    for (const time of ['first', 'again'])
      expect([time, (await newcomer.post('/api/caricatures/consent')).status]).toEqual([time, 204]);
    expect(await options()).toMatchObject({ consentNeeded: false, remaining: MONTHLY });
    expect((await askForCaricature(newcomer)).status).toBe(202);
  });

  it('is checked again before the photo is sent, since the generator may have changed', async () => {
    const begun = await beginCaricature(owner);
    await updateUser(server.context.db, owner.userId, { caricatureConsentAt: null });
    await server.drainJobs();
    expect(await findCaricature(owner, begun)).toMatchObject({
      status: 'failed',
      failureReason: 'no-consent',
    });
    expect(calls()).toBe(0);
    expect(await remaining()).toBe(MONTHLY);
  });
});

describe('OpenAI', () => {
  it('is called once for repeated clicks, with a copy without metadata', async () => {
    await Promise.all([1, 2, 3].map(() => askForCaricature(owner)));
    await server.drainJobs();
    expect(await listCaricatures(owner)).toMatchObject([{ status: 'completed', artist: 'openai' }]);
    expect(calls()).toBe(1);
    const { bytes: original } = await owner.get(owner.memory.imageUrl);
    expect(original.includes('TestCamera')).toBe(true);
    expect(openai.received.at(-1)?.image.includes('TestCamera')).toBe(false);
  });

  it('blocks neither requests nor other caricatures while it is slow', async () => {
    openai.respondNext('held');
    const slow = await beginCaricature(owner);
    const running = runJob(slow);
    await untilHeld(1);
    const other = await beginCaricature(owner, { style: 'pencil' });
    expect((await askForCaricature(owner)).body).toEqual(slow);
    await runJob(other);
    expect(await listCaricatures(owner)).toMatchObject([{ status: 'completed' }, { status: 'generating' }]);
    openai.release();
    await running;
    expect((await findCaricature(owner, slow)).status).toBe('completed');
    await server.drainJobs();
    expect(calls()).toBe(2);
  });

  it('is retried after the delay it asks for', async () => {
    openai.respondNext({ ...BUSY, headers: { 'Retry-After': '40' } });
    const begun = await beginCaricature(owner);
    await server.context.db.execute(`delete from pgboss.job where name = '${generateCaricatureJob.name}'`);
    await runJob(begun);
    expect(await pauses()).toEqual([40]);
    expect((await findCaricature(owner, begun)).status).toBe('generating');
    await server.drainJobs();
    expect((await findCaricature(owner, begun)).status).toBe('completed');
    expect(calls()).toBe(2);
  });

  it('is called at most four times while it is busy or broken, with growing delays', async () => {
    const caricature = await generateAfter(BROKEN, BUSY, 'cut');
    expect([caricature.status, calls()]).toEqual(['completed', 4]);

    now = new Date(now.getTime() + 24 * 60 * MINUTE);
    const failed = await generateAfter(BROKEN, 'no-picture', 'no-data', BROKEN);
    expect(failed).toMatchObject({ status: 'failed', failureReason: 'unavailable' });
    expect(calls()).toBe(8);
  });

  it('is called at most four times when each worker is killed during the call', async () => {
    openai.respondNext('held', 'held', 'held', 'held');
    const begun = await beginCaricature(owner);
    const killed: Promise<void>[] = [];
    for (let attempts = 1; attempts <= 4; attempts++) {
      killed.push(runJob(begun));
      await untilHeld(attempts);
    }
    await runJob(begun);
    expect(calls()).toBe(4);
    expect(await findCaricature(owner, begun)).toMatchObject({
      status: 'failed',
      failureReason: 'unavailable',
    });
    openai.release();
    await Promise.all(killed);
    await server.drainJobs();
    expect(calls()).toBe(4);
    expect(await remaining()).toBe(MONTHLY - 4);
  });

  it('is not retried past the timeout of the caricature', async () => {
    const failed = await generateAfter({ ...BUSY, headers: { 'Retry-After': '600' } });
    expect(failed).toMatchObject({ status: 'failed', failureReason: 'unavailable' });
    expect(calls()).toBe(1);
  });

  it('is called once for permanent errors, whose reason is stored', async () => {
    const rejections = {
      moderation: { status: 400, code: 'moderation_blocked' },
      'no-credit': { status: 429, code: 'insufficient_quota', type: 'insufficient_quota' },
      'bad-key': { status: 401, code: 'invalid_api_key' },
      'bad-input': { status: 400, code: 'invalid_image_file' },
    };
    for (const [failureReason, response] of Object.entries(rejections)) {
      expect(await generateAfter(response)).toMatchObject({ status: 'failed', failureReason });
      // Moderation may decline a finished image.
      expect(await remaining()).toBe(MONTHLY - 1);
    }
    expect(calls()).toBe(Object.keys(rejections).length);
  });

  it('loses an image that arrives after deletion, but completes one that arrives after the timeout', async () => {
    openai.respondNext('held', 'held');
    const [deleted, late] = [await beginCaricature(owner), await beginCaricature(owner, { style: 'pencil' })];
    const running = [runJob(deleted), runJob(late)];
    await untilHeld(2);
    await owner.request('DELETE', `/api/caricatures/${deleted.id}`);
    now = new Date(now.getTime() + 11 * MINUTE);
    await server.context.db.transaction((tx) =>
      server.context.jobs.enqueue(tx, expireStaleCaricaturesJob, {}),
    );
    await server.drainJobs();
    expect(await findCaricature(owner, late)).toMatchObject({ status: 'failed', failureReason: 'timed-out' });
    openai.release();
    await Promise.all(running);
    const [shown, ...others] = await listCaricatures(owner);
    expect(others).toEqual([]);
    expect(shown).toMatchObject({ id: late.id, status: 'completed', failureReason: null });
    expect((await owner.get(`${shown?.caricatureImageUrl}?w=200`)).status).toBe(200);
    expect(await remaining()).toBe(MONTHLY - 2);
  });
});

it('the daily limit counts a photo that the service declines after a charge, however often it is asked for', async () => {
  const usedToday = () =>
    findUsedOfDay(server.context.db, { ownerId: owner.userId, day: now.toISOString().slice(0, 10) });
  openai.respondNext(DECLINED, DECLINED);
  const declined = await beginCaricature(owner);
  await server.drainJobs();
  expect(await findCaricature(owner, declined)).toMatchObject({ failureReason: 'moderation' });
  await owner.post(`/api/caricatures/${declined.id}/redo`);
  await server.drainJobs();
  expect(await usedToday()).toBe(2);
  expect((await generateAfter(BUSY, BUSY, BUSY, BUSY)).status).toBe('failed');
  expect(await usedToday()).toBe(2);
});

describe('the monthly limit', () => {
  it('counts every call that may have been charged', async () => {
    expect((await generateAfter(BROKEN, 'cut', 'no-picture', 'no-data')).status).toBe('failed');
    expect(await remaining()).toBe(MONTHLY - 4);
    expect((await generateAfter('cut')).status).toBe('completed');
    expect(await remaining()).toBe(MONTHLY - 6);
  });

  it('refunds calls that were certainly not charged', async () => {
    expect((await generateAfter(BUSY, BUSY)).status).toBe('completed');
    expect(await remaining()).toBe(MONTHLY - 1);
    expect((await generateAfter(BUSY, BUSY, BUSY, BUSY)).status).toBe('failed');
    expect(await remaining()).toBe(MONTHLY - 1);
  });

  it('counts a running call, and refunds a caricature deleted before its first call', async () => {
    openai.respondNext('held');
    const begun = await beginCaricature(owner);
    const running = runJob(begun);
    await untilHeld(1);
    const waiting = await beginCaricature(owner, { style: 'pencil' });
    expect(await remaining()).toBe(MONTHLY - 2);
    for (const { id } of [begun, waiting]) await owner.request('DELETE', `/api/caricatures/${id}`);
    expect(await remaining()).toBe(MONTHLY - 1);
    openai.release();
    await running;
  });

  it('ends the retries when other accounts have used it up', async () => {
    const others = await Promise.all(Array.from({ length: MONTHLY - 1 }, () => signUpWithPet(server)));
    for (const other of others) await beginCaricature(other);
    openai.respondNext('cut');
    const begun = await beginCaricature(owner);
    await runJob(begun);
    expect((await findCaricature(owner, begun)).status).toBe('generating');
    await runJob(begun);
    expect(await findCaricature(owner, begun)).toMatchObject({
      status: 'failed',
      failureReason: 'unavailable',
    });
    expect(calls()).toBe(1);
    for (const other of others)
      await other.request('DELETE', `/api/caricatures/${(await listCaricatures(other))[0]?.id}`);
    expect(await remaining()).toBe(MONTHLY - 1);
  });

  it('is shared by all accounts and cannot be exceeded concurrently', async () => {
    const owners = await Promise.all(Array.from({ length: MONTHLY + 2 }, () => signUpWithPet(server)));
    const responses = await Promise.all(owners.map((each) => askForCaricature(each)));
    expect(responses.map(({ status }) => status).sort()).toEqual([
      ...Array<number>(MONTHLY).fill(202),
      429,
      429,
    ]);
    const rejected = responses.find(({ status }) => status === 429);
    expect(rejected?.body).toEqual({
      message: 'This month’s caricatures are used up. Please try again next month.',
      code: 'too-many-requests',
    });
    expect(await remaining()).toBe(0);
    // A rejected request does not count against the daily limit.
    now = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 1, 1));
    expect(Number(rejected?.headers.get('Retry-After'))).toBeGreaterThan(13 * 24 * 60 * 60);
    expect(await remaining()).toBe(MONTHLY);
  });
});
