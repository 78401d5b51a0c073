import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { Readable } from 'node:stream';
import type { ZodType } from 'zod';
import { OBJECT_KEY } from '../../platform/object-storage/object-storage.ts';
import { StartupError } from '../../platform/process/startup-error.ts';
import {
  AnyHeader,
  BackupHeader,
  ENTRIES,
  FORMAT_VERSION,
  Manifest,
  parseObjectList,
  type BackedUpTable,
  type ListedObject,
} from './backup-format.ts';
import { createSums, type BackupVisitor } from './backup-sums.ts';
import { BadBackupError, entriesOf, readSmall, skip, type Entry, type Reject } from './backup-entries.ts';
import { hashedFile } from './hashed-objects.ts';

export type Backup = {
  header: BackupHeader;
  manifest: Manifest;
  /** If it is inside. */
  sessionSecret: string | null;
};

/**
 * Reads a whole backup and compares all sums. Writes nothing, and never uses a name in the tar as a path.
 * @throws StartupError for a file that is no whole backup of this or an older release
 */
export async function readBackup(file: string, visitor: BackupVisitor = {}): Promise<Backup> {
  try {
    return await readWhole(file, visitor);
  } catch (error) {
    throw explain(file, error as Error);
  }
}

async function readWhole(file: string, visitor: BackupVisitor): Promise<Backup> {
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

/** The bytes of the objects of a nightly backup, in the folder beside it. */
async function readBeside(
  file: string,
  listed: ListedObject[],
  { onObject, onDamaged, mustRead = () => true }: BackupVisitor,
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
  onObject: BackupVisitor['onObject'],
): Promise<boolean> {
  try {
    return await hasSum(path, object, onObject);
  } catch (error) {
    if (!onObject && (error as NodeJS.ErrnoException).code === 'EIO') return false;
    throw error;
  }
}

async function hasSum(
  path: string,
  object: ListedObject,
  onObject: BackupVisitor['onObject'],
): Promise<boolean> {
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
