import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { drizzle } from 'drizzle-orm/node-postgres';
import { migrate } from 'drizzle-orm/node-postgres/migrator';
import pg from 'pg';
import { v7 as uuidv7 } from 'uuid';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createQueues } from '../job-queue/pg-boss-job-queue.ts';
import { jobs as allJobs } from '../../app/jobs.ts';
import { waitForBlockedConnection } from '../../testing/timing/lock-waits.ts';
import { createEmptyDatabase } from '../../testing/environment/test-database.ts';
import { openTestPool } from '../../testing/environment/test-pool.ts';
import { projectRoot } from '../process/project-root.ts';
import { migrateDatabase } from './migrate.ts';

describe('migrateDatabase', () => {
  it('serializes ten concurrent migrations of an empty database, including the queues', async () => {
    const database = await createEmptyDatabase();
    const prepare = async () => {
      const pool = openTestPool(database.url);
      await migrateDatabase(database.url, () => createQueues(pool, allJobs)).finally(() => pool.end());
    };
    await Promise.all(Array.from({ length: 10 }, prepare));

    const client = new pg.Client({ connectionString: database.url });
    await client.connect();
    const count = async (table: string) =>
      (await client.query<{ count: number }>(`select count(*)::int as count from ${table}`)).rows[0]!.count;
    expect(await count('drizzle.__drizzle_migrations')).toBeGreaterThan(0);
    expect(await count('users')).toBe(0);
    // One more is pg-boss's own.
    expect(await count('pgboss.queue')).toBe(allJobs.length + 1);
    await client.end();
    await database.drop();
  });

  it('reports in one line that the database does not answer', async () => {
    await expect(migrateDatabase('postgres://unknown@127.0.0.1:1/mems')).rejects.toThrow(
      /^The database does not answer \(.*\)\. Please check DATABASE_URL\.$/,
    );
  });
});

describe('the migration that counts the storage', () => {
  it('counts what an earlier release stored, and what is written while it runs', async () => {
    const database = await createEmptyDatabase();
    onTestFinished(() => database.drop());
    const [reader, writer] = [await connect(database.url), await connect(database.url)];
    await migrateUntil(reader, '0017_unverified-users');
    const ownerId = uuidv7();
    await reader.query(
      `insert into users (id, email, username, password_hash) values ($1, 'mara@mems.example', 'mara', '')`,
      [ownerId],
    );
    const imageId = await insertImage(reader, ownerId, 1000);
    await reader.query(
      `insert into memories (id, owner_id, image_id, caption, tags, source, created_at, added_day)
       values ($1, $2, $3, 'At sea', '{sea}', 'web', now(), now())`,
      [uuidv7(), ownerId, imageId],
    );
    await reader.query(`insert into pets (id, owner_id, name, species) values ($1, $2, 'Rex', 'dog')`, [
      uuidv7(),
      ownerId,
    ]);

    await writer.query('begin');
    await insertImage(writer, ownerId, 500);
    const migrated = migrateDatabase(database.url);
    await waitForBlockedConnection(database.url);
    await writer.query('commit');
    await migrated;
    // The texts "At sea sea", with two search terms, and "Rex".
    const stored = 1000 + 500 + (10 + 2 * 150) + 3;
    expect(await storageOf(reader, ownerId)).toBe(stored);

    // Counts whatever the connection's search path is.
    await writer.query(`set search_path = ''`);
    await insertImage(writer, ownerId, 7);
    expect(await storageOf(reader, ownerId)).toBe(stored + 7);
    await Promise.all([reader.end(), writer.end()]);
  });
});

describe('the migration that makes photos unique', () => {
  it('keeps the duplicates of an earlier release, and gives the hash to the first outside the trash', async () => {
    const database = await createEmptyDatabase();
    onTestFinished(() => database.drop());
    const client = await connect(database.url);
    await migrateUntil(client, '0028_installation');
    const owners = [uuidv7(), uuidv7()];
    for (const id of owners)
      await client.query(`insert into users (id, email, username, password_hash) values ($1, $2, $2, '')`, [
        id,
        `${id}@mems.example`,
      ]);
    const insertMemory = async (
      ownerId = '',
      caption: string,
      createdAt: string,
      deletedAt: string | null,
    ) => {
      const imageId = await insertImage(client, ownerId, 1000);
      await client.query(
        `insert into memories (id, owner_id, image_id, caption, tags, source, created_at, added_day, deleted_at)
         values ($1, $2, $3, $4, '{}', 'web', $5, now(), $6)`,
        [uuidv7(), ownerId, imageId, caption, createdAt, deletedAt],
      );
    };
    await insertMemory(owners[0], 'deleted', '2026-01-01', '2026-02-01');
    await insertMemory(owners[0], 'second', '2026-01-03', null);
    await insertMemory(owners[0], 'first', '2026-01-02', null);
    await insertMemory(owners[1], 'another album', '2026-01-04', null);
    for (const status of ['completed', 'open'])
      await client.query(
        'insert into uploads (id, owner_id, status, created_at) values ($1, $2, $3, now())',
        [uuidv7(), owners[0], status],
      );
    await migrateDatabase(database.url);
    const { rows: uploads } = await client.query('select status, before from uploads order by status');
    expect(uploads).toEqual([
      { status: 'completed', before: 'none' },
      { status: 'open', before: null },
    ]);
    const { rows } = await client.query<{ caption: string; counts: boolean }>(
      'select caption, image_sha256 is not null as counts from memories order by caption',
    );
    expect(rows).toEqual([
      { caption: 'another album', counts: true },
      { caption: 'deleted', counts: false },
      { caption: 'first', counts: true },
      { caption: 'second', counts: false },
    ]);
    await client.end();
  });
});

async function connect(url: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  return client;
}

/** As an earlier release does, whose last migration was this one. */
async function migrateUntil(client: pg.Client, lastTag: string): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'mems-migrations-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  await cp(join(projectRoot, 'migrations'), folder, { recursive: true });
  const file = join(folder, 'meta/_journal.json');
  const journal = JSON.parse(await readFile(file, 'utf8')) as { entries: { tag: string }[] };
  const last = journal.entries.findIndex(({ tag }) => tag === lastTag);
  await writeFile(file, JSON.stringify({ ...journal, entries: journal.entries.slice(0, last + 1) }));
  await migrate(drizzle(client), { migrationsFolder: folder });
}

async function insertImage(client: pg.Client, ownerId: string, byteSize: number): Promise<string> {
  const id = uuidv7();
  await client.query(
    `insert into public.images (id, owner_id, object_key, content_type, byte_size, sha256, width, height, placeholder)
     values ($1::uuid, $2, $1::uuid::text, 'image/jpeg', $3, '', 1, 1, '')`,
    [id, ownerId, byteSize],
  );
  return id;
}

async function storageOf(client: pg.Client, ownerId: string): Promise<number> {
  const { rows } = await client.query<{ bytes: string }>(
    'select bytes from storage_usage where owner_id = $1',
    [ownerId],
  );
  return Number(rows[0]?.bytes ?? 0);
}
