import { createHash, type Hash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { extract, type Extract } from 'tar-stream';
import type { ZodType } from 'zod';
import { OBJECT_KEY } from '../../platform/object-storage/object-storage.ts';
import { StartupError } from '../../platform/startup-error.ts';
import {
  AnyHeader,
  BackupHeader,
  ENTRIES,
  FORMAT_VERSION,
  Manifest,
  MAX_SMALL_ENTRY_BYTES,
  OBJECTS_PER_LIST,
  parseObjectList,
  type BackedUpTable,
  type ListedObject,
} from './backup-format.ts';
import { hashedFile } from './hashed-objects.ts';

export type Backup = {
  header: BackupHeader;
  manifest: Manifest;
  /** If it is inside. */
  sessionSecret: string | null;
};

type Visitor = {
  /** Reads the body to its end. */
  onObject?: (key: string, body: Readable) => Promise<void>;
  /** Whether the bytes of an object beside the backup are read; by default all are. Their existence is checked anyway. */
  mustRead?: (object: ListedObject) => boolean;
  /** The file of an object beside the backup has other bytes. */
  onDamaged?: (path: string) => Promise<void>;
};

/** Named in the message that a person reads. */
class BadBackupError extends StartupError {
  constructor(file: string, reason: string) {
    super(`${file} ${reason}`);
  }
}

/**
 * Reads a whole backup and compares all sums. Writes nothing, and never uses a name in the tar as a path.
 * @throws StartupError for a file that is no whole backup of this or an older release
 */
export async function readBackup(file: string, visitor: Visitor = {}): Promise<Backup> {
  try {
    return await readWhole(file, visitor);
  } catch (error) {
    throw explain(file, error as Error);
  }
}

async function readWhole(file: string, visitor: Visitor): Promise<Backup> {
  const reject = (reason: string) => new BadBackupError(file, reason);
  const sums = createSums(reject);
  let header: { parsed: BackupHeader; sha256: string } | null = null;
  let sessionSecret: string | null = null;
  let manifest: Manifest | null = null;
  for await (const entry of entriesOf(file)) {
    if (manifest) throw reject('is damaged: it continues after its end.');
    const { name } = entry.header;
    if (!header) {
      header = await readHeader(entry, reject);
      continue;
    }
    const [folder, ...rest] = name.split('/');
    if (name === ENTRIES.sessionSecret) sessionSecret = (await readSmall(entry, reject)).toString();
    else if (folder === 'tables' && /^[a-z_]+\/\d+$/.test(rest.join('/')))
      await sums.addTablePart(rest[0]!, Number(rest[1]), entry);
    else if (folder === 'objects' && OBJECT_KEY.test(rest.join('/')) && header.parsed.objects === 'inside')
      await sums.addObject(rest.join('/'), entry, visitor);
    else if (folder === 'object-lists' && /^\d+$/.test(rest.join('/'))) {
      const listed = sums.addList(Number(rest[0]), await readSmall(entry, reject), header.parsed.objects);
      if (header.parsed.objects === 'beside') await readBeside(file, listed, visitor, reject);
    } else if (name === ENTRIES.manifest)
      manifest = parseAs(Manifest, await readSmall(entry, reject), reject);
    else throw reject(`is rejected: it has an entry ${JSON.stringify(name)}, which no backup has.`);
  }
  if (!header) throw reject('is no backup of this program.');
  if (!manifest) throw reject('is cut off: its end is missing.');
  sums.compare(header.sha256, manifest);
  return { header: header.parsed, manifest, sessionSecret };
}

/** The objects of a backup that was read before, without their bytes, in the order of their keys. */
export async function* readObjectLists(file: string): AsyncGenerator<ListedObject> {
  for await (const entry of entriesOf(file)) {
    if (entry.header.name.startsWith('object-lists/'))
      yield* parseObjectList(await readSmall(entry, (reason) => new BadBackupError(file, reason)));
    else await skip(entry);
  }
}

/** Gives the rows of the tables of a backup that was read before, one table after the other. */
export function openTables(file: string): { rowsOf(table: BackedUpTable): Readable; close(): Promise<void> } {
  const entries = entriesOf(file);
  async function* rowsOf(table: BackedUpTable): AsyncGenerator<Buffer> {
    const hash = createHash('sha256');
    for (let part = 1; part <= table.parts;) {
      const next = await entries.next();
      if (next.done) throw new BadBackupError(file, 'has changed while it was read.');
      const entry = next.value;
      if (entry.header.name !== ENTRIES.table(table.name, part)) {
        await skip(entry);
        continue;
      }
      part += 1;
      for await (const chunk of entry) {
        hash.update(chunk as Buffer);
        yield chunk as Buffer;
      }
    }
    if (hash.digest('hex') !== table.sha256) throw new BadBackupError(file, 'has changed while it was read.');
  }
  return {
    rowsOf: (table) => Readable.from(rowsOf(table), { objectMode: false }),
    close: async () => void (await entries.return(undefined)),
  };
}

type Entry = Extract extends AsyncIterable<infer Source> ? Source : never;
type Reject = (reason: string) => StartupError;

/** Files only, and only whole ones. */
async function* entriesOf(file: string): AsyncGenerator<Entry, void> {
  const found = await stat(file).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') throw new StartupError(`There is no file ${file}`);
    throw error;
  });
  if (!found.isFile()) throw new StartupError(`${file} is not a file.`);
  const tar = extract();
  const reading = pipeline(createReadStream(file), tar);
  reading.catch(() => undefined);
  let count = 0;
  try {
    for await (const entry of tar) {
      const { type, name } = entry.header;
      if (type !== 'file')
        throw new BadBackupError(
          file,
          `is rejected: its entry ${JSON.stringify(name)} is a ${type}, not a file.`,
        );
      count += 1;
      yield entry;
    }
    await reading;
  } catch (error) {
    if (count > 0 || error instanceof StartupError || (error as NodeJS.ErrnoException).code) throw error;
    throw new BadBackupError(file, 'is no backup of this program.');
  } finally {
    tar.destroy();
  }
}

