import type pg from 'pg';
import {
  findLastMigration,
  findMigration,
  migrateSchema,
  underMigrationLock,
} from '../../../platform/db/migrate.ts';
import { dropRestoreMarker, writeRestoreMarker } from '../../../platform/db/restore-marker.ts';
import { listTables } from '../../../platform/db/backup-tables.ts';
import { loadTables, openCopyClient } from '../../../platform/db/table-copy.ts';
import { StartupError } from '../../../platform/process/startup-error.ts';
import type { BackupHeader } from '../backup-format.ts';
import {
  checkTarget,
  megabytes,
  requireEmpty,
  type OpenTarget,
  type RestoreOptions,
  type RestoreTarget,
} from './check-target.ts';
import { openTables, readBackup, type Backup } from '../read-backup.ts';

const POSTGRES_DISK_FULL = '53100';

/**
 * Restores a backup into an empty installation. What is killed can be repeated: until the transaction that loads the rows
 * commits, a marker keeps the app from starting. @throws StartupError
 */
export async function restoreBackup(open: OpenTarget, options: RestoreOptions): Promise<void> {
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

async function restoreInto(
  target: RestoreTarget,
  backup: Backup,
  { file, report }: RestoreOptions,
): Promise<void> {
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

function describeBackup({ header, manifest: { tables, objects } }: Backup): string {
  const rows = tables.reduce((sum, table) => sum + table.rows, 0);
  return (
    `A whole backup of ${header.createdAt} (release ${header.release}): ` +
    `${rows} rows and ${objects.count} objects (${megabytes(objects.bytes)}).`
  );
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
