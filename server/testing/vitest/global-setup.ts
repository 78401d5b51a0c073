import { execFile } from 'node:child_process';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { TestProject } from 'vitest/node';
import { BUNDLED_SCRIPTS_FOLDER } from '../../platform/process/bundled-script.ts';
import { projectRoot } from '../../platform/process/project-root.ts';
import { makeMemoryFolder } from '../environment/memory-folder.ts';
import { startTestPostgres } from '../environment/test-postgres.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** The URL of a real Postgres that runs as long as the tests. */
    postgresUrl: string;
    /** As a superuser, to create and drop databases. */
    postgresAdminUrl: string;
    /** TMPDIR of the tests. */
    temporaryFolder: string;
  }
}

/** Starts one Postgres for all tests, with a migrated template database, and bundles our programs once. */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const bundle = join(projectRoot, 'scripts/lib/bundle-server.mjs');
  await promisify(execFile)(process.execPath, [bundle, BUNDLED_SCRIPTS_FOLDER]);
  const postgres = await startTestPostgres();
  project.provide('postgresUrl', postgres.url);
  project.provide('postgresAdminUrl', postgres.adminUrl);
  const temporaryFolder = await makeMemoryFolder();
  project.provide('temporaryFolder', temporaryFolder);
  return async () => {
    await postgres.stop();
    await rm(temporaryFolder, { recursive: true, force: true });
  };
}
