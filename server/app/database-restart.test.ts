import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, inject, it, vi } from 'vitest';
import type { Pet } from '#shared/album/pet';
import { purgeExpiredRowsJob } from './purge-expired-rows-job.ts';
import { startAppProcess, type AppProcess } from '../testing/environment/app-process.ts';
import {
  startStoppablePostgres,
  type StopMode,
  type StoppablePostgres,
} from '../testing/environment/stoppable-postgres.ts';
import { createTestClient, type TestClient } from '../testing/clients/test-client.ts';

const PATIENCE = { timeout: 30_000, interval: 50 };
/** No answer at all. */
const GONE = { status: 0, body: null };
/** One of so many pets is not deleted again. */
const KEPT = 20;

let postgres: StoppablePostgres;
let dataDir: string;
let app: AppProcess;
let client: TestClient;

beforeAll(async () => {
  postgres = await startStoppablePostgres();
  dataDir = await mkdtemp(join(tmpdir(), 'mems-restart-'));
  app = await startAppProcess({ DATABASE_URL: postgres.url, DATA_DIR: dataDir, WRITE_BURST: '1000000' });
  client = createTestClient(app.origin);
  const account = { email: 'ada@mems.example', username: 'ada', password: 'correct horse' };
  expect((await client.post('/api/register', account)).status).toBe(201);
});

afterAll(async () => {
  await app.stop();
  await postgres.remove();
  await rm(dataDir, { recursive: true, force: true });
});

const statusOf = async (path: string) => (await client.get(path)).status;

/** Stops Postgres, checks the responses of the app, and starts Postgres again. */
async function restartPostgres(mode: StopMode, whileDown?: () => Promise<unknown>): Promise<void> {
  await postgres.stop(mode);
  expect(await statusOf('/api/user')).toBe(503);
  await vi.waitUntil(async () => (await statusOf('/api/health/ready')) === 503, PATIENCE);
  expect(await statusOf('/api/health')).toBe(200);
  await whileDown?.();
  await postgres.start();
  await vi.waitUntil(async () => (await statusOf('/api/user')) === 200, PATIENCE);
  await vi.waitUntil(async () => (await statusOf('/api/health/ready')) === 200, PATIENCE);
}

async function connect(): Promise<pg.Client> {
  const database = new pg.Client(postgres.url);
  database.on('error', () => undefined);
  await database.connect();
  return database;
}

async function onDatabase<T>(act: (database: pg.Client) => Promise<T>): Promise<T> {
  const database = await connect();
  try {
    return await act(database);
  } finally {
    await database.end();
  }
}

describe.each<StopMode>(['immediate', 'fast'])('the app, whose Postgres restarts (%s)', (mode) => {
  it('responds 503 to writes while Postgres is down, and keeps confirmed writes', async () => {
    const saved: string[] = [];
    const statuses = new Set<number>();
    let isOver = false;
    const write = async (writer: number) => {
      for (let n = 0; !isOver; n++) {
        const name = `${mode} ${writer} ${n}`;
        const { status, body } = await client.post('/api/pets', { name, species: 'dog' }).catch(() => GONE);
        statuses.add(status);
        if (status !== 201) continue;
        // An album has at most 500 pets.
        if (n % KEPT === 0) saved.push(name);
        else await client.request('DELETE', `/api/pets/${(body as Pet).id}`).catch(() => GONE);
      }
    };
    const writers = [1, 2, 3, 4].map(write);
    await vi.waitUntil(() => saved.length > 10, PATIENCE);
    const isRejected = () => vi.waitUntil(() => statuses.has(503), PATIENCE);
    await restartPostgres(mode, isRejected).finally(() => (isOver = statuses.has(GONE.status)));
    const savedBefore = saved.length;
    await vi.waitUntil(() => saved.length > savedBefore, PATIENCE);
    isOver = true;
    await Promise.all(writers);
    expect([...statuses].sort()).toEqual([201, 503]);
    const { rows } = await onDatabase((database) =>
      database.query<{ name: string }>('select name from pets'),
    );
    expect(rows.map(({ name }) => name)).toEqual(expect.arrayContaining(saved));
  });

  if (mode === 'immediate' || inject('faults').isLong)
    it('retries a job that was in the middle of a query', async () => {
      const { name } = purgeExpiredRowsJob;
      const blocker = await connect();
      await blocker.query('begin; lock table phone_codes');
      const id = await onDatabase(async (database) => {
        const text = `insert into pgboss.job (name, data, retry_delay) values ($1, '{}', 1) returning id`;
        return (await database.query<{ id: string }>(text, [name])).rows[0]!.id;
      });
      const state = () =>
        onDatabase(async (database) => {
          const text = 'select state from pgboss.job where id = $1';
          return (await database.query<{ state: string }>(text, [id])).rows[0]!.state;
        });
      const isWaiting = `select from pg_stat_activity where wait_event_type = 'Lock' and query like '%phone_codes%'`;
      await vi.waitUntil(
        () => onDatabase(async (each) => (await each.query(isWaiting)).rowCount === 1),
        PATIENCE,
      );
      expect(await state()).toBe('active');
      await restartPostgres(mode);
      await vi.waitUntil(async () => (await state()) === 'completed', PATIENCE);
    });
});
