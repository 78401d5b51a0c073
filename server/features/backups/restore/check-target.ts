import type pg from 'pg';
import { APPLICATION_NAME } from '../../../platform/db/database.ts';
import { findLastMigration, underMigrationLock } from '../../../platform/db/migrate.ts';
import { findRestoreMarker } from '../../../platform/db/restore-marker.ts';
import { listTables } from '../../../platform/db/backup-tables.ts';
import type { ObjectStorage } from '../../../platform/object-storage/object-storage.ts';
import { StartupError } from '../../../platform/process/startup-error.ts';
import type { BackupHeader } from '../backup-format.ts';
import { fingerprintOf } from '../write-backup.ts';
import { readObjectLists, type Backup } from '../read-backup.ts';

/** An installation that is not running. */
export type RestoreTarget = {
  databaseUrl: string;
  /** Nothing else is in it, so that it may be emptied. */
  isOwnDatabase: boolean;
  storage: Pick<ObjectStorage, 'writeStream' | 'delete' | 'list'>;
  /** SESSION_SECRET; null if the app generates it. */
  configuredSessionSecret: string | null;
  /** Puts it into the data folder. */
  replaceSessionSecret(secret: string): Promise<void>;
  createQueues(databaseUrl: string): Promise<void>;
  /** By former name. */
  currentJobNames: Record<string, string>;
  close(): Promise<void>;
};

/** The same without changing it. No `databaseUrl`: there is no database yet. */
export type CheckTarget = Pick<RestoreTarget, 'isOwnDatabase' | 'configuredSessionSecret' | 'close'> & {
  databaseUrl: string | null;
  storage: Pick<RestoreTarget['storage'], 'list'>;
  /** On the disk of the objects; null if they are elsewhere. */
  freeBytes(): Promise<number | null>;
};

export type OpenTarget = { toCheck(): Promise<CheckTarget>; toRestore(): Promise<RestoreTarget> };

export type RestoreOptions = {
  file: string;
  /** Only says whether it can be restored. */
  isCheck: boolean;
  /** Restores although the session secret will be another one. */
  allowsNewSecret: boolean;
  report: (line: string) => void;
};

export function megabytes(bytes: number): string {
  return `${Math.ceil(bytes / 1024 / 1024)} MB`;
}

export async function checkTarget(
  target: CheckTarget,
  { header, manifest }: Backup,
  options: RestoreOptions,
): Promise<void> {
  try {
    requireSessionSecret(target, header, options);
    if (target.databaseUrl === null) await requireEmptyStorage(target, options.file, header, null);
    else
      await underMigrationLock(target.databaseUrl, (client) =>
        requireEmpty(client, target, options.file, header),
      );
    await requireRoom(target, manifest.objects.bytes);
  } finally {
    await target.close();
  }
}

/** Of the objects only; the database may be on another disk. */
async function requireRoom(target: CheckTarget, neededBytes: number): Promise<void> {
  const free = await target.freeBytes();
  if (free === null || free >= neededBytes) return;
  // An interrupted restore wrote some of them.
  let present = 0;
  for await (const { size } of target.storage.list()) present += size;
  if (free + present >= neededBytes) return;
  throw new StartupError(
    `The objects need ${megabytes(neededBytes - present)} of free disk, but there are only ${megabytes(free)}.\n` +
      'Nothing was written. Make room, then repeat the same command.',
  );
}

/** Without the same secret, authenticator apps, recovery codes and invitations no longer work, and no one is signed in. */
function requireSessionSecret(
  target: CheckTarget,
  header: BackupHeader,
  { allowsNewSecret }: RestoreOptions,
): void {
  const { isInside, fingerprint } = header.sessionSecret;
  const { configuredSessionSecret: configured } = target;
  const isSame = configured === null ? isInside : fingerprintOf(configured) === fingerprint;
  if (isSame || allowsNewSecret) return;
  const how =
    configured === null
      ? 'Please set SESSION_SECRET to what it was there'
      : `Please ${isInside ? 'remove SESSION_SECRET from the settings' : 'set SESSION_SECRET to what it was there'}`;
  throw new StartupError(
    `The installation that was backed up had another SESSION_SECRET. ${how}; or, if it is lost, add --new-secret:\n` +
      'then everyone must sign in again, and authenticator apps and recovery codes no longer work\n' +
      '(npm run admin -- --turn-totp-off you@home.example lets someone sign in without them).\nNothing was written.',
  );
}

/** Empty, or what an interrupted restore of the same backup left. */
export async function requireEmpty(
  client: pg.Client,
  { storage, isOwnDatabase }: Pick<CheckTarget, 'storage' | 'isOwnDatabase'>,
  file: string,
  header: BackupHeader,
): Promise<void> {
  const { rows: running } = await client.query(
    'select from pg_stat_activity where datname = current_database() and application_name = $1',
    [APPLICATION_NAME],
  );
  if (running.length > 0)
    throw new StartupError('The app is running over this database. Nothing was written. Stop it first.');
  const tables = await listTables(client);
  const migration = await findLastMigration(client);
  if (migration === null && tables.length > 0)
    throw notEmpty(`its database has other tables (${tables[0]!.name})`);
  if (migration && migration.when > header.migration.when && !isOwnDatabase)
    throw notEmpty('a newer release than the one of the backup was started over its database');
  if (tables.some(({ name }) => name === 'users')) {
    const { rows } = await client.query<{ count: number }>('select count(*)::int as count from users');
    if (rows[0]?.count)
      throw notEmpty(`it has ${rows[0].count === 1 ? 'an account' : `${rows[0].count} accounts`}`);
  }
  await requireEmptyStorage({ storage }, file, header, await findRestoreMarker(client));
}

function notEmpty(reason: string): StartupError {
  return new StartupError(
    `The installation is not empty: ${reason}.\nNothing was written. Restore into a new one.`,
  );
}

async function requireEmptyStorage(
  { storage }: Pick<CheckTarget, 'storage'>,
  file: string,
  header: BackupHeader,
  interrupted: string | null,
): Promise<void> {
  if (interrupted === header.id) return requireOwnObjects(storage, file);
  for await (const { key } of storage.list()) {
    if (interrupted === null) throw notEmpty(`its object storage has ${key}`);
    throw new StartupError(
      'The restore of another backup was interrupted here. Nothing was written now.\n' +
        'Repeat that one, or restore into a new installation.',
    );
  }
}

/** The storage was empty before; another one may be configured now. */
async function requireOwnObjects(storage: CheckTarget['storage'], file: string): Promise<void> {
  const expected = readObjectLists(file);
  try {
    let next = await expected.next();
    for await (const { key, size } of storage.list()) {
      while (!next.done && next.value.key < key) next = await expected.next();
      if (next.done || next.value.key !== key || next.value.size !== size)
        throw new StartupError(
          `The object storage has ${key}, which is not in this backup. Nothing was written now.\n` +
            'Is it the storage of the restore that was interrupted?',
        );
    }
  } finally {
    await expected.return(undefined);
  }
}
