import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { drizzle } from 'drizzle-orm/node-postgres';
import { migrate } from 'drizzle-orm/node-postgres/migrator';
import pg from 'pg';
import { projectRoot } from '../process/project-root.ts';
import { StartupError } from '../process/startup-error.ts';
import { rejectHalfRestored } from './restore-marker.ts';

/** An arbitrary key for the advisory lock. */
const MIGRATION_LOCK = 6_367_001;

const MIGRATIONS_FOLDER = join(projectRoot, 'migrations');

type Migration = { tag: string; when: number };

/**
 * Migrates the schema, then runs `prepare`, both under a lock.
 * @throws StartupError if the database does not answer, or was restored only in part
 */
export async function migrateDatabase(url: string, prepare?: () => Promise<void>): Promise<void> {
  await underMigrationLock(url, async (client) => {
    await rejectHalfRestored(client);
    await migrateSchema(client);
    await prepare?.();
  });
}

/** Only one process at a time migrates or restores a database. @throws StartupError if the database does not answer */
export async function underMigrationLock<Result>(
  url: string,
  act: (client: pg.Client) => Promise<Result>,
): Promise<Result> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 10_000 });
  // Without a listener, an error while the connection is idle crashes the process. Its next query fails anyway.
  client.on('error', () => undefined);
  await client.connect().catch((error: unknown) => {
    throw new StartupError(`The database does not answer (${errorText(error)}). Please check DATABASE_URL.`);
  });
  try {
    await client.query('select pg_advisory_lock($1)', [MIGRATION_LOCK]);
    return await act(client);
  } finally {
    await client.end();
  }
}

/** All migrations, or those up to one, as the release did whose last it was. */
export async function migrateSchema(client: pg.Client, last?: Migration): Promise<void> {
  if (!last) return migrate(drizzle(client), { migrationsFolder: MIGRATIONS_FOLDER });
  const folder = await mkdtemp(join(tmpdir(), 'mems-migrations-'));
  try {
    await cp(MIGRATIONS_FOLDER, folder, { recursive: true });
    const journal = await readJournal();
    const entries = journal.entries.filter(({ when }) => when <= last.when);
    await writeFile(join(folder, JOURNAL), JSON.stringify({ ...journal, entries }));
    await migrate(drizzle(client), { migrationsFolder: folder });
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Null for an empty database. @throws StartupError for a migration that only a newer release has */
export async function findLastMigration(client: pg.ClientBase): Promise<Migration | null> {
  const { rows: found } = await client.query<{ name: string | null }>(
    "select to_regclass('drizzle.__drizzle_migrations') as name",
  );
  if (!found[0]?.name) return null;
  const { rows } = await client.query<{ when: string }>(
    'select created_at as when from drizzle.__drizzle_migrations order by created_at desc limit 1',
  );
  return rows[0] ? findMigration(Number(rows[0].when)) : null;
}

/** By the time of its generation, which identifies it. @throws StartupError if this release does not have it */
export async function findMigration(when: number): Promise<Migration> {
  const migration = (await readJournal()).entries.find((each) => each.when === when);
  if (migration) return migration;
  throw new StartupError('The database was written by a newer release. Please use that one.');
}

const JOURNAL = 'meta/_journal.json';

async function readJournal(): Promise<{ entries: Migration[] }> {
  return JSON.parse(await readFile(join(MIGRATIONS_FOLDER, JOURNAL), 'utf8')) as { entries: Migration[] };
}

/** A host with several addresses causes an AggregateError without a message. */
function errorText(error: unknown): string {
  if (error instanceof AggregateError) return error.errors.map(errorText).join(', ');
  return error instanceof Error ? error.message : String(error);
}
