import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { jobs as allJobs } from '../../app/jobs.ts';
import { migrateDatabase } from '../../platform/db/migrate.ts';
import { APP_ROLE } from '../../platform/embedded-postgres/app-role.ts';
import { startEmbeddedPostgres } from '../../platform/embedded-postgres/embedded-postgres.ts';
import { createQueues } from '../../platform/job-queue/pg-boss-job-queue.ts';
import { onDatabase, runOn, TEMPLATE_DATABASE, type PostgresUrls } from './clone-database.ts';
import { makeMemoryFolder } from './memory-folder.ts';
import { openTestPool } from './test-pool.ts';

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
  const pool = openTestPool(templateUrl);
  await migrateDatabase(templateUrl, () => createQueues(pool, allJobs));
  await pool.end();
  await prepare(templateUrl);
}
