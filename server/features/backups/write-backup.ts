import { createHash } from 'node:crypto';
import type { Readable, Writable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import type pg from 'pg';
import type { SessionSecret } from '../../platform/context.ts';
import { lockForBackup } from '../../platform/db/backup-lock.ts';
import { listBackupTables, type CopiedTable } from '../../platform/db/backup-tables.ts';
import { findLastMigration, underMigrationLock } from '../../platform/db/migrate.ts';
import { copyTableOut, openCopyClient } from '../../platform/db/table-copy.ts';
import type { ObjectReader, StoredObject } from '../../platform/object-storage/object-storage.ts';
import { releaseVersion } from '../../platform/process/project-root.ts';
import { StartupError } from '../../platform/process/startup-error.ts';
import { createKeyedHash } from '../../platform/security/keyed-hash.ts';
import {
  BackupHeader,
  ENTRIES,
  OBJECTS_PER_LIST,
  TABLE_PART_BYTES,
  toObjectList,
  type BackedUpTable,
  type ListedObject,
  type Manifest,
} from './backup-format.ts';
import { createTarWriter, type TarWriter } from './tar-writer.ts';

export type BackupSource = {
  databaseUrl: string;
  objects: ObjectReader;
  sessionSecret: SessionSecret;
};

/** Stores an object of a backup. Null if it has been deleted: then no row of the backup refers to it. */
export type StoreObject = (object: StoredObject) => Promise<Omit<ListedObject, 'version'> | null>;

type Options = {
  id: string;
  now: Date;
  signal?: AbortSignal | undefined;
  /** Where the objects go; into the tar by default. */
  storeObject?: StoreObject | undefined;
};

export type WrittenBackup = { header: BackupHeader; manifest: Manifest };

/**
 * Writes the rows of one snapshot and all objects that they refer to, while the app runs: until the end, deletions of
 * objects wait. @throws StartupError if another backup runs, or there is nothing to back up
 */
export async function writeBackup(
  source: BackupSource,
  openOut: () => Promise<Writable> | Writable,
  options: Options,
): Promise<WrittenBackup> {
  const client = await openCopyClient(source.databaseUrl, 'backup').catch((error: Error) => {
    throw new StartupError(`The database does not answer (${error.message}).`);
  });
  let tar: TarWriter | undefined;
  try {
    await lockForBackup(client);
    tar = createTarWriter(await openOut());
    const { header, headerSha256, tables } = await writeSnapshot(client, tar, source, options);
    const objects = await writeObjects(tar, source.objects, options);
    const manifest: Manifest = { headerSha256, tables, objects };
    // Without the connection, deletions would not have waited.
    await client.query('select 1');
    await tar.write(ENTRIES.manifest, toJson(manifest));
    await tar.end();
    return { header, manifest };
  } finally {
    tar?.destroy();
    await client.end();
  }
}

/** A short transaction, in which no migration runs: it would change tables that are not locked yet. */
async function writeSnapshot(
  client: pg.Client,
  tar: TarWriter,
  source: BackupSource,
  options: Options,
): Promise<{ header: BackupHeader; headerSha256: string; tables: BackedUpTable[] }> {
  return underMigrationLock(source.databaseUrl, async () => {
    await client.query('begin transaction isolation level repeatable read read only');
    const header = await makeHeader(client, source, options);
    const headerSha256 = await tar.write(ENTRIES.header, toJson(header));
    const { value, isGenerated } = source.sessionSecret;
    if (isGenerated) await tar.write(ENTRIES.sessionSecret, Buffer.from(value));
    const tables: BackedUpTable[] = [];
    for (const table of await listBackupTables(client)) {
      options.signal?.throwIfAborted();
      tables.push(await writeTable(client, tar, table));
    }
    await client.query('commit');
    return { header, headerSha256, tables };
  });
}

async function makeHeader(
  client: pg.Client,
  { sessionSecret }: BackupSource,
  { id, now, storeObject }: Options,
): Promise<BackupHeader> {
  const migration = await findLastMigration(client);
  if (!migration) throw new StartupError('There is nothing to back up yet: the app has never been started.');
  const { rows } = await client.query<{ version: string }>(
    `select current_setting('server_version') as version`,
  );
  return BackupHeader.parse({
    id,
    createdAt: now.toISOString(),
    release: releaseVersion,
    postgres: rows[0]?.version,
    migration: { tag: migration.tag, when: migration.when },
    objects: storeObject ? 'beside' : 'inside',
    sessionSecret: {
      isInside: sessionSecret.isGenerated,
      fingerprint: fingerprintOf(sessionSecret.value),
    },
  });
}

export function fingerprintOf(sessionSecret: string): string {
  return createKeyedHash(sessionSecret)('backup fingerprint');
}

async function writeTable(client: pg.Client, tar: TarWriter, table: CopiedTable): Promise<BackedUpTable> {
  const hash = createHash('sha256');
  let parts = 0;
  let bytes = 0;
  const rows = copyTableOut(client, table) as Readable & { rowCount: number };
  for await (const part of inParts(rows, TABLE_PART_BYTES)) {
    hash.update(part);
    bytes += part.length;
    parts += 1;
    await tar.write(ENTRIES.table(table.name, parts), part);
  }
  return { ...table, rows: rows.rowCount, parts, bytes, sha256: hash.digest('hex') };
}

/** A tar needs the size of each entry before its bytes, and that of a table is not known. */
async function* inParts(source: AsyncIterable<Buffer>, minBytes: number): AsyncGenerator<Buffer> {
  let chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of source) {
    chunks.push(chunk);
    bytes += chunk.length;
    if (bytes < minBytes) continue;
    yield Buffer.concat(chunks);
    chunks = [];
    bytes = 0;
  }
  if (bytes > 0) yield Buffer.concat(chunks);
}

async function writeObjects(
  tar: TarWriter,
  objects: ObjectReader,
  { signal, storeObject = storeInTar(tar, objects) }: Options,
): Promise<Manifest['objects']> {
  const hash = createHash('sha256');
  const total = { count: 0, bytes: 0, lists: 0 };
  let listed: ListedObject[] = [];
  const writeList = async () => {
    const list = toObjectList(listed);
    hash.update(list);
    await tar.write(ENTRIES.objectList(++total.lists), list);
    listed = [];
  };
  for await (const object of objects.list()) {
    signal?.throwIfAborted();
    const stored = await storeObject(object);
    if (!stored) continue;
    listed.push({ ...stored, version: object.version });
    total.count += 1;
    total.bytes += stored.size;
    if (listed.length === OBJECTS_PER_LIST) await writeList();
  }
  if (listed.length > 0) await writeList();
  return { ...total, sha256: hash.digest('hex') };
}

/** Smaller ones are read before their size is written: an upload that is not completed yet can be replaced. */
const STREAMED_BYTES = 16 * 1024 * 1024;

function storeInTar(tar: TarWriter, objects: ObjectReader): StoreObject {
  return async ({ key, size: listedSize }) => {
    const body = await objects.open(key);
    if (!body) return null;
    const name = ENTRIES.object(key);
    if (listedSize <= STREAMED_BYTES) {
      const bytes = await buffer(body);
      return { key, size: bytes.length, sha256: await tar.write(name, bytes) };
    }
    const size = (await objects.sizeOf(key)) ?? listedSize;
    return { key, size, sha256: await tar.writeStream(name, size, body) };
  };
}

function toJson(value: object): Buffer {
  return Buffer.from(`${JSON.stringify(value, null, 2)}\n`);
}
