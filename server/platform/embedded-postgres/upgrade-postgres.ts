import { existsSync } from 'node:fs';
import { lstat, readdir, realpath, rm, stat, statfs as readStatfs } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import type pg from 'pg';
import type { DataFolder } from '../data-folder/data-folder.ts';
import {
  readPostgresMajor,
  switchFolders,
  POSTGRES_MAJOR,
  PREVIOUS_POSTGRES_MAJOR,
} from '../data-folder/postgres-switch.ts';
import { findLastMigration, migrateSchema } from '../db/migrate.ts';
import { listTables, UNFINISHED_JOBS } from '../db/backup-tables.ts';
import { copyTableOut, loadTables, openCopyClient } from '../db/table-copy.ts';
import type { Statfs } from '../files/disk-space.ts';
import { StartupError } from '../process/startup-error.ts';
import { startEmbeddedPostgres } from './embedded-postgres.ts';
import { clearLeftovers } from './postgres-leftovers.ts';

type Options = {
  folder: Pick<DataFolder, 'postgresDir' | 'replacePostgres'>;
  password: string;
  /** Creates the job queue's schema, which is not ours to copy. */
  createQueues: (url: string) => Promise<void>;
  /** By former name. */
  currentJobNames: Record<string, string>;
  onLog: (line: string) => void;
  statfs?: Statfs | undefined;
};

/** For the write-ahead log of the new cluster, besides its copy of the data. */
const WAL_BYTES = 128 * 1024 * 1024;
/** A table that is truncated and filled in one transaction then needs no write-ahead log. */
const LOAD_SETTINGS = {
  wal_level: 'minimal',
  max_wal_senders: '0',
  max_wal_size: '128MB',
  autovacuum: 'off',
};
/** A command beside the app could find this server, and its changes would be lost. */
const READ_ONLY = { default_transaction_read_only: 'on' };

/**
 * Copies the cluster of the previous major version into a new one, and keeps it. Until the copy is complete, each start
 * begins with the old cluster again. Requires the lock of the data folder. @throws StartupError
 */
export async function upgradePostgres(options: Options): Promise<void> {
  const { folder, onLog, statfs = readStatfs } = options;
  const major = await readPostgresMajor(folder.postgresDir);
  if (major !== PREVIOUS_POSTGRES_MAJOR) return;
  const dataDir = await realpath(folder.postgresDir);
  const { next, kept } = switchFolders(dataDir, major);
  await removeNext(next, onLog);
  await requireReplaceable(dataDir, kept);
  await requireRoom(dataDir, statfs);
  onLog(`Moving the database from Postgres ${major} to ${POSTGRES_MAJOR} (once; this may take minutes)`);
  try {
    await copyCluster({ ...options, dataDir, next });
  } catch (error) {
    await removeNext(next, onLog);
    throw new StartupError(
      `The database could not be moved to Postgres ${POSTGRES_MAJOR}: ${(error as Error).message}\n` +
        'Its data is unchanged, and the next start tries again.',
    );
  }
  onLog(`All data is copied. The database of Postgres ${major} is kept in ${kept}.`);
  await folder.replacePostgres();
  onLog(
    `Postgres is now ${POSTGRES_MAJOR}. When all is well, delete the old database: rm -r ${quoteForShell(kept)}`,
  );
}

/** Removes what a killed start left, after stopping its Postgres. */
async function removeNext(next: string, onLog: (line: string) => void): Promise<void> {
  const parent = dirname(next);
  for (const name of await readdir(parent)) {
    if (!name.startsWith(basename(next))) continue;
    await clearLeftovers(join(parent, name), onLog);
    await rm(join(parent, name), { recursive: true, force: true });
  }
}

/** What would fail at the switch is rejected before the copy. */
async function requireReplaceable(dataDir: string, kept: string): Promise<void> {
  if (existsSync(kept)) {
    throw new StartupError(
      `The database is to be moved to Postgres ${POSTGRES_MAJOR}, but ${kept}, in which the old one is kept, exists already.\n` +
        'Nothing was changed. Move that folder away, then start again.',
    );
  }
  const [{ dev }, { dev: parentDev }] = await Promise.all([stat(dataDir), stat(dirname(dataDir))]);
  if (dev !== parentDev) {
    throw new StartupError(
      `The database is to be moved to Postgres ${POSTGRES_MAJOR}, but ${dataDir} is a mount point and cannot be renamed.\n` +
        'Nothing was changed. Mount the disk at another place, make this path a symbolic link to a folder on it, then start again.',
    );
  }
}

async function requireRoom(dataDir: string, statfs: Statfs): Promise<void> {
  const { bsize, bavail } = await statfs(dirname(dataDir));
  const needed = (await sizeOf(dataDir)) + WAL_BYTES;
  const free = bavail * bsize;
  if (free >= needed) return;
  throw new StartupError(
    `The database is to be moved to Postgres ${POSTGRES_MAJOR}, for which ${dirname(dataDir)} needs ${megabytes(needed)} of free disk, ` +
      `but has ${megabytes(free)}.\nNothing was changed. Make room, then start again.`,
  );
}

async function sizeOf(folder: string): Promise<number> {
  let bytes = 0;
  for (const name of await readdir(folder, { recursive: true }))
    bytes += await sizeOfFile(join(folder, name));
  return bytes;
}

/** A server that was killed may still be deleting its own files. */
async function sizeOfFile(path: string): Promise<number> {
  try {
    return (await lstat(path)).size;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return 0;
    throw error;
  }
}

function megabytes(bytes: number): string {
  return `${Math.ceil(bytes / 1024 / 1024)} MB`;
}

async function copyCluster(cluster: Options & { dataDir: string; next: string }): Promise<void> {
  const { dataDir, next, password, onLog } = cluster;
  const source = await startEmbeddedPostgres({
    dataDir,
    password,
    onLog,
    major: PREVIOUS_POSTGRES_MAJOR,
    settings: READ_ONLY,
  });
  try {
    const target = await startEmbeddedPostgres({ dataDir: next, password, onLog, settings: LOAD_SETTINGS });
    try {
      await copyDatabase(source.connectionString, target.connectionString, cluster);
    } finally {
      await target.stop();
    }
  } finally {
    await source.stop();
  }
}

async function copyDatabase(
  from: string,
  to: string,
  { createQueues, currentJobNames }: Pick<Options, 'createQueues' | 'currentJobNames'>,
): Promise<void> {
  const source = await openCopyClient(from, 'upgrade');
  try {
    await source.query('begin transaction isolation level repeatable read read only');
    const last = await findLastMigration(source);
    // The first start was interrupted before anything could be stored.
    if (!last) return;
    const target = await openCopyClient(to, 'upgrade');
    try {
      await migrateSchema(target, last);
      await createQueues(to);
      await loadTables(target, await countTables(source), (table) => copyTableOut(source, table), {
        currentJobNames,
      });
      await target.query('analyze');
    } finally {
      await target.end();
    }
  } finally {
    await source.end();
  }
}

async function countTables(source: pg.Client) {
  const count = async (from: string) => {
    const { rows } = await source.query<{ rows: number }>(`select count(*)::int as rows from ${from}`);
    return rows[0]!.rows;
  };
  const counted = [{ ...UNFINISHED_JOBS, rows: await count("pgboss.job where state <= 'active'") }];
  for (const table of await listTables(source)) {
    counted.push({ ...table, rows: await count(`public.${source.escapeIdentifier(table.name)}`) });
  }
  return counted;
}

function quoteForShell(path: string): string {
  return /^[\w/.-]+$/.test(path) ? path : `'${path.replaceAll("'", "'\\''")}'`;
}
