import { beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Caricature } from '#shared/caricature';
import {
  askForCaricature,
  beginCaricature,
  findCaricature,
  listCaricatures,
  signUpWithPet,
  startServerWithOpenai,
  type PetOwner,
} from '../../testing/caricatures.ts';
import type { OpenaiAnswer, TestOpenaiServer } from '../../testing/openai-server.ts';
import type { TestServer } from '../../testing/test-server.ts';
import { updateUser } from '../users/user-queries.ts';
import { expireStaleCaricaturesJob } from './expire-stale-caricatures-job.ts';
import { generateCaricatureJob } from './generate-caricature-job.ts';

const MINUTE = 60_000;
const MONTHLY = 8;
const BUSY = { status: 429, code: 'rate_limit_exceeded' };
const BROKEN = { status: 500, type: 'server_error' };

let server: TestServer;
let openai: TestOpenaiServer;
let owner: PetOwner;
let now = new Date('2026-01-31T12:00:00Z');
/** How many calls had come before the test, and how many photos had been taken. */
let before = { calls: 0, taken: 0 };

beforeAll(async () => {
  ({ server, openai } = await startServerWithOpenai({
    env: { CARICATURES_PER_MONTH: String(MONTHLY) },
    overrides: { clock: { now: () => now } },
  }));
});
beforeEach(async () => {
  // A month of its own for each test.
  now = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 1, 15, 12));
  owner = await signUpWithPet(server);
  await server.drainJobs();
  before = { calls: openai.calls(), taken: openai.received.length };
});

const calls = () => openai.calls() - before.calls;
const draw = ({ id }: Caricature) =>
  generateCaricatureJob.handle(server.context, { ownerId: owner.userId, caricatureId: id });
const remaining = async () =>
  ((await owner.get('/api/caricatures/options')).body as { remaining: number }).remaining;

async function drawnAfter(...answers: OpenaiAnswer[]): Promise<Caricature> {
  openai.answerNext(...answers);
  const begun = await beginCaricature(owner);
  await server.drainJobs();
  return findCaricature(owner, begun);
}

/** Until so many photos lie with the artist, who takes their time. */
const untilHeld = (count: number) =>
  vi.waitUntil(() => openai.received.length - before.taken === count, { timeout: 30_000, interval: 5 });

/** So many seconds each job waits that is to draw. */
async function pauses(): Promise<number[]> {
  const { rows } = await server.context.db.execute<{ pause: string }>(
    `select extract(epoch from start_after - created_on)::int as pause from pgboss.job
      where name = '${generateCaricatureJob.name}' and state = 'created'`,
  );
  return rows.map(({ pause }) => Number(pause));
}

