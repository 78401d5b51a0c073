import type pg from 'pg';
import { APPLICATION_NAME } from '../../platform/db/database.ts';
import {
  findLastMigration,
  findMigration,
  migrateSchema,
  underMigrationLock,
} from '../../platform/db/migrate.ts';
import {
  dropRestoreMarker,
  findRestoreMarker,
  writeRestoreMarker,
} from '../../platform/db/restore-marker.ts';
import { listTables, loadTables, openCopyClient } from '../../platform/db/table-copy.ts';
import type { ObjectStorage } from '../../platform/object-storage/object-storage.ts';
import { StartupError } from '../../platform/startup-error.ts';
import type { BackupHeader } from './backup-format.ts';
import { openTables, readBackup, readObjectLists, type Backup } from './read-backup.ts';
import { fingerprintOf } from './write-backup.ts';

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

const POSTGRES_DISK_FULL = '53100';

type Options = {
  file: string;
  /** Only says whether it can be restored. */
  isCheck: boolean;
  /** Restores although the session secret will be another one. */
  allowsNewSecret: boolean;
  report: (line: string) => void;
};

/**
 * Restores a backup into an empty installation. What is killed can be repeated: until the transaction that loads the rows
 * commits, a marker keeps the app from starting. @throws StartupError
 */
export async function restoreBackup(open: OpenTarget, options: Options): Promise<void> {
  const { file, isCheck, report } = options;
  report(`Checking ${file}`);
  const backup = await readBackup(file);
  const { header } = backup;
  await findMigration(header.migration.when).catch(() => {
    throw new StartupError(
      `${file} was made by a newer release (${header.release}). Please restore it with that one or a newer one.`,
    );
  });
  report(describeBackup(backup));
  await checkTarget(await open.toCheck(), backup, options);
  if (isCheck) return report('It can be restored here.');
  try {
    await restoreInto(await open.toRestore(), backup, options);
  } catch (error) {
    throw explainFullDisk(error);
  }
}

async function restoreInto(target: RestoreTarget, backup: Backup, { file, report }: Options): Promise<void> {
  const { header, manifest } = backup;
  try {
    await underMigrationLock(target.databaseUrl, async (client) => {
      // Again, since an app may have been started in between.
      await requireEmpty(client, target, file, header);
      await writeRestoreMarker(client, header.id);
      report('Restoring the objects');
      await restoreObjects(target, file);
      if (backup.sessionSecret !== null && target.configuredSessionSecret === null)
        await target.replaceSessionSecret(backup.sessionSecret);
      report('Restoring the tables');
      await prepareSchema(client, target, header);
      await restoreTables(target, file, manifest.tables);
      // The next start would do the same.
      await migrateSchema(client);
      await target.createQueues(target.databaseUrl);
      await client.query('analyze');
      report('Everything is restored. Start the app with npm start.');
    });
  } finally {
    await target.close();
  }
}

function explainFullDisk(error: unknown): unknown {
  for (let cause = error; cause instanceof Error; cause = cause.cause)
    if (['ENOSPC', 'EDQUOT', POSTGRES_DISK_FULL].includes((cause as NodeJS.ErrnoException).code ?? ''))
      return new StartupError(
        `The disk is full (${cause.message}), so not everything is restored.\nPlease make room, then repeat the same command.`,
      );
  return error;
}

