import { randomUUID } from 'node:crypto';
import { mkdtemp, readdir, rm, statfs } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { jobs as allJobs } from '../app/jobs.ts';
import { migrateDatabase } from '../platform/db/migrate.ts';
import { processStartedAt } from '../platform/process-info.ts';
import { APP_ROLE } from '../platform/embedded-postgres/app-role.ts';
import { startEmbeddedPostgres } from '../platform/embedded-postgres/embedded-postgres.ts';
import { createQueues } from '../platform/job-queue/pg-boss-job-queue.ts';

const ADMIN_DATABASE = 'postgres';
const TEMPLATE_DATABASE = 'mems_template';

export type PostgresUrls = {
  /** As the app's role. */
  url: string;
  /** As a superuser, to create and drop databases. */
  adminUrl: string;
};

/** Starts a Postgres that loses its data in a crash, with a migrated template database, to which `prepare` adds rows. */
export async function startTestPostgres(
  prepare: (templateUrl: string) => Promise<void> = () => Promise.resolve(),
): Promise<PostgresUrls & { stop(): Promise<void> }> {
  const folder = await makeFolder();
  const postgres = await startEmbeddedPostgres({
    dataDir: join(folder, 'postgres'),
    password: 'for-tests-only',
    onLog: () => undefined,
    settings: {
      fsync: 'off',
      synchronous_commit: 'off',
      full_page_writes: 'off',
      wal_level: 'minimal',
      max_wal_senders: '0',
      max_wal_size: '256MB',
      // A database lives for seconds; the launcher would visit each.
      autovacuum: 'off',
      // Each server that runs at the same time has a pool.
      max_connections: '400',
    },
  });
  const urls = { url: postgres.connectionString, adminUrl: postgres.superuserConnectionString };
  await createTemplate(urls, prepare);
  return {
    ...urls,
    async stop() {
      await postgres.stop();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

const MEMORY = '/dev/shm';
/** Several times what the databases take. Containers often have 64 MB. */
const MIN_FREE_BYTES = 4 * 1024 ** 3;
const PREFIX = 'mems-tests-';

/** In memory if it has room: copying the thousand files of a database to a disk takes several times as long. */
async function makeFolder(): Promise<string> {
  const free = await statfs(MEMORY).then(
    ({ bavail, bsize }) => bavail * bsize,
    () => 0,
  );
  if (free < MIN_FREE_BYTES) return mkdtemp(join(tmpdir(), PREFIX));
  await removeLeftovers();
  return mkdtemp(join(MEMORY, `${PREFIX}${process.pid}-`));
}

/** Of runs that were killed. They would hold the memory until the machine restarts. */
async function removeLeftovers(): Promise<void> {
  for (const name of await readdir(MEMORY)) {
    if (!name.startsWith(PREFIX)) continue;
    const pid = Number(name.slice(PREFIX.length).split('-')[0]);
    if ((await processStartedAt(pid)) === null)
      await rm(join(MEMORY, name), { recursive: true, force: true }).catch(() => undefined);
  }
}

async function createTemplate(
  { url, adminUrl }: PostgresUrls,
  prepare: (templateUrl: string) => Promise<void>,
): Promise<void> {
  await runOn(adminUrl, `create database ${TEMPLATE_DATABASE} owner ${APP_ROLE}`);
  // To fill large tables without foreign key checks.
  await runOn(adminUrl, `grant set on parameter session_replication_role to ${APP_ROLE}`);

  const templateUrl = onDatabase(url, TEMPLATE_DATABASE);
  const pool = new pg.Pool({ connectionString: templateUrl });
  await migrateDatabase(templateUrl, () => createQueues(pool, allJobs));
  await pool.end();
  await prepare(templateUrl);
}

/** Replaces the database in a connection URL. */
function onDatabase(url: string, database: string): string {
  return url.replace(/^(postgres(?:ql)?:\/\/[^/]*\/)[^?]*/, `$1${database}`);
}

export type TestDatabase = { url: string; drop(): Promise<void> };

export async function cloneDatabase(
  { url, adminUrl }: PostgresUrls,
  template = TEMPLATE_DATABASE,
): Promise<TestDatabase> {
  const name = `test_${randomUUID().replaceAll('-', '')}`;
  // By default Postgres writes each page to its log, which takes several times as long.
  await runOn(adminUrl, `create database ${name} template ${template} strategy file_copy owner ${APP_ROLE}`);
  return {
    url: onDatabase(url, name),
    drop: () => runOn(adminUrl, `drop database ${name} with (force)`),
  };
}

export async function runOn(adminUrl: string, statement: string): Promise<void> {
  const admin = new pg.Client({ connectionString: onDatabase(adminUrl, ADMIN_DATABASE) });
  await admin.connect();
  try {
    await admin.query(statement);
  } finally {
    await admin.end();
  }
}
