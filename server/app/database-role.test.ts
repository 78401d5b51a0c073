import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { expect, it, onTestFinished } from 'vitest';
import { migrateDatabase } from '../platform/db/migrate.ts';
import { startEmbeddedPostgres } from '../platform/embedded-postgres/embedded-postgres.ts';
import { createQueues } from '../platform/job-queue/pg-boss-job-queue.ts';
import { createTestClient } from '../testing/clients/test-client.ts';
import { startAppProcess } from '../testing/environment/app-process.ts';
import { openTestPool } from '../testing/environment/test-pool.ts';
import { jobs as allJobs } from './jobs.ts';

/** Runs statements in the `mems` database of a data folder whose app is stopped. */
async function withPostgres(
  postgresDir: string,
  password: string,
  act: (urls: { app: string; superuser: string }) => Promise<void>,
): Promise<void> {
  const settings = { fsync: 'off' };
  const postgres = await startEmbeddedPostgres({
    dataDir: postgresDir,
    password,
    settings,
    onLog: () => undefined,
  });
  try {
    await act({ app: postgres.connectionString, superuser: postgres.superuserConnectionString });
  } finally {
    await postgres.stop();
  }
}

async function ask(url: string, ...statements: string[]): Promise<object[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    let rows: object[] = [];
    for (const statement of statements) ({ rows } = await client.query<object>(statement));
    return rows;
  } finally {
    await client.end();
  }
}

const NOT_OURS = `
  select relname::text as name from pg_class c join pg_namespace n on n.oid = relnamespace
    where relowner <> 'mems'::regrole and nspname !~ '^pg_|^information_schema$'
  union all select proname::text from pg_proc p join pg_namespace n on n.oid = pronamespace
    where proowner <> 'mems'::regrole and nspname !~ '^pg_|^information_schema$'
  union all select typname::text from pg_type t join pg_namespace n on n.oid = typnamespace
    where typowner <> 'mems'::regrole and nspname !~ '^pg_|^information_schema$'
  union all select nspname::text from pg_namespace
    where nspowner <> 'mems'::regrole and nspname !~ '^pg_|^information_schema$|^public$'
  union all select datname::text from pg_database where datname = 'mems' and datdba <> 'mems'::regrole`;

it('a data folder of a release that used the superuser moves to the app’s role, with its content', async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'mems-old-data-'));
  onTestFinished(() => rm(dataDir, { recursive: true, force: true }));
  const postgresDir = join(dataDir, 'postgres');
  const settings = { DATA_DIR: dataDir };
  const account = { email: 'mara@mems.example', username: 'mara', password: 'correct horse' };

  await (await startAppProcess(settings)).stop();
  const password = (await readFile(join(dataDir, 'secrets/postgres'), 'utf8')).trim();
  await withPostgres(postgresDir, password, async ({ superuser }) => {
    const admin = superuser.replace('/mems?', '/postgres?');
    await ask(admin, 'drop database mems with (force)', 'drop role mems', 'create database mems');
    // As earlier releases did at their start.
    const pool = openTestPool(superuser);
    await migrateDatabase(superuser, () => createQueues(pool, allJobs));
    await pool.end();
    await ask(superuser, 'create table serial (id serial, other int generated always as identity)');
    await ask(superuser, 'create sequence apart', 'create view watched as select 1 as one');
  });

  const app = await startAppProcess(settings);
  const registered = await createTestClient(app.origin).post('/api/register', account);
  expect(registered.status, registered.text).toBe(201);
  await app.kill();

  const again = await startAppProcess(settings);
  expect((await createTestClient(again.origin).post('/api/login', account)).status).toBe(200);
  await again.stop();
  await withPostgres(postgresDir, password, async ({ app: url, superuser }) => {
    expect(await ask(superuser, NOT_OURS)).toEqual([]);
    expect(await ask(url, 'select username from users')).toEqual([{ username: 'mara' }]);
    await ask(url, 'drop table serial', 'drop sequence apart', 'drop view watched');
  });
}, 180_000);
