import { randomUUID } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { syncToDisk } from '../../../platform/files/sync-to-disk.ts';
import { StartupError } from '../../../platform/process/startup-error.ts';
import type { ListedObject } from '../backup-format.ts';
import type { InstallationRow } from '../installation-queries.ts';
import { readBackup, readObjectLists } from '../read-backup.ts';
import { writeBackup, type BackupSource, type StoreObject } from '../write-backup.ts';
import {
  addHashedFile,
  createHashFilter,
  deleteHashedFilesExcept,
  hasHashedFile,
  syncHashedFiles,
} from '../hashed-objects.ts';

const FILE_NAME = /^mems-[\dTZ-]+\.tar$/;
/** Has the id of the installation that may write and delete in the folder. */
const OWNER_FILE = 'OWNER';
const DRAFT_PREFIX = 'partial-';
/** All bytes of earlier nights are read again within so many nights, each time another part of them. */
const NIGHTS_TO_READ_ALL = 30;
const DAY_MS = 24 * 60 * 60 * 1000;

type Options = {
  folder: string;
  installation: InstallationRow;
  id: string;
  now: Date;
  keep: number;
  signal?: AbortSignal | undefined;
  /** Called before each object is copied. */
  requireRoom: () => Promise<void>;
};

type NightlyBackup = {
  fileName: string;
  objects: number;
  bytes: number;
  /** An earlier backup that cannot be read, so that no object was deleted. */
  unreadable: string | null;
  /** Why old backups or objects could not be deleted. The new backup is complete. */
  cleanupError: unknown;
};

/**
 * Writes a backup into the folder and checks it: the rows as a tar, and of the objects only those that are new or have
 * changed. Then deletes old backups. Only one process at a time may do it. @throws if it cannot be written or read back
 */
export async function makeNightlyBackup(source: BackupSource, options: Options): Promise<NightlyBackup> {
  const { folder, id, now, keep, signal } = options;
  await claimFolder(folder, options.installation);
  const objectsFolder = join(folder, 'objects');
  await mkdir(objectsFolder, { recursive: true, mode: 0o700 });
  await deleteDrafts(folder);
  const isNew = createHashFilter();
  const previous = openPreviousList(join(folder, (await listBackups(folder)).at(-1) ?? ''));
  const storeObject: StoreObject = async (object) => {
    const known = await previous.find(object.key);
    const isUnchanged = known?.version === object.version && known.size === object.size;
    if (isUnchanged && (await hasHashedFile(objectsFolder, known))) return known;
    await options.requireRoom();
    const body = await source.objects.open(object.key);
    if (!body) return null;
    const added = await addHashedFile(objectsFolder, join(folder, DRAFT_PREFIX + randomUUID()), body);
    isNew.add(added.sha256);
    return { key: object.key, ...added };
  };
  const draft = join(folder, DRAFT_PREFIX + id);
  try {
    const openDraft = () => createWriteStream(draft, { mode: 0o600, flush: true });
    const { manifest } = await writeBackup(source, openDraft, { id, now, signal, storeObject });
    await syncHashedFiles(objectsFolder);
    const isTonight = partToRead(now);
    await readBackup(draft, {
      mustRead: ({ sha256 }) => isNew.has(sha256) || isTonight(sha256),
      // The next attempt copies the object again.
      onDamaged: (path) => rm(path, { force: true }),
    });
    const fileName = `mems-${now.toISOString().replaceAll(':', '-').replace(/\.\d+/, '')}.tar`;
    await rename(draft, join(folder, fileName));
    await syncToDisk(folder);
    // A failure would be repeated each hour, with one more backup and one night less.
    const cleanup = await deleteOldBackups(folder, keep).then(
      (unreadable) => ({ unreadable, cleanupError: null }),
      (cleanupError: unknown) => ({ unreadable: null, cleanupError }),
    );
    return { fileName, objects: manifest.objects.count, bytes: manifest.objects.bytes, ...cleanup };
  } finally {
    await previous.close();
    await deleteDrafts(folder).catch(() => undefined);
  }
}

/** An empty owner file is a folder to take over. @throws StartupError for another installation's, and one that is missing */
async function claimFolder(folder: string, { id, hasNightlyBackup }: InstallationRow): Promise<void> {
  const file = join(folder, OWNER_FILE);
  const owner = await readOwner(file);
  if (owner === id) return;
  if (owner)
    throw new StartupError(
      `The backups in ${folder} are another installation's (${owner}). Nothing was changed there. Please set BACKUP_DIR to ` +
        `another folder, or, if they are to be replaced by those of this installation, empty the file ${file}.`,
    );
  if (owner === null && hasNightlyBackup)
    throw new StartupError(
      `The earlier backups are not in ${folder}: the file ${OWNER_FILE} is missing there. Nothing was written. Is its disk ` +
        `mounted? For a new folder, please make an empty file ${file}.`,
    );
  await mkdir(folder, { recursive: true, mode: 0o700 });
  if (owner !== null) await rm(file);
  // Two installations may do this at once: then the second one fails, and is rejected an hour later.
  await writeFile(file, `${id}\n`, { flag: 'wx', mode: 0o600, flush: true });
  await syncToDisk(folder);
}

/** Null if there is no file. Empty also after a crash while it was written. */
async function readOwner(file: string): Promise<string | null> {
  try {
    return (await readFile(file, 'utf8')).trim();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
}

/** Oldest first. */
async function listBackups(folder: string): Promise<string[]> {
  return (await readdir(folder)).filter((name) => FILE_NAME.test(name)).sort();
}

/** Left by a process that was killed. */
async function deleteDrafts(folder: string): Promise<void> {
  for (const name of await readdir(folder))
    if (name.startsWith(DRAFT_PREFIX)) await rm(join(folder, name), { force: true });
}

/** The objects of the last backup. They are asked for in the order in which it lists them, so that none is remembered. */
function openPreviousList(file: string) {
  const objects = readObjectLists(file);
  let next: IteratorResult<ListedObject, unknown> | null = null;
  // A backup that is missing or damaged: then all objects are copied again.
  const advance = () =>
    objects.next().catch((): IteratorReturnResult<undefined> => ({ done: true, value: undefined }));
  return {
    async find(key: string): Promise<ListedObject | null> {
      next ??= await advance();
      while (!next.done && next.value.key < key) next = await advance();
      return !next.done && next.value.key === key ? next.value : null;
    },
    close: async () => void (await objects.return(undefined)),
  };
}

function partToRead(now: Date): (sha256: string) => boolean {
  const night = Math.floor(now.getTime() / DAY_MS) % NIGHTS_TO_READ_ALL;
  return (sha256) => Number.parseInt(sha256.slice(0, 8), 16) % NIGHTS_TO_READ_ALL === night;
}

/** Deletes backups beyond `keep`, then unreferenced objects. @returns an unreadable backup; then no object is deleted */
async function deleteOldBackups(folder: string, keep: number): Promise<string | null> {
  const backups = await listBackups(folder);
  for (const name of backups.slice(0, -keep)) await rm(join(folder, name), { force: true });
  const needed = createHashFilter();
  for (const name of backups.slice(-keep)) {
    try {
      for await (const { sha256 } of readObjectLists(join(folder, name))) needed.add(sha256);
    } catch {
      return name;
    }
  }
  await deleteHashedFilesExcept(join(folder, 'objects'), (sha256) => needed.has(sha256));
  return null;
}
