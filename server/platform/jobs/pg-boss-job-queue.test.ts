import { drizzle } from 'drizzle-orm/node-postgres';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { openDatabase, type Database, type Db } from '../db/database.ts';
import { createLogger } from '../logger.ts';
import type { JobDefinition } from './job-queue.ts';
import { createTestDatabase } from '../../testing/test-database.ts';
import { startStoppablePostgres, type StopMode } from '../../testing/stoppable-postgres.ts';
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

let database: Awaited<ReturnType<typeof createTestDatabase>>;
let pool: pg.Pool;
let db: Db;
const queues: DrainableJobQueue[] = [];

async function openQueue(
  isWorking: boolean,
  ownPool = pool,
  catalogue: JobDefinition[] = [greet],
): Promise<DrainableJobQueue> {
  await createQueues(ownPool, catalogue);
  const queue = await createPgBossJobQueue({
    pool: ownPool,
    catalogue,
    logger: createLogger({ logLevel: 'silent' }),
    isWorking,
  });
  queues.push(queue);
  return queue;
}

beforeAll(async () => {
  database = await createTestDatabase();
  pool = new pg.Pool({ connectionString: database.url });
  // The database may go before its connections have ended.
  pool.on('error', () => undefined);
  db = drizzle(pool);
});

afterAll(async () => {
  for (const queue of queues) await queue.stop(1000);
  await pool.end();
  await database.drop();
});

describe('the job queue', () => {
  it('runs a job of a transaction that came true, and none of one that did not', async () => {
    const queue = await openQueue(false);
    const greeted: string[] = [];
    queue.work(greet, ({ name }) => Promise.resolve(void greeted.push(name)));
    await db.transaction((tx) => queue.enqueue(tx, greet, { name: "kept, even with $1 and 'quotes'" }));
    await db
      .transaction(async (tx) => {
        await queue.enqueue(tx, greet, { name: 'rolled back' });
        throw new Error('no');
      })
      .catch(() => undefined);
    await queue.drain();
    expect(greeted).toEqual(["kept, even with $1 and 'quotes'"]);
  });

  it('tries a failed job again', async () => {
    const queue = await openQueue(false);
    let attempts = 0;
    queue.work(greet, () => (++attempts < 2 ? Promise.reject(new Error('not yet')) : Promise.resolve()));
    await db.transaction((tx) => queue.enqueue(tx, greet, { name: 'again' }));
    await expect(queue.drain()).rejects.toThrow('not yet');
    await queue.drain();
    expect(attempts).toBe(2);
  });

  it('is not taken for empty when the database does not answer', async () => {
    const ownPool = new pg.Pool({ connectionString: database.url });
    const queue = await openQueue(false, ownPool);
    queue.work(greet, () => Promise.resolve());
    await ownPool.end();
    await expect(queue.drain()).rejects.toThrow('after calling end');
  });

  it('works by itself, and stops only when the running job is done', async () => {
    const queue = await openQueue(true);
    let finish = () => {};
    const state = { started: false, finished: false };
    queue.work(greet, async () => {
      state.started = true;
      await new Promise<void>((resolve) => (finish = resolve));
      state.finished = true;
    });
    await db.transaction((tx) => queue.enqueue(tx, greet, { name: 'slow' }));
    await vi.waitUntil(() => state.started, { timeout: 10_000 });
    const stopped = queue.stop(10_000);
    finish();
    await stopped;
    expect(state.finished).toBe(true);
  });

  it('gives a job that does not end in time back to the queue, and its late end harms nobody', async () => {
    const ownPool = new pg.Pool({ connectionString: database.url });
    const first = await openQueue(true, ownPool);
    let fail = () => {};
    let isStarted = false;
    first.work(greet, () => {
      isStarted = true;
      return new Promise<void>((_resolve, reject) => (fail = () => reject(new Error('too late'))));
    });
    await db.transaction((tx) => first.enqueue(tx, greet, { name: 'endless' }));
    await vi.waitUntil(() => isStarted, { timeout: 10_000 });
    await first.stop(0);
    await ownPool.end();
    fail();

    const second = await openQueue(false);
    const greeted: string[] = [];
    second.work(greet, ({ name }) => Promise.resolve(void greeted.push(name)));
    await second.drain();
    expect(greeted).toEqual(['endless']);
  });

  it('gives a job that comes by itself a payload that it can read, and forgets one that is no more', async () => {
    const scheduled = async () =>
      (await pool.query<{ name: string; data: unknown }>('select name, data from pgboss.schedule')).rows;
    await openQueue(true, pool, [{ ...greet, name: 'greet-hourly', cron: '0 * * * *' }]);
    expect(await scheduled()).toEqual([{ name: 'greet-hourly', data: {} }]);
    await openQueue(true, pool, [{ ...greet, name: 'greet-daily', cron: '0 9 * * *' }]);
    expect(await scheduled()).toEqual([{ name: 'greet-daily', data: {} }]);
  });

  it('runs a job at the start of a process where that is asked for', async () => {
    const looking = { ...greet, name: 'look-around', parse: (payload: unknown) => payload as Greeting };
    const queue = await openQueue(true, pool, [{ ...looking, runAtStart: true }]);
    let looks = 0;
    queue.work(looking, () => Promise.resolve(void looks++));
    await vi.waitUntil(() => looks === 1, { timeout: 10_000 });
  });
});

describe.each<StopMode>(['immediate', 'fast'])('a job that ends while Postgres is away (%s)', (mode) => {
  let postgres: Awaited<ReturnType<typeof startStoppablePostgres>>;
  let database: Database;
  beforeAll(async () => {
    postgres = await startStoppablePostgres();
    database = openDatabase({ url: postgres.url, poolSize: 4, onError: () => undefined });
  });
  afterAll(async () => {
    await database.close();
    await postgres.remove();
  });

  /** Lets a job run into an outage, and tells how often it ran once its outcome is there. */
  async function runIntoOutage(outcome: () => Promise<void>, expected: string) {
    const queue = await openQueue(true, database.pool);
    let end = () => {};
    let runs = 0;
    queue.work(greet, async () => {
      runs++;
      await new Promise<void>((resolve) => (end = resolve));
      await outcome();
    });
    await database.db.transaction((tx) => queue.enqueue(tx, greet, { name: 'interrupted' }));
    await vi.waitUntil(() => runs === 1, { timeout: 10_000 });
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
    await vi.waitUntil(async () => (await states())[0]?.state === expected, { timeout: 10_000 });
    await queue.stop(1000);
    const { rows } = await database.pool.query('delete from pgboss.job where name = $1 returning state', [
      greet.name,
    ]);
    return { runs, rows };
  }

  it('has run once, and is completed once Postgres is back', async () => {
    const result = await runIntoOutage(() => Promise.resolve(), 'completed');
    expect(result).toEqual({ runs: 1, rows: [{ state: 'completed' }] });
  });

  it('that failed is tried again later, once Postgres is back', async () => {
    const result = await runIntoOutage(() => Promise.reject(new Error('no')), 'retry');
    expect(result).toEqual({ runs: 1, rows: [{ state: 'retry' }] });
  });
});
