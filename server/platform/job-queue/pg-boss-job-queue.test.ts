import type pg from 'pg';
import type { Logger } from 'pino';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, inject, it, vi } from 'vitest';
import { openDatabase, type Database } from '../db/database.ts';
import { openListener, type Listener } from '../db/listener.ts';
import { InsufficientStorageError } from '../errors.ts';
import { createLogger } from '../logging/logger.ts';
import type { JobDefinition } from './job-queue.ts';
import { createTestDatabase } from '../../testing/environment/test-database.ts';
import { startStoppablePostgres, type StopMode } from '../../testing/environment/stoppable-postgres.ts';
import { TIMEOUT } from '../../testing/timing/timeout.ts';
import { openTestPool } from '../../testing/environment/test-pool.ts';
import { createPgBossJobQueue, createQueues, type DrainableJobQueue } from './pg-boss-job-queue.ts';

type Greeting = { name: string };
const greet: JobDefinition<Greeting> = {
  name: 'greet',
  parse: (payload) => {
    if (typeof (payload as Greeting).name !== 'string') throw new Error('no name');
    return payload as Greeting;
  },
  retries: 2,
  expireInSeconds: 30,
};

let testDatabase: Awaited<ReturnType<typeof createTestDatabase>>;
let database: Database;
let pool: pg.Pool;
let db: Database['db'];
let listener: Listener;
const queues: DrainableJobQueue[] = [];

async function openQueue(
  hasWorkers: boolean,
  ownPool = pool,
  catalogue: JobDefinition[] = [greet],
  options: { listener?: Listener; logger?: Logger; pollingIntervalMs?: number } = {},
): Promise<DrainableJobQueue> {
  await createQueues(ownPool, catalogue);
  const queue = await createPgBossJobQueue({
    pool: ownPool,
    listener,
    catalogue,
    logger: createLogger({ logLevel: 'silent' }),
    hasWorkers,
    ...options,
  });
  queues.push(queue);
  return queue;
}

beforeAll(async () => {
  testDatabase = await createTestDatabase();
  database = openDatabase({ url: testDatabase.url, poolSize: 10, onError: () => undefined });
  ({ pool, db } = database);
  listener = await openListener({ url: testDatabase.url, onError: () => undefined });
});

afterAll(async () => {
  for (const queue of queues) await queue.stop(1000);
  await listener.close();
  await database.close();
  await testDatabase.drop();
});

