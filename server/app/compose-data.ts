import { realpath } from 'node:fs/promises';
import { openDataFolder, readPostgresAccess, type DataFolder } from '../platform/data-folder/data-folder.ts';
import type { Config } from '../platform/config/config.ts';
import type { AppContext } from '../platform/context.ts';
import { openDatabase } from '../platform/db/database.ts';
import { openListener } from '../platform/db/listener.ts';
import { migrateDatabase } from '../platform/db/migrate.ts';
import { createDiskSpace, type DiskSpace, type Statfs } from '../platform/files/disk-space.ts';
import { releaseDiskReserve } from '../platform/embedded-postgres/disk-reserve.ts';
import {
  findRunningPostgres,
  startEmbeddedPostgres,
} from '../platform/embedded-postgres/embedded-postgres.ts';
import { upgradePostgres } from '../platform/embedded-postgres/upgrade-postgres.ts';
import { createPgBossJobQueue, createQueues } from '../platform/job-queue/pg-boss-job-queue.ts';
import { createLogger } from '../platform/logging/logger.ts';
import { createDiskObjectStorage } from '../platform/object-storage/disk-object-storage.ts';
import type { ObjectStorage } from '../platform/object-storage/object-storage.ts';
import { createDisposer, type Disposer } from './disposer.ts';
import { currentJobNames, jobs as allJobs } from './jobs.ts';

export type Data = Awaited<ReturnType<typeof openData>>;

type OpenOptions = {
  config: Config;
  disposer: Disposer;
  report: (line: string) => void;
  statfs?: Statfs | undefined;
};

/** The data folder, its database with all migrations, and the room on its disk. */
export async function openData(options: OpenOptions & Pick<AppContext, 'logger'>) {
  const { config, disposer, report, statfs, logger } = options;
  // Even the lock of the data folder needs room.
  if (config.database.kind === 'embedded')
    await releaseDiskReserve((await readPostgresAccess(config.dataDir)).postgresDir, report);
  const folder = await openNeededDataFolder(options);
  const { databaseUrl, socketFolder } = await openPostgres(folder, options);
  const database = disposer.add(
    openDatabase({
      url: databaseUrl,
      poolSize: config.database.poolSize,
      onError: (error) => logger.warn({ err: error }, 'A database connection broke'),
    }),
    (each) => each.close(),
  );
  await migrateDatabase(databaseUrl, () => createQueues(database.pool, allJobs));
  const dataFolders = folder ? await dataFoldersOf(config, folder) : [];
  const objectsDir =
    folder && config.objectStorage.kind === 'disk' ? await realpath(folder.objectsDir) : null;
  const diskSpace = createDiskSpace(config, dataFolders, statfs, objectsDir);
  return { folder, databaseUrl, socketFolder, database, dataFolders, diskSpace };
}

/** Null without a need for one: then any number of processes may run on this machine. */
export async function openNeededDataFolder({
  config,
  disposer,
}: Pick<OpenOptions, 'config' | 'disposer'>): Promise<DataFolder | null> {
  return isDataFolderNeeded(config)
    ? disposer.add(await openDataFolder(config.dataDir), (each) => each.close())
    : null;
}

export function isDataFolderNeeded({ database, objectStorage, secrets }: Config): boolean {
  return database.kind === 'embedded' || objectStorage.kind === 'disk' || !secrets.session;
}

export function required(folder: DataFolder | null): DataFolder {
  if (!folder) throw new Error('The data folder is not open');
  return folder;
}

/** The folder, and those in it that may be on another disk, by a mount or a symbolic link. */
function dataFoldersOf({ database, objectStorage }: Config, folder: DataFolder): Promise<string[]> {
  const folders = [
    folder.path,
    ...(database.kind === 'embedded' ? [folder.postgresDir] : []),
    ...(objectStorage.kind === 'disk' ? [folder.objectsDir] : []),
  ];
  return Promise.all(folders.map((each) => realpath(each)));
}

/** In the data folder, if it is ours, in the version of this release. */
export async function openPostgres(
  folder: DataFolder | null,
  { config, disposer, report: onLog, statfs }: OpenOptions,
): Promise<{ databaseUrl: string; socketFolder: string | null }> {
  if (config.database.kind === 'external') return { databaseUrl: config.database.url, socketFolder: null };
  const ownFolder = required(folder);
  const password = await ownFolder.secret('postgres');
  await upgradePostgres({
    folder: ownFolder,
    password,
    onLog,
    createQueues: createAllQueues,
    currentJobNames,
    statfs,
  });
  const postgres = await startEmbeddedPostgres({ dataDir: ownFolder.postgresDir, password, onLog });
  const { connectionString, socketFolder } = disposer.add(postgres, (each) => each.stop());
  return { databaseUrl: connectionString, socketFolder };
}

/** @param options.secret null: that of the data folder */
export async function openStorage(options: {
  config: Config;
  disposer: Disposer;
  folder: DataFolder | null;
  secret: string | null;
  clock: AppContext['clock'];
  diskSpace: DiskSpace | null;
}): Promise<ObjectStorage> {
  const { config, disposer, folder, clock, diskSpace } = options;
  if (config.objectStorage.kind === 's3') return openS3(config, disposer);
  const secret = options.secret ?? (await required(folder).secret('upload'));
  return createDiskObjectStorage({ folder: required(folder).objectsDir, secret, clock, diskSpace });
}

export async function openS3({ objectStorage }: Config, disposer: Disposer): Promise<ObjectStorage> {
  if (objectStorage.kind !== 's3') throw new Error('The objects are on the disk');
  // Large, and needed only with S3.
  const { createS3ObjectStorage } = await import('../platform/object-storage/s3-object-storage.ts');
  const storage = createS3ObjectStorage(objectStorage);
  return disposer.add(storage, () => Promise.resolve(storage.close()));
}

/** Only the database, and a queue for jobs of the server that may be running. Null if the embedded Postgres is not running. */
export async function openRunningDatabase(
  config: Config,
): Promise<(Pick<AppContext, 'db' | 'jobs'> & { close(): Promise<void> }) | null> {
  const { database, dataDir } = config;
  const url = database.kind === 'external' ? database.url : await findEmbeddedPostgres(dataDir);
  if (!url) return null;
  const onError = () => undefined;
  const disposer = createDisposer();
  try {
    const { pool, db } = disposer.add(openDatabase({ url, poolSize: 2, onError }), (each) => each.close());
    const listener = disposer.add(await openListener({ url, onError }), (each) => each.close());
    const queue = { pool, listener, catalogue: allJobs, logger: createLogger(config), hasWorkers: false };
    const jobs = disposer.add(await createPgBossJobQueue(queue), (each) => each.stop(0));
    return { db, jobs, close: () => disposer.dispose() };
  } catch (error) {
    await disposer.dispose();
    throw error;
  }
}

export async function createAllQueues(url: string): Promise<void> {
  const database = openDatabase({ url, poolSize: 1, onError: () => undefined });
  await createQueues(database.pool, allJobs).finally(() => database.close());
}

export async function findEmbeddedPostgres(dataDir: string): Promise<string | null> {
  const { postgresDir, password } = await readPostgresAccess(dataDir);
  return password ? findRunningPostgres({ dataDir: postgresDir, password }) : null;
}
