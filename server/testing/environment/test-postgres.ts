import { randomUUID } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import pg from 'pg';
import { jobs as allJobs } from '../../app/jobs.ts';
import { migrateDatabase } from '../../platform/db/migrate.ts';
import { APP_ROLE } from '../../platform/embedded-postgres/app-role.ts';
import { startEmbeddedPostgres } from '../../platform/embedded-postgres/embedded-postgres.ts';
import { createQueues } from '../../platform/job-queue/pg-boss-job-queue.ts';
import { makeMemoryFolder } from './memory-folder.ts';

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
  const folder = await makeMemoryFolder();
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