describe('the job queue', () => {
  it('runs the job of a committed transaction, and not of one rolled back', async () => {
    const queue = await openQueue(false);
    const greeted: string[] = [];
    queue.work(greet, ({ name }) => Promise.resolve(void greeted.push(name)));
    await db.transaction((tx) => queue.enqueue(tx, greet, { name: "committed, with $1 and 'quotes'" }));
    await db
      .transaction(async (tx) => {
        await queue.enqueue(tx, greet, { name: 'rolled back' });
        throw new Error('no');
      })
      .catch(() => undefined);
    await queue.drain();
    expect(greeted).toEqual(["committed, with $1 and 'quotes'"]);
  });

  it('retries a failed job', async () => {
    const queue = await openQueue(false);
    let attempts = 0;
    queue.work(greet, () => (++attempts < 2 ? Promise.reject(new Error('not yet')) : Promise.resolve()));
    await db.transaction((tx) => queue.enqueue(tx, greet, { name: 'again' }));
    await expect(queue.drain()).rejects.toThrow('not yet');
    await queue.drain();
    expect(attempts).toBe(2);
  });

  it('logs why a job failed', async () => {
    const lines: unknown[] = [];
    const logger = createLogger(
      { logLevel: 'error' },
      { write: (line) => void lines.push(JSON.parse(line)) },
    );
    const send: JobDefinition<Greeting> = { ...greet, name: 'send', retries: 0 };
    const queue = await openQueue(true, pool, [send], { logger });
    queue.work(send, () => Promise.reject(new Error('certificate has expired')));
    await db.transaction((tx) => queue.enqueue(tx, send, { name: 'to an impostor' }));
    await vi.waitUntil(() => lines.length > 0, TIMEOUT);
    await queue.stop(1000);
    expect(lines).toMatchObject([
      {
        level: 50,
        msg: 'A job failed',
        job: 'send',
        jobId: expect.any(String) as string,
        err: { message: 'certificate has expired', stack: expect.any(String) as string },
      },
    ]);
    expect(JSON.stringify(lines)).not.toContain('impostor');
  });

  it('puts a job off that finds no room on the disk, which counts as no attempt', async () => {
    const queue = await openQueue(false);
    let attempts = 0;
    let hasRoom = false;
    queue.work(greet, () => {
      attempts++;
      return hasRoom ? Promise.resolve() : Promise.reject(new InsufficientStorageError());
    });
    await db.transaction((tx) => queue.enqueue(tx, greet, { name: 'without room' }));
    for (let n = 0; n < greet.retries + 2; n++) await queue.drain();
    const { rows } = await pool.query(
      "select state, retry_count, start_after > now() + interval '30 seconds' as is_later from pgboss.job where data->>'name' = 'without room'",
    );
    expect(rows).toEqual([{ state: 'created', retry_count: 0, is_later: true }]);
    hasRoom = true;
    await queue.drain();
    expect(attempts).toBe(greet.retries + 3);
  });

  it('does not report an empty queue when the database does not answer', async () => {
    const ownPool = openTestPool(testDatabase.url);
    const queue = await openQueue(false, ownPool);
    queue.work(greet, () => Promise.resolve());
    await ownPool.end();
    await expect(queue.drain()).rejects.toThrow('after calling end');
  });

  it('runs jobs in workers, and stops only after the running job has finished', async () => {
    const queue = await openQueue(true);
    let finish = () => {};
    const state = { started: false, finished: false };
    queue.work(greet, async () => {
      state.started = true;
      await new Promise<void>((resolve) => (finish = resolve));
      state.finished = true;
    });
    await db.transaction((tx) => queue.enqueue(tx, greet, { name: 'slow' }));
    await vi.waitUntil(() => state.started, TIMEOUT);
    const stopped = queue.stop(10_000);
    finish();
    await stopped;
    expect(state.finished).toBe(true);
  });

  it('returns an unfinished job to the queue, and ignores its late end', async () => {
    const ownPool = openTestPool(testDatabase.url);
    const first = await openQueue(true, ownPool);
    let fail = () => {};
    let isStarted = false;
    first.work(greet, () => {
      isStarted = true;
      return new Promise<void>((_resolve, reject) => (fail = () => reject(new Error('too late'))));
    });
    await db.transaction((tx) => first.enqueue(tx, greet, { name: 'endless' }));
    await vi.waitUntil(() => isStarted, TIMEOUT);
    await first.stop(0);
    await ownPool.end();
    fail();

    const second = await openQueue(false);
    const greeted: string[] = [];
    second.work(greet, ({ name }) => Promise.resolve(void greeted.push(name)));
    await second.drain();
    expect(greeted).toEqual(['endless']);
  });

  it('changes the settings of an earlier release, and writes nothing at the next start', async () => {
    const readQueue = async () =>
      (await pool.query<object>('select * from pgboss.queue where name = $1', [greet.name])).rows;
    const changed = { ...greet, retries: 7, expireInSeconds: 77 };
    await createQueues(pool, [greet]);
    await createQueues(pool, [changed]);
    const queues = await readQueue();
    expect(queues).toMatchObject([{ retry_limit: 7, expire_seconds: 77 }]);
    await createQueues(pool, [changed]);
    expect(await readQueue()).toEqual(queues);
    await createQueues(pool, [greet]);
    expect(await readQueue()).toMatchObject([{ retry_limit: 2, expire_seconds: 30 }]);
  });

  it('takes over a job whose worker died once its lease ends, and extends the lease of one that runs', async () => {
    const leased = {
      ...greet,
      name: 'greet-leased',
      expireInSeconds: 40 * 60,
      leaseSeconds: 1,
      concurrency: 2,
    };
    const first = await openQueue(true, pool, [{ ...leased, leaseSeconds: 30 }]);
    await db.transaction((tx) => first.enqueue(tx, leased, { name: 'of a dead worker' }));
    await first.stop(1000);
    await pool.query(
      "update pgboss.job set state = 'active', started_on = now() - interval '31 seconds', retry_delay = 1 where name = $1",
      [leased.name],
    );
    const greeted: string[] = [];
    const finished = new Map<string, () => void>();
    const second = await openQueue(true, pool, [leased]);
    second.work(leased, async ({ name }) => {
      greeted.push(name);
      if (name === 'slow') await new Promise<void>((resolve) => finished.set(name, resolve));
    });
    await vi.waitUntil(() => greeted.includes('of a dead worker'), TIMEOUT);

    await db.transaction((tx) => second.enqueue(tx, leased, { name: 'slow' }));
    await vi.waitUntil(() => finished.has('slow'), TIMEOUT);
    const setSlow = (changes: string) =>
      pool.query(`update pgboss.job set ${changes} where data ->> 'name' = 'slow'`);
    await setSlow("started_on = now() - interval '1 hour', expire_in = interval '2 hours'");
    const isExtended =
      "select from pgboss.job where data ->> 'name' = 'slow' and started_on > now() - interval '1 minute'";
    await vi.waitUntil(async () => (await pool.query(isExtended)).rowCount === 1, TIMEOUT);
    // As after an outage of Postgres. The other worker fetches it before the next one.
    await setSlow("state = 'retry', start_after = now() - interval '1 hour'");
    await db.transaction((tx) => second.enqueue(tx, leased, { name: 'next' }));
    await vi.waitUntil(() => greeted.includes('next'), TIMEOUT);
    finished.get('slow')?.();
    await second.stop(10_000);
    expect(greeted).toEqual(['of a dead worker', 'slow', 'next']);
    const { rows } = await pool.query('select distinct state from pgboss.job where name = $1', [leased.name]);
    expect(rows).toEqual([{ state: 'completed' }]);
  });

  it('schedules a job with a readable payload, and removes the schedule of a job no longer listed', async () => {
    const scheduled = async () =>
      (await pool.query<{ name: string; data: unknown }>('select name, data from pgboss.schedule')).rows;
    await openQueue(true, pool, [{ ...greet, name: 'greet-hourly', cron: '0 * * * *' }]);
    expect(await scheduled()).toEqual([{ name: 'greet-hourly', data: {} }]);
    await openQueue(true, pool, [{ ...greet, name: 'greet-daily', cron: '0 9 * * *' }]);
    expect(await scheduled()).toEqual([{ name: 'greet-daily', data: {} }]);
  });

  it('takes over the waiting jobs of a former name', async () => {
    const former = { ...greet, name: 'former-greet' };
    const earlier = await openQueue(false, pool, [former]);
    await db.transaction((tx) => earlier.enqueue(tx, former, { name: 'from an earlier release' }));
    await db.transaction((tx) => earlier.enqueue(tx, former, { name: 'delayed' }, { delaySeconds: 60 }));
    const renamed = { ...greet, name: 'renamed-greet', formerNames: ['former-greet', 'never-used'] };
    const queue = await openQueue(false, pool, [renamed]);
    const greeted: string[] = [];
    queue.work(renamed, ({ name }) => Promise.resolve(void greeted.push(name)));
    await queue.drain();
    expect(greeted.sort()).toEqual(['delayed', 'from an earlier release']);
  });

  it('takes over a job that was active under its former name, and is retried', async () => {
    const former = { ...greet, name: 'once-active' };
    const earlier = await openQueue(false, pool, [former]);
    await db.transaction((tx) => earlier.enqueue(tx, former, { name: 'interrupted' }));
    const setState = (state: string) =>
      pool.query('update pgboss.job set state = $1 where name = $2', [state, former.name]);
    await setState('active');
    const renamed = { ...greet, name: 'renamed-later', formerNames: [former.name] };
    const queue = await openQueue(true, pool, [renamed]);
    const greeted: string[] = [];
    queue.work(renamed, ({ name }) => Promise.resolve(void greeted.push(name)));
    await setState('retry');
    await vi.waitUntil(() => greeted.length > 0, TIMEOUT);
    expect(greeted).toEqual(['interrupted']);
  });

  it('runs a job at the start of a process with runAtStart', async () => {
    const atStart = { ...greet, name: 'greet-at-start', parse: (payload: unknown) => payload as Greeting };
    const queue = await openQueue(true, pool, [{ ...atStart, runAtStart: true }]);
    let runs = 0;
    queue.work(atStart, () => Promise.resolve(void runs++));
    await vi.waitUntil(() => runs === 1, TIMEOUT);
  });
});