/** tar-stream's errors have no codes. */
function explain(file: string, error: Error): Error {
  if (error instanceof StartupError) return error;
  if (error.message === 'Unexpected end of data')
    return new BadBackupError(file, 'is cut off: its end is missing.');
  if (/header/i.test(error.message)) return new BadBackupError(file, 'is damaged.');
  return error;
}

async function readHeader(entry: Entry, reject: Reject): Promise<{ parsed: BackupHeader; sha256: string }> {
  if (entry.header.name !== ENTRIES.header) throw reject('is no backup of this program.');
  const bytes = await readSmall(entry, reject);
  const notOurs = () => reject('is no backup of this program.');
  const { version, release } = parseAs(AnyHeader, bytes, notOurs);
  if (version > FORMAT_VERSION)
    throw reject(`was made by a newer release (${release}). Please restore it with that one.`);
  return { parsed: parseAs(BackupHeader, bytes, reject), sha256: sha256(bytes) };
}

/** Sums what is read. Remembers at most one list of objects. */
function createSums(reject: Reject) {
  const tables = new Map<string, { hash: Hash; parts: number; bytes: number }>();
  const objects = { count: 0, bytes: 0, lists: 0, hash: createHash('sha256') };
  let unlisted: Omit<ListedObject, 'version'>[] = [];
  let lastKey = '';
  const damaged = (what: string) => reject(`is damaged: ${what}.`);

  return {
    async addTablePart(name: string, part: number, entry: Entry): Promise<void> {
      const table = tables.get(name) ?? { hash: createHash('sha256'), parts: 0, bytes: 0 };
      tables.set(name, table);
      table.parts += 1;
      if (part !== table.parts) throw damaged(`a part of the table ${name} is missing`);
      for await (const chunk of entry) {
        table.hash.update(chunk as Buffer);
        table.bytes += (chunk as Buffer).length;
      }
    },
    async addObject(key: string, entry: Entry, { onObject }: Visitor): Promise<void> {
      const hash = createHash('sha256');
      let size = 0;
      async function* body() {
        for await (const chunk of entry) {
          hash.update(chunk as Buffer);
          size += (chunk as Buffer).length;
          yield chunk as Buffer;
        }
      }
      if (onObject) await onObject(key, Readable.from(body(), { objectMode: false }));
      else for await (const _ of body());
      unlisted.push({ key, size, sha256: hash.digest('hex') });
      if (unlisted.length > OBJECTS_PER_LIST) throw damaged('a list of objects is missing');
    },
    addList(part: number, list: Buffer, location: BackupHeader['objects']): ListedObject[] {
      if (part !== ++objects.lists) throw damaged('a list of objects is missing');
      objects.hash.update(list);
      const listed = parseList(list);
      for (const [index, { key, size, sha256: sum }] of listed.entries()) {
        if (key <= lastKey) throw damaged(`it has the object ${key} twice`);
        lastKey = key;
        objects.count += 1;
        objects.bytes += size;
        const found = unlisted[index];
        if (location === 'inside' && (found?.key !== key || found.size !== size || found.sha256 !== sum))
          throw damaged(`the object ${key} is not the one that was backed up`);
      }
      if (location === 'inside' && unlisted.length !== listed.length)
        throw damaged('it has an object that is in no list');
      unlisted = [];
      return listed;
    },
    compare(headerSha256: string, manifest: Manifest): void {
      if (headerSha256 !== manifest.headerSha256) throw damaged('its header is not the original one');
      for (const { name, parts, bytes, sha256: sum } of manifest.tables) {
        const { hash, ...found } = tables.get(name) ?? { hash: createHash('sha256'), parts: 0, bytes: 0 };
        tables.delete(name);
        if (found.parts !== parts || found.bytes !== bytes || hash.digest('hex') !== sum)
          throw damaged(`the table ${name} is not the one that was backed up`);
      }
      for (const [name] of tables) throw damaged(`it has a table ${name} that is in no list`);
      if (unlisted.length > 0) throw damaged('it has an object that is in no list');
      const { hash, ...found } = objects;
      const { sha256: sum, ...expected } = manifest.objects;
      if (JSON.stringify(found) !== JSON.stringify(expected) || hash.digest('hex') !== sum)
        throw damaged('its objects are not those that were backed up');
    },
  };

  function parseList(list: Buffer): ListedObject[] {
    try {
      return parseObjectList(list);
    } catch {
      throw damaged('a list of objects cannot be read');
    }
  }
}

