import { randomBytes } from 'node:crypto';
import { chmod, mkdir, open, readFile, readdir, realpath, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { isLockFile, lockDataFolder } from './data-folder-lock.ts';
import { StartupError } from '../startup-error.ts';

export type DataFolder = {
  path: string;
  postgresDir: string;
  objectsDir: string;
  /** Reads a secret, or makes it (32 random bytes, base64url) on first use. */
  secret(name: 'session' | 'upload' | 'postgres'): Promise<string>;
  /** Notes in the lock where its holder is serving, for whoever finds the folder in use. */
  announce(address: string): Promise<void>;
  /** Releases the lock. */
  close(): Promise<void>;
};

/** Raised when older code could not read what newer code writes. */
const VERSION = '1';
/** The major version of the embedded Postgres: its files are not readable by another. */
const POSTGRES_MAJOR = '18';
/** Mail and texts that stay here. Needs no lock: several processes may write to it, also where all else is kept elsewhere. */
export const DEV_OUTBOX_FOLDER = 'outbox';
/** What a folder may hold and still be taken as new: traces of the file system, or of a start that was cut off; mail. */
const IGNORED = /^(lost\+found|\.DS_Store|\.gitkeep|\.gitignore|VERSION\.draft|outbox)$/;

/**
 * Opens the folder in which everything is kept, for this process alone. Makes it when it is not there; leaves it
 * untouched when it is not ours, of another version, or in use.
 * @throws StartupError
 */
export async function openDataFolder(path: string): Promise<DataFolder> {
  try {
    return await openFolder(path);
  } catch (error) {
    throw error instanceof StartupError ? error : explain(path, error as NodeJS.ErrnoException);
  }
}

async function openFolder(path: string): Promise<DataFolder> {
  await mkdir(path, { recursive: true, mode: 0o700 });
  const folder = await realpath(path);
  const isNew = await check(folder);
  const lock = await lockDataFolder(folder);
  try {
    if (isNew) await writeDurably(folder, 'VERSION', `${VERSION}\n`);
    const secrets = join(folder, 'secrets');
    const objectsDir = join(folder, 'objects');
    for (const each of [secrets, objectsDir]) await mkdir(each, { recursive: true, mode: 0o700 });
    return {
      path: folder,
      postgresDir: join(folder, 'postgres'),
      objectsDir,
      secret: (name) => readOrMakeSecret(secrets, name),
      announce: (address) => lock.announce(address),
      close: () => lock.release(),
    };
  } catch (error) {
    await lock.release();
    throw error;
  }
}

/** True for a folder without anything of anybody. Only looks. */
async function check(folder: string): Promise<boolean> {
  const version = await readIfThere(join(folder, 'VERSION'));
  if (version === null) {
    const foreign = (await readdir(folder)).filter((name) => !IGNORED.test(name) && !isLockFile(name));
    if (foreign.length === 0) return true;
    throw new StartupError(
      `The folder ${folder} holds other things (${foreign.slice(0, 3).join(', ')}) and no data of this program.\n` +
        'Nothing was changed. Set DATA_DIR to an empty or a new folder.',
    );
  }
  if (version !== VERSION) {
    throw new StartupError(
      `The data folder ${folder} has version ${version}; this program reads version ${VERSION}.\n` +
        'Nothing was changed. Start it with the release that wrote it, or set DATA_DIR to another folder.',
    );
  }
  await checkPostgres(folder);
  return false;
}

async function checkPostgres(folder: string): Promise<void> {
  const major = await readIfThere(join(folder, 'postgres', 'PG_VERSION'));
  if (major === null || major === POSTGRES_MAJOR) return;
  throw new StartupError(
    `The database in ${folder} was written by Postgres ${major}; this program brings Postgres ${POSTGRES_MAJOR}.\n` +
      'Nothing was changed. Start it with the release that wrote it, dump the database there and restore it here.',
  );
}

async function readOrMakeSecret(secrets: string, name: string): Promise<string> {
  const file = join(secrets, name);
  try {
    const kept = await readIfThere(file);
    if (kept === '') {
      throw new StartupError(
        `The secret ${file} is empty. Put it back from a backup, or remove it to get a new one.`,
      );
    }
    if (kept !== null) {
      await chmod(file, 0o600);
      return kept;
    }
    const made = randomBytes(32).toString('base64url');
    await writeDurably(secrets, name, `${made}\n`);
    return made;
  } catch (error) {
    throw error instanceof StartupError ? error : explain(file, error as NodeJS.ErrnoException);
  }
}

async function readIfThere(file: string): Promise<string | null> {
  try {
    return (await readFile(file, 'utf8')).trim();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
}

/** Whole or not at all, and there after a power cut. */
async function writeDurably(folder: string, name: string, content: string): Promise<void> {
  const file = join(folder, name);
  await rm(`${file}.draft`, { force: true });
  const draft = await open(`${file}.draft`, 'wx', 0o600);
  try {
    await draft.writeFile(content);
    await draft.sync();
  } finally {
    await draft.close();
  }
  await rename(`${file}.draft`, file);
  const directory = await open(folder);
  try {
    await directory.sync();
  } finally {
    await directory.close();
  }
}

const REASONS: Record<string, string> = {
  EACCES: 'this user may not read and write there',
  EPERM: 'the system does not allow it',
  EROFS: 'it lies on a read-only file system',
  ENOSPC: 'the disk is full',
  EDQUOT: 'the disk quota is used up',
  ENOTDIR: 'a part of that path is a file, not a folder',
  EEXIST: 'there is a file with that name',
  ELOOP: 'its symbolic links go round in circles',
  ENAMETOOLONG: 'the name is too long',
};

function explain(path: string, error: NodeJS.ErrnoException): StartupError {
  const reason = REASONS[error.code ?? ''] ?? error.message;
  return new StartupError(
    `The data folder ${path} cannot be used: ${reason}. Set DATA_DIR to another folder.`,
  );
}