describe('a job enqueued while the workers pause', () => {
  const HOUR_MS = 60 * 60 * 1000;
  const hurry = { ...greet, name: 'hurry', concurrency: 3 };

  it('runs at the commit, also of many at once and from another process', async () => {
    const greeted = new Set<string>();
    const worker = await openQueue(true, pool, [hurry], { pollingIntervalMs: HOUR_MS });
    const sender = await openQueue(false, pool, [hurry]);
    worker.work(hurry, ({ name }) => Promise.resolve(void greeted.add(name)));
    const enqueue = (names: string[]) =>
      db.transaction(async (tx) => {
        for (const name of names) await sender.enqueue(tx, hurry, { name });
      });
    const names = (count: number, prefix: string) => Array.from({ length: count }, (_, n) => `${prefix}${n}`);

    // One after another, so that each comes at another moment of the workers' fetch.
    for (const name of names(20, 'single ')) {
      await enqueue([name]);
      await vi.waitUntil(() => greeted.has(name), TIMEOUT);
    }
    await Promise.all([
      enqueue(names(20, 'together ')),
      ...names(20, 'at once ').map((name) => enqueue([name])),
    ]);
    await vi.waitUntil(() => greeted.size === 60, TIMEOUT);
    await worker.stop(1000);
  });

  it('runs at the commit, also while a worker fetches from the empty queue', async () => {
    const ownPool = openTestPool(testDatabase.url);
    const query = ownPool.query.bind(ownPool) as (text: string, values: unknown[]) => Promise<unknown>;
    let notice = () => {};
    const noticed = new Promise<void>((resolve) => (notice = resolve));
    let isFirst = true;
    const respondLate = async (text: string, values: unknown[]) => {
      const result = await query(text, values);
      if (isFirst && values.includes(late.name)) {
        isFirst = false;
        await db.transaction((tx) => queue.enqueue(tx, late, { name: 'during the fetch' }));
        await noticed;
      }
      return result;
    };
    const observed: Listener = {
      ...listener,
      listen: (channel, { onNotice }) =>
        listener.listen(channel, { onNotice: (payload) => (onNotice(payload), notice()) }),
    };
    const late = { ...greet, name: 'late' };
    const queue = await openQueue(true, ownPool, [late], { listener: observed, pollingIntervalMs: HOUR_MS });
    ownPool.query = respondLate as typeof ownPool.query;
    const greeted: string[] = [];
    queue.work(late, ({ name }) => Promise.resolve(void greeted.push(name)));
    await vi.waitUntil(() => greeted.length === 1, TIMEOUT);
    await queue.stop(1000);
    await ownPool.end();
  });

  it('runs at the next poll if its notification is lost', async () => {
    const deaf: Listener = { listen: () => Promise.resolve(), close: () => Promise.resolve() };
    const queue = await openQueue(true, pool, [hurry], { listener: deaf, pollingIntervalMs: 20 });
    const greeted: string[] = [];
    queue.work(hurry, ({ name }) => Promise.resolve(void greeted.push(name)));
    await db.transaction((tx) => queue.enqueue(tx, hurry, { name: 'unnoticed' }));
    await vi.waitUntil(() => greeted.length === 1, TIMEOUT);
    await queue.stop(1000);
  });
});