async function checkTarget(
  target: CheckTarget,
  { header, manifest }: Backup,
  options: Options,
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

function describeBackup({ header, manifest: { tables, objects } }: Backup): string {
  const rows = tables.reduce((sum, table) => sum + table.rows, 0);
  return (
    `A whole backup of ${header.createdAt} (release ${header.release}): ` +
    `${rows} rows and ${objects.count} objects (${megabytes(objects.bytes)}).`
  );
}

export function megabytes(bytes: number): string {
  return `${Math.ceil(bytes / 1024 / 1024)} MB`;
}

/** Without the same secret, authenticator apps, recovery codes and invitations no longer work, and no one is signed in. */
function requireSessionSecret(target: CheckTarget, header: BackupHeader, { allowsNewSecret }: Options): void {
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
async function requireEmpty(
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

/** Storages do not need the type, which the app takes from the database. */
const CONTENT_TYPE = 'application/octet-stream';

async function restoreObjects({ storage }: RestoreTarget, file: string): Promise<void> {
  await readBackup(file, { onObject: (key, body) => storage.writeStream(key, body, CONTENT_TYPE) });
}

/** The schema as the backed-up release had it. The tables are empty: a newer schema is made again. */
async function prepareSchema(
  client: pg.Client,
  target: RestoreTarget,
  { migration }: BackupHeader,
): Promise<void> {
  const current = await findLastMigration(client);
  if (current && current.when > migration.when) {
    // One query is one transaction: a restore that is killed finds one state or the other.
    await client.query('drop schema if exists public, drizzle, pgboss cascade; create schema public');
  }
  await migrateSchema(client, migration);
  await target.createQueues(target.databaseUrl);
}

async function restoreTables(
  target: RestoreTarget,
  file: string,
  tables: Backup['manifest']['tables'],
): Promise<void> {
  const client = await openCopyClient(target.databaseUrl, 'restore');
  const opened = openTables(file);
  try {
    await loadTables(
      client,
      tables,
      (table) => opened.rowsOf(tables.find(({ name }) => name === table.name)!),
      {
        currentJobNames: target.currentJobNames,
        beforeCommit: async () => {
          await deleteObjectsWithoutRows(client, target.storage);
          await dropRestoreMarker(client);
          // The one that was backed up may still run: its backups are in the folder that has its id.
          if (tables.some(({ name }) => name === 'installation'))
            await client.query('delete from installation');
        },
      },
    );
  } finally {
    await opened.close();
    await client.end();
  }
}

/** By the first part of their keys, the tables one of which has the id in the key. Objects of other kinds are kept. */
const OWNERS: Record<string, string[]> = {
  originals: ['images', 'uploads'],
  variants: ['images', 'uploads'],
  uploads: ['uploads'],
  'inbound-mail': ['inbound_emails'],
  flipbooks: ['flipbook_pdfs'],
  exports: ['export_parts'],
  imports: ['imports'],
};
const BATCH = 1000;

/** The objects were read after the rows, and no purge would find those that were added in between. */
async function deleteObjectsWithoutRows(client: pg.Client, storage: RestoreTarget['storage']): Promise<void> {
  const tables = new Set((await listTables(client)).map(({ name }) => name));
  const kinds = Object.entries(OWNERS).filter(([, owners]) => owners.every((name) => tables.has(name)));
  const ids = kinds.flatMap(([kind, owners]) =>
    owners.map((table) => `select '${kind}' as kind, id::text from ${table} where id = any($2::uuid[])`),
  );
  // Images whose key has another id, and the data that an earlier import left for the other parts.
  const others = {
    images: 'select null, object_key from images where object_key = any($1)',
    imports: `select 'imports', data_id::text from imports where data_id = any($2::uuid[])`,
  };
  const byOther = Object.entries(others).flatMap(([table, text]) => (tables.has(table) ? [text] : []));
  const query = [...ids, ...byOther].join(' union all ');
  const deleteUnknown = async (keys: string[]) => {
    const idIn = (key: string) => /[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/.exec(key)?.[0];
    const withId = keys.filter((key) => kinds.some(([kind]) => key.startsWith(`${kind}/`)) && idIn(key));
    if (withId.length === 0) return;
    const { rows } = await client.query<{ kind: string | null; id: string }>(query, [
      withId,
      withId.map(idIn),
    ]);
    const known = new Set(rows.map(({ kind, id }) => (kind === null ? id : `${kind}/${id}`)));
    for (const key of withId)
      if (!known.has(key) && !known.has(`${key.split('/')[0]}/${idIn(key)}`)) await storage.delete(key);
  };
  let keys: string[] = [];
  for await (const { key } of storage.list()) {
    if (keys.push(key) < BATCH) continue;
    await deleteUnknown(keys);
    keys = [];
  }
  await deleteUnknown(keys);
}
