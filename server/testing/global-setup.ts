import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import pg from 'pg';
import type { TestProject } from 'vitest/node';
import { APP_ROLE } from '../platform/embedded-postgres/app-role.ts';
import { startEmbeddedPostgres } from '../platform/embedded-postgres/embedded-postgres.ts';
import { createQueues } from '../platform/jobs/pg-boss-job-queue.ts';
import { migrateDatabase } from '../platform/db/migrate.ts';
import { jobs as allJobs } from '../app/jobs.ts';
import { BUNDLED_SCRIPTS_FOLDER } from '../platform/bundled-script.ts';
import { projectRoot } from '../platform/project-root.ts';
import { ADMIN_DATABASE, onDatabase, TEMPLATE_DATABASE } from './test-database.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** The URL of a real Postgres that runs as long as the tests. */
    postgresUrl: string;
    /** As a superuser, to create and drop databases. */
    postgresAdminUrl: string;
  }
}

/** Starts one Postgres for all tests, with a migrated template database, and bundles our programs once. */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const bundle = join(projectRoot, 'scripts/lib/bundle-server.mjs');
  await promisify(execFile)(process.execPath, [bundle, BUNDLED_SCRIPTS_FOLDER]);
  const folder = await mkdtemp(join(tmpdir(), 'mems-tests-'));
  const postgres = await startEmbeddedPostgres({
    dataDir: join(folder, 'postgres'),
    password: 'for-tests-only',
    onLog: () => undefined,
    settings: {
      fsync: 'off',
      synchronous_commit: 'off',
      full_page_writes: 'off',
      // Each server that runs at the same time has a pool.
      max_connections: '400',
    },
  });
  await createTemplate(postgres.connectionString, postgres.superuserConnectionString);
  project.provide('postgresAdminUrl', postgres.superuserConnectionString);
  project.provide('postgresUrl', postgres.connectionString);
  return async () => {
    await postgres.stop();
    await rm(folder, { recursive: true, force: true });
  };
}

async function createTemplate(url: string, adminUrl: string): Promise<void> {
  const admin = new pg.Client({ connectionString: onDatabase(adminUrl, ADMIN_DATABASE) });
  await admin.connect();
  await admin.query(`create database ${TEMPLATE_DATABASE} owner ${APP_ROLE}`);
  // To fill large tables without foreign key checks.
  await admin.query(`grant set on parameter session_replication_role to ${APP_ROLE}`);
  await admin.end();

  const templateUrl = onDatabase(url, TEMPLATE_DATABASE);
  const pool = new pg.Pool({ connectionString: templateUrl });
  await migrateDatabase(templateUrl, () => createQueues(pool, allJobs));
  await pool.end();
}