/** The app’s own tests stop Postgres in both modes. */
const stopModes: StopMode[] = inject('faults').isLong ? ['immediate', 'fast'] : ['immediate'];

describe.each(stopModes)('a job that ends while Postgres is down (%s)', (mode) => {
  let postgres: Awaited<ReturnType<typeof startStoppablePostgres>>;
  let database: Database;
  let listener: Listener;
  beforeAll(async () => {
    postgres = await startStoppablePostgres();
    database = openDatabase({ url: postgres.url, poolSize: 4, onError: () => undefined });
  });
  // The listener of an earlier outage may not be connected yet.
  beforeEach(async () => {
    listener = await openListener({ url: postgres.url, onError: () => undefined });
  });
  afterEach(() => listener.close());
  afterAll(async () => {
    await database.close();
    await postgres.remove();
  });

  /** Stops Postgres while a job runs, and counts the runs once its outcome is written. */
  async function runDuringOutage(outcome: () => Promise<void>, expected: string) {
    const queue = await openQueue(true, database.pool, [greet], { listener });
    let end = () => {};
    let runs = 0;
    queue.work(greet, async () => {
      runs++;
      await new Promise<void>((resolve) => (end = resolve));
      await outcome();
    });
    await database.db.transaction((tx) => queue.enqueue(tx, greet, { name: 'interrupted' }));
    await vi.waitUntil(() => runs === 1, TIMEOUT);
    await postgres.stop(mode);
    end();
    await expect(queue.check()).rejects.toThrow();
    await postgres.start();
    const states = async () =>
      (
        await database.pool.query<{ state: string }>('select state from pgboss.job where name = $1', [
          greet.name,
        ])
      ).rows;
    await vi.waitUntil(async () => (await states())[0]?.state === expected, TIMEOUT);
    await queue.stop(1000);
    const { rows } = await database.pool.query('delete from pgboss.job where name = $1 returning state', [
      greet.name,
    ]);
    return { runs, rows };
  }

  it('runs once and is completed when Postgres is back', async () => {
    const result = await runDuringOutage(() => Promise.resolve(), 'completed');
    expect(result).toEqual({ runs: 1, rows: [{ state: 'completed' }] });
  });

  it('is retried, if it failed, when Postgres is back', async () => {
    const result = await runDuringOutage(() => Promise.reject(new Error('no')), 'retry');
    expect(result).toEqual({ runs: 1, rows: [{ state: 'retry' }] });
  });

  it('wakes the workers again when Postgres is back', async () => {
    const greeted: string[] = [];
    const hourMs = 60 * 60 * 1000;
    const hurry = { ...greet, name: 'hurry' };
    const queue = await openQueue(true, database.pool, [hurry], { listener, pollingIntervalMs: hourMs });
    queue.work(hurry, ({ name }) => Promise.resolve(void greeted.push(name)));
    await postgres.stop(mode);
    await postgres.start();
    const enqueue = (name: string) =>
      database.db.transaction((tx) => queue.enqueue(tx, hurry, { name })).catch(() => undefined);
    // Until it has reconnected, the listener misses notifications.
    await vi.waitUntil(async () => {
      await enqueue('again');
      return greeted.length > 0;
    }, TIMEOUT);
    await queue.stop(1000);
  });
});