/** The bytes of the objects of a nightly backup, in the folder beside it. */
async function readBeside(
  file: string,
  listed: ListedObject[],
  { onObject, onDamaged, mustRead = () => true }: Visitor,
  reject: Reject,
): Promise<void> {
  const folder = join(dirname(file), 'objects');
  for (const object of listed) {
    const path = hashedFile(folder, object.sha256);
    const { size } = await stat(path).catch(() => ({ size: null }));
    const isWhole =
      size === object.size && (!mustRead(object) || (await isUndamaged(path, object, onObject)));
    if (isWhole) continue;
    if (size !== null) await onDamaged?.(path);
    throw reject(
      `is not complete: of the object ${object.key}, ${path} is ${size === null ? 'missing' : 'damaged'}.`,
    );
  }
}

/** A file on a bad sector counts as damaged, so that it is copied again. */
async function isUndamaged(
  path: string,
  object: ListedObject,
  onObject: Visitor['onObject'],
): Promise<boolean> {
  try {
    return await hasSum(path, object, onObject);
  } catch (error) {
    if (!onObject && (error as NodeJS.ErrnoException).code === 'EIO') return false;
    throw error;
  }
}

async function hasSum(path: string, object: ListedObject, onObject: Visitor['onObject']): Promise<boolean> {
  const hash = createHash('sha256');
  async function* body() {
    for await (const chunk of createReadStream(path)) {
      hash.update(chunk as Buffer);
      yield chunk as Buffer;
    }
  }
  if (onObject) await onObject(object.key, Readable.from(body(), { objectMode: false }));
  else for await (const _ of body());
  return hash.digest('hex') === object.sha256;
}

async function readSmall(entry: Entry, reject: Reject): Promise<Buffer> {
  if ((entry.header.size ?? 0) > MAX_SMALL_ENTRY_BYTES)
    throw reject(`is rejected: its entry ${entry.header.name} is too large.`);
  const chunks: Buffer[] = [];
  for await (const chunk of entry) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
}

async function skip(entry: Entry): Promise<void> {
  for await (const _ of entry);
}

function parseAs<T>(schema: ZodType<T>, bytes: Buffer, reject: Reject): T {
  try {
    return schema.parse(JSON.parse(bytes.toString('utf8')));
  } catch {
    throw reject('is damaged: its description cannot be read.');
  }
}

function sha256(bytes: Buffer): string {
  return createHash('sha256').update(bytes).digest('hex');
}
