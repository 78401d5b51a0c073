import { drizzle } from 'drizzle-orm/node-postgres';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import type { Db } from '../../db/database.ts';
import { createLogger } from '../../logger.ts';
import type { JobDefinition } from '../../ports/job-queue.ts';
import { createTestDatabase } from '../../testing/test-database.ts';
import { createPgBossJobQueue, type DrainableJobQueue } from './pg-boss-job-queue.ts';

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
    await queue.work(greet, ({ name }) => Promise.resolve(void greeted.push(name)));
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
    await queue.work(greet, () =>
      ++attempts < 2 ? Promise.reject(new Error('not yet')) : Promise.resolve(),
    );
    await db.transaction((tx) => queue.enqueue(tx, greet, { name: 'again' }));
    await expect(queue.drain()).rejects.toThrow('not yet');
    await queue.drain();
    expect(attempts).toBe(2);
  });

  it('is not taken for empty when the database does not answer', async () => {
    const ownPool = new pg.Pool({ connectionString: database.url });
    const queue = await openQueue(false, ownPool);
    await queue.work(greet, () => Promise.resolve());
    await ownPool.end();
    await expect(queue.drain()).rejects.toThrow('after calling end');
  });

  it('works by itself, and stops only when the running job is done', async () => {
    const queue = await openQueue(true);
    let finish = () => {};
    const state = { started: false, finished: false };
    await queue.work(greet, async () => {
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
    await first.work(greet, () => {
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
    await second.work(greet, ({ name }) => Promise.resolve(void greeted.push(name)));
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
    const queue = await openQueue(true, pool, [{ ...looking, isRunAtStart: true }]);
    let looks = 0;
    await queue.work(looking, () => Promise.resolve(void looks++));
    await vi.waitUntil(() => looks === 1, { timeout: 10_000 });
  });
});
