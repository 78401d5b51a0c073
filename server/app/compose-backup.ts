import { statfs } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { BackupSource } from '../features/backups/write-backup.ts';
import type { CheckTarget, OpenTarget, RestoreTarget } from '../features/backups/restore/check-target.ts';
import type { Config } from '../platform/config/config.ts';
import { systemClock } from '../platform/time/clock.ts';
import {
  openExistingDataFolder,
  readBackupAccess,
  readPostgresAccess,
} from '../platform/data-folder/data-folder.ts';
import { readPostgresMajor, type PostgresMajor } from '../platform/data-folder/postgres-switch.ts';
import { startEmbeddedPostgres } from '../platform/embedded-postgres/embedded-postgres.ts';
import { createDiskObjectReader } from '../platform/object-storage/disk-object-storage.ts';
import type { ObjectReader } from '../platform/object-storage/object-storage.ts';
import { StartupError } from '../platform/process/startup-error.ts';
import {
  createAllQueues,
  findEmbeddedPostgres,
  isDataFolderNeeded,
  openNeededDataFolder,
  openPostgres,
  openS3,
  openStorage,
  required,
} from './compose-data.ts';
import { currentJobNames } from './jobs.ts';
import { createDisposer, type Disposer } from './disposer.ts';

/** The source of a backup, also beside a running app. Creates nothing, and moves no database to a newer Postgres. */
export async function openBackupSource(
  config: Config,
  onLog: (line: string) => void,
): Promise<BackupSource & { close(): Promise<void> }> {
  return withDisposer(async (disposer) => {
    const { objectsDir, sessionSecret } = await readBackupAccess(config.dataDir);
    const secret = config.secrets.session ?? sessionSecret;
    if (secret === null)
      throw new StartupError(`There is nothing to back up yet: ${config.dataDir} has no secrets/session.`);
    const databaseUrl =
      config.database.kind === 'external'
        ? config.database.url
        : ((await findEmbeddedPostgres(config.dataDir)) ??
          (await startExistingPostgres(await openExisting(config, disposer), disposer, onLog)));
    if (databaseUrl === null)
      throw new StartupError(`There is nothing to back up yet: ${config.dataDir} has no database.`);
    const objects: ObjectReader =
      config.objectStorage.kind === 's3'
        ? await openS3(config, disposer)
        : createDiskObjectReader(objectsDir);
    return { databaseUrl, objects, sessionSecret: { value: secret, isGenerated: !config.secrets.session } };
  });
}

export function openTarget(config: Config, onLog: (line: string) => void): OpenTarget {
  return {
    toCheck: () => openCheckTarget(config, onLog),
    toRestore: () => openRestoreTarget(config, onLog),
  };
}

/** What is there of a target, without creating anything. */
async function openCheckTarget(config: Config, onLog: (line: string) => void): Promise<CheckTarget> {
  return withDisposer(async (disposer) => {
    const folder = isDataFolderNeeded(config) ? await openExisting(config, disposer) : null;
    const databaseUrl =
      config.database.kind === 'external'
        ? config.database.url
        : await startExistingPostgres(folder, disposer, onLog);
    const { objectsDir } = await readBackupAccess(config.dataDir);
    const isDisk = config.objectStorage.kind === 'disk';
    const storage = isDisk ? createDiskObjectReader(objectsDir) : await openS3(config, disposer);
    return {
      databaseUrl,
      freeBytes: async () => (isDisk ? findFreeBytes(objectsDir) : null),
      isOwnDatabase: config.database.kind === 'embedded',
      storage,
      configuredSessionSecret: config.secrets.session,
    };
  });
}

/** Locks the data folder and starts the database, but migrates nothing. */
async function openRestoreTarget(config: Config, onLog: (line: string) => void): Promise<RestoreTarget> {
  return withDisposer(async (disposer) => {
    const folder = await openNeededDataFolder({ config, disposer });
    const { databaseUrl } = await openPostgres(folder, { config, disposer, report: onLog });
    // Signs no URL here.
    const secret = config.secrets.upload ?? '';
    const storage = await openStorage({
      config,
      disposer,
      folder,
      secret,
      clock: systemClock,
      diskSpace: null,
    });
    return {
      databaseUrl,
      isOwnDatabase: config.database.kind === 'embedded',
      storage,
      configuredSessionSecret: config.secrets.session,
      replaceSessionSecret: (secret) => required(folder).replaceSecret('session', secret),
      createQueues: createAllQueues,
      currentJobNames,
    };
  });
}

/** Also for a folder that does not exist yet. */
async function findFreeBytes(folder: string): Promise<number> {
  try {
    const { bsize, bavail } = await statfs(folder);
    return bsize * bavail;
  } catch (error) {
    const isMissing = (error as NodeJS.ErrnoException).code === 'ENOENT' && dirname(folder) !== folder;
    if (isMissing) return findFreeBytes(dirname(folder));
    throw error;
  }
}

type ExistingFolder = Awaited<ReturnType<typeof openExistingDataFolder>>;

/** For an app that is not running. */
async function openExisting({ dataDir }: Config, disposer: Disposer): Promise<ExistingFolder> {
  const folder = await openExistingDataFolder(dataDir);
  return folder && disposer.add(folder, (each) => each.close());
}

/** By the major version that the database has. Null if there is none yet. */
async function startExistingPostgres(
  folder: ExistingFolder,
  disposer: Disposer,
  onLog: (line: string) => void,
): Promise<string | null> {
  if (!folder) return null;
  const major = (await readPostgresMajor(folder.postgresDir)) as PostgresMajor | null;
  const { password } = await readPostgresAccess(folder.path);
  if (!major || !password) return null;
  const postgres = await startEmbeddedPostgres({ dataDir: folder.postgresDir, password, onLog, major });
  return disposer.add(postgres, (each) => each.stop()).connectionString;
}

async function withDisposer<Opened extends object>(
  open: (disposer: Disposer) => Promise<Opened>,
): Promise<Opened & { close(): Promise<void> }> {
  const disposer = createDisposer();
  try {
    return { ...(await open(disposer)), close: () => disposer.dispose() };
  } catch (error) {
    await disposer.dispose();
    throw error;
  }
}