describe('the consent', () => {
  it('is asked for once, before the first photo goes out', async () => {
    const newcomer = await signUpWithPet(server, { agrees: false });
    const options = async () => (await newcomer.get('/api/caricatures/options')).body;
    expect(await options()).toMatchObject({
      artist: 'openai',
      service: '127.0.0.1',
      consentNeeded: true,
      remaining: MONTHLY,
    });
    const refused = await askForCaricature(newcomer);
    expect([refused.status, refused.body]).toEqual([
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

  it('is looked for again before the photo goes: the artist may be another by then', async () => {
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
  it('is asked once for several clicks, for a copy without metadata', async () => {
    await Promise.all([1, 2, 3].map(() => askForCaricature(owner)));
    await server.drainJobs();
    expect(await listCaricatures(owner)).toMatchObject([{ status: 'completed', artist: 'openai' }]);
    expect(calls()).toBe(1);
    const { bytes: original } = await owner.get(owner.memory.imageUrl);
    expect(original.includes('TestCamera')).toBe(true);
    expect(openai.received.at(-1)?.image.includes('TestCamera')).toBe(false);
  });

  it('keeps no call of ours waiting, and no other caricature', async () => {
    openai.answerNext('held');
    const slow = await beginCaricature(owner);
    const drawing = draw(slow);
    await untilHeld(1);
    const other = await beginCaricature(owner, { style: 'pencil' });
    expect((await askForCaricature(owner)).body).toEqual(slow);
    await draw(other);
    expect(await listCaricatures(owner)).toMatchObject([{ status: 'completed' }, { status: 'generating' }]);
    openai.release();
    await drawing;
    expect((await findCaricature(owner, slow)).status).toBe('completed');
    await server.drainJobs();
    expect(calls()).toBe(2);
  });

  it('is given the time it asks for', async () => {
    openai.answerNext({ ...BUSY, headers: { 'Retry-After': '40' } });
    const begun = await beginCaricature(owner);
    await server.context.db.execute(`delete from pgboss.job where name = '${generateCaricatureJob.name}'`);
    await draw(begun);
    expect(await pauses()).toEqual([40]);
    expect((await findCaricature(owner, begun)).status).toBe('generating');
    await server.drainJobs();
    expect((await findCaricature(owner, begun)).status).toBe('completed');
    expect(calls()).toBe(2);
  });

  it('is asked four times at most while it has too much to do or is broken, with growing pauses', async () => {
    const drawn = await drawnAfter(BROKEN, BUSY, 'cut');
    expect([drawn.status, calls()]).toEqual(['completed', 4]);

    now = new Date(now.getTime() + 24 * 60 * MINUTE);
    const failed = await drawnAfter(BROKEN, 'no-picture', 'no-data', BROKEN);
    expect(failed).toMatchObject({ status: 'failed', failureReason: 'unavailable' });
    expect(calls()).toBe(8);
  });

  it('is asked four times at most, also when each worker was killed while it waited', async () => {
    openai.answerNext('held', 'held', 'held', 'held');
    const begun = await beginCaricature(owner);
    const killed: Promise<void>[] = [];
    for (let attempts = 1; attempts <= 4; attempts++) {
      killed.push(draw(begun));
      await untilHeld(attempts);
    }
    await draw(begun);
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

  it('is not waited for longer than anybody waits for a caricature', async () => {
    const failed = await drawnAfter({ ...BUSY, headers: { 'Retry-After': '600' } });
    expect(failed).toMatchObject({ status: 'failed', failureReason: 'unavailable' });
    expect(calls()).toBe(1);
  });

  it('is asked once where another time changes nothing, and each refusal has its reason', async () => {
    const refusals = {
      moderation: { status: 400, code: 'moderation_blocked' },
      'no-credit': { status: 429, code: 'insufficient_quota', type: 'insufficient_quota' },
      'bad-key': { status: 401, code: 'invalid_api_key' },
      'bad-input': { status: 400, code: 'invalid_image_file' },
    };
    for (const [failureReason, answer] of Object.entries(refusals)) {
      expect(await drawnAfter(answer)).toMatchObject({ status: 'failed', failureReason });
      // It may have drawn what it declines.
      expect(await remaining()).toBe(MONTHLY - 1);
    }
    expect(calls()).toBe(Object.keys(refusals).length);
  });

  it('is too late with what was deleted, and not with what was given up: that is paid, and shown', async () => {
    openai.answerNext('held', 'held');
    const [deleted, late] = [await beginCaricature(owner), await beginCaricature(owner, { style: 'pencil' })];
    const drawings = [draw(deleted), draw(late)];
    await untilHeld(2);
    await owner.request('DELETE', `/api/caricatures/${deleted.id}`);
    now = new Date(now.getTime() + 11 * MINUTE);
    await server.context.db.transaction((tx) =>
      server.context.jobs.enqueue(tx, expireStaleCaricaturesJob, {}),
    );
    await server.drainJobs();
    expect(await findCaricature(owner, late)).toMatchObject({ status: 'failed', failureReason: 'timed-out' });
    openai.release();
    await Promise.all(drawings);
    const [shown, ...others] = await listCaricatures(owner);
    expect(others).toEqual([]);
    expect(shown).toMatchObject({ id: late.id, status: 'completed', failureReason: null });
    expect((await owner.get(`${shown?.caricatureImageUrl}?w=200`)).status).toBe(200);
    expect(await remaining()).toBe(MONTHLY - 2);
  });
});

describe('the monthly limit', () => {
  it('counts each call that may have been paid, whatever became of it', async () => {
    expect((await drawnAfter(BROKEN, 'cut', 'no-picture', 'no-data')).status).toBe('failed');
    expect(await remaining()).toBe(MONTHLY - 4);
    expect((await drawnAfter('cut')).status).toBe('completed');
    expect(await remaining()).toBe(MONTHLY - 6);
  });

  it('counts no call that was certainly not paid', async () => {
    expect((await drawnAfter(BUSY, BUSY)).status).toBe('completed');
    expect(await remaining()).toBe(MONTHLY - 1);
    expect((await drawnAfter(BUSY, BUSY, BUSY, BUSY)).status).toBe('failed');
    expect(await remaining()).toBe(MONTHLY - 1);
  });

  it('counts a call that is under way, and no caricature that was deleted before its first', async () => {
    openai.answerNext('held');
    const begun = await beginCaricature(owner);
    const drawing = draw(begun);
    await untilHeld(1);
    const waiting = await beginCaricature(owner, { style: 'pencil' });
    expect(await remaining()).toBe(MONTHLY - 2);
    for (const { id } of [begun, waiting]) await owner.request('DELETE', `/api/caricatures/${id}`);
    expect(await remaining()).toBe(MONTHLY - 1);
    openai.release();
    await drawing;
  });

  it('ends the attempts when others have used it up', async () => {
    const others = await Promise.all(Array.from({ length: MONTHLY - 1 }, () => signUpWithPet(server)));
    for (const other of others) await beginCaricature(other);
    openai.answerNext('cut');
    const begun = await beginCaricature(owner);
    await draw(begun);
    expect((await findCaricature(owner, begun)).status).toBe('generating');
    await draw(begun);
    expect(await findCaricature(owner, begun)).toMatchObject({
      status: 'failed',
      failureReason: 'unavailable',
    });
    expect(calls()).toBe(1);
    for (const other of others)
      await other.request('DELETE', `/api/caricatures/${(await listCaricatures(other))[0]?.id}`);
    expect(await remaining()).toBe(MONTHLY - 1);
  });

  it('is of all accounts together, and not overspent at the same moment', async () => {
    const owners = await Promise.all(Array.from({ length: MONTHLY + 2 }, () => signUpWithPet(server)));
    const answers = await Promise.all(owners.map((each) => askForCaricature(each)));
    expect(answers.map(({ status }) => status).sort()).toEqual([
      ...Array<number>(MONTHLY).fill(202),
      429,
      429,
    ]);
    const refused = answers.find(({ status }) => status === 429);
    expect(refused?.body).toEqual({
      message: 'This month’s caricatures are used up. Please try again next month.',
    });
    expect(await remaining()).toBe(0);
    // Whoever was refused has not lost one of their day.
    now = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 1, 1));
    expect(Number(refused?.headers.get('Retry-After'))).toBeGreaterThan(13 * 24 * 60 * 60);
    expect(await remaining()).toBe(MONTHLY);
  });
});
