import type pg from 'pg';
import { describe, expect, it, onTestFinished } from 'vitest';
import { jobs as allJobs } from '../../app/jobs.ts';
import { addContact, addMemory, addPet, deleteMemory } from '../../testing/data/factories.ts';
import { createEmptyDatabase } from '../../testing/environment/test-database.ts';
import { readAllRows, storeActivity } from '../../testing/assertions/all-rows.ts';
import { startTestServer } from '../../testing/test-server.ts';
import { openTestPool } from '../../testing/environment/test-pool.ts';
import { createQueues } from '../job-queue/pg-boss-job-queue.ts';
import { findLastMigration, migrateSchema } from './migrate.ts';
import { listTables, UNFINISHED_JOBS } from './backup-tables.ts';
import { copyTableOut, loadTables, openCopyClient } from './table-copy.ts';

async function open(url: string): Promise<pg.Client> {
  const client = await openCopyClient(url, 'test');
  onTestFinished(() => client.end());
  return client;
}

async function countRows(client: pg.Client, from: string): Promise<number> {
  const { rows } = await client.query<{ count: number }>(`select count(*)::int as count from ${from}`);
  return rows[0]!.count;
}

/** A server with rows in many tables, and an empty database with its schema and queues. */
async function prepare() {
  const server = await startTestServer();
  const ana = await server.signUp('ana');
  const pet = await addPet(ana, { name: 'Rex\t\\N "é" 🐕' });
  await addContact(ana);
  await addMemory(ana, { caption: 'a\nb\\', tags: 'sea, "quoted"', petId: pet.id });
  await deleteMemory(ana, (await addMemory(ana)).id);
  await storeActivity(ana);
  const source = await open(server.databaseUrl);
  const database = await createEmptyDatabase();
  onTestFinished(() => database.drop());
  const target = await open(database.url);
  await migrateSchema(target, (await findLastMigration(source))!);
  const pool = openTestPool(database.url);
  await createQueues(pool, allJobs).finally(() => pool.end());
  const unfinished = "pgboss.job where state <= 'active'";
  const all = [{ ...UNFINISHED_JOBS, rows: await countRows(source, unfinished) }];
  for (const table of await listTables(source))
    all.push({ ...table, rows: await countRows(source, table.name) });
  return { server, source, target, all, targetUrl: database.url };
}

describe('copying tables', () => {
  it('makes the same rows in another database, the unfinished jobs included', async () => {
    const { server, source, target, all, targetUrl } = await prepare();
    expect(all[0]?.rows).toBeGreaterThan(0);
    await loadTables(target, all, (table) => copyTableOut(source, table));
    expect(await readAllRows(targetUrl)).toEqual(await readAllRows(server.databaseUrl));
    const triggers = await target.query("select from pg_trigger where not tgisinternal and tgenabled = 'D'");
    expect(triggers.rowCount).toBe(0);
  });

  it('loads nothing when a count or a column differs', async () => {
    const { source, target, all } = await prepare();
    const load = (tables: typeof all) => loadTables(target, tables, (table) => copyTableOut(source, table));
    await expect(load(all.map((each) => ({ ...each, rows: each.rows + 1 })))).rejects.toThrow(
      /has \d+ rows instead of/,
    );
    await target.query('rollback');
    expect(await countRows(target, 'users')).toBe(0);
    const renamed = all.map((each) => ({ ...each, columns: each.columns.map((name) => `${name}; --`) }));
    await expect(load(renamed)).rejects.toThrow('not the tables of this schema');
    await expect(load(all.slice(0, -1))).rejects.toThrow('not the tables of this schema');
  });
});
