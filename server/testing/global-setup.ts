import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import pg from 'pg';
import type { TestProject } from 'vitest/node';
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
  await createTemplate(postgres.connectionString);
  project.provide('postgresUrl', postgres.connectionString);
  return async () => {
    await postgres.stop();
    await rm(folder, { recursive: true, force: true });
  };
}

async function createTemplate(url: string): Promise<void> {
  const admin = new pg.Client({ connectionString: onDatabase(url, ADMIN_DATABASE) });
  await admin.connect();
  await admin.query(`create database ${TEMPLATE_DATABASE}`);
  await admin.end();

  const templateUrl = onDatabase(url, TEMPLATE_DATABASE);
  const pool = new pg.Pool({ connectionString: templateUrl });
  await migrateDatabase(templateUrl, () => createQueues(pool, allJobs));
  await pool.end();
}
