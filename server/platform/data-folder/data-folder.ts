import { randomBytes } from 'node:crypto';
import { chmod, mkdir, readFile, readdir, realpath, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { isLockFile, lockDataFolder } from './data-folder-lock.ts';
import {
  POSTGRES_MAJOR,
  PREVIOUS_POSTGRES_MAJOR,
  readPostgresMajor,
  switchPostgres,
} from './postgres-switch.ts';
import { StartupError } from '../process/startup-error.ts';
import { syncToDisk } from '../files/sync-to-disk.ts';

export type DataFolder = {
  path: string;
  postgresDir: string;
  objectsDir: string;
  /** For photos on their way from a remote source. */
  remoteDir: string;
  /** Reads a secret. Generates it (32 random bytes, base64url) on first use. */
  secret(name: 'session' | 'upload' | 'postgres'): Promise<string>;
  /** With that of a restored backup. */
  replaceSecret(name: 'session', secret: string): Promise<void>;
  /** Puts the complete `postgres.next` in place of `postgres`, which is kept. If interrupted, the next start finishes it. */
  replacePostgres(): Promise<void>;
  /** Adds the server's address to the lock, for the error message of a second process. */
  announce(address: string): void;
  /** Releases the lock. */
  close(): Promise<void>;
};

/** To be incremented when older releases cannot read the folder. */
const VERSION = '1';
/** While a newer Postgres takes over: other releases would miss their cluster, and make an empty one. */
const SWITCHING_VERSION = `${VERSION}, moving to Postgres ${POSTGRES_MAJOR}`;
/** Not locked: several processes may write to it. */
export const DEV_OUTBOX_FOLDER = 'outbox';
/** Links of the last start that only the operator may use. */
export const LINKS_FOLDER = 'links';
/** Allowed in a new folder: files of the file system or of an interrupted start, the dev outbox, and links. */
const IGNORED = /^(lost\+found|\.DS_Store|\.gitkeep|\.gitignore|VERSION\.draft|outbox|links)$/;

/**
 * Creates or opens the folder and locks it. Leaves it unchanged if it cannot be used.
 * @param wait for a heartbeat of another machine
 * @throws StartupError
 */
export async function openDataFolder(
  path: string,
  wait?: (ms: number) => Promise<void>,
): Promise<DataFolder> {
  try {
    return await openFolder(path, wait);
  } catch (error) {
    throw error instanceof StartupError ? error : explain(path, error as NodeJS.ErrnoException);
  }
}

/** Locks a folder as it is, creating nothing. Null if the app never started there. @throws StartupError */
export async function openExistingDataFolder(
  path: string,
): Promise<Pick<DataFolder, 'path' | 'postgresDir' | 'close'> | null> {
  try {
    const folder = await realpath(path);
    if (await check(folder)) return null;
    if ((await readOrNull(join(folder, 'VERSION'))) === SWITCHING_VERSION)
      throw new StartupError(
        `The database in ${folder} was being moved to Postgres ${POSTGRES_MAJOR} when the app ended.\n` +
          'Nothing was changed. Start the app once, which finishes it.',
      );
    const lock = await lockDataFolder(folder);
    return {
      path: folder,
      postgresDir: join(folder, 'postgres'),
      close: () => Promise.resolve(lock.release()),
    };
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error instanceof StartupError ? error : explain(path, error as NodeJS.ErrnoException);
  }
}

/** Without the lock, for programs beside a running server. */
export async function readPostgresAccess(
  path: string,
): Promise<{ postgresDir: string; password: string | null }> {
  return {
    postgresDir: join(path, 'postgres'),
    password: await readOrNull(join(path, 'secrets', 'postgres')),
  };
}

/** Without the lock, too. The secret is null if there is none yet. */
export async function readBackupAccess(
  path: string,
): Promise<{ objectsDir: string; sessionSecret: string | null }> {
  return {
    objectsDir: join(path, 'objects'),
    sessionSecret: await readOrNull(join(path, 'secrets', 'session')),
  };
}

async function openFolder(path: string, wait?: (ms: number) => Promise<void>): Promise<DataFolder> {
  await mkdir(path, { recursive: true, mode: 0o700 });
  const folder = await realpath(path);
  const isNew = await check(folder);
  const lock = await lockDataFolder(folder, wait);
  try {
    const postgresDir = join(folder, 'postgres');
    const writeVersion = (version: string) => writeDurably(folder, 'VERSION', `${version}\n`);
    const finishSwitch = async () => {
      await switchPostgres(postgresDir);
      await writeVersion(VERSION);
    };
    if (isNew) await writeVersion(VERSION);
    if ((await readOrNull(join(folder, 'VERSION'))) === SWITCHING_VERSION) await finishSwitch();
    const secrets = join(folder, 'secrets');
    const objectsDir = join(folder, 'objects');
    for (const each of [secrets, objectsDir]) await mkdir(each, { recursive: true, mode: 0o700 });
    return {
      path: folder,
      postgresDir,
      objectsDir,
      remoteDir: join(folder, 'remote'),
      secret: (name) => readOrCreateSecret(secrets, name),
      replaceSecret: (name, secret) => writeDurably(secrets, name, `${secret}\n`),
      replacePostgres: async () => {
        await writeVersion(SWITCHING_VERSION);
        await finishSwitch();
      },
      announce: (address) => lock.announce(address),
      close: () => Promise.resolve(lock.release()),
    };
  } catch (error) {
    lock.release();
    throw error;
  }
}

/** True for an empty folder. Changes nothing. */
async function check(folder: string): Promise<boolean> {
  const version = await readOrNull(join(folder, 'VERSION'));
  if (version === null) {
    const foreign = (await readdir(folder)).filter((name) => !IGNORED.test(name) && !isLockFile(name));
    if (foreign.length === 0) return true;
    throw new StartupError(
      `The folder ${folder} holds other things (${foreign.slice(0, 3).join(', ')}) and no data of this program.\n` +
        'Nothing was changed. Set DATA_DIR to an empty or a new folder.',
    );
  }
  if (version !== VERSION && version !== SWITCHING_VERSION) {
    throw new StartupError(
      `The data folder ${folder} has version ${version}; this program reads version ${VERSION}.\n` +
        'Nothing was changed. Start it with the release that wrote it, or set DATA_DIR to another folder.',
    );
  }
  await checkPostgres(folder);
  return false;
}

async function checkPostgres(folder: string): Promise<void> {
  const major = await readPostgresMajor(join(folder, 'postgres'));
  if (major === null || major === POSTGRES_MAJOR || major === PREVIOUS_POSTGRES_MAJOR) return;
  const isOlder = Number(major) < Number(POSTGRES_MAJOR);
  throw new StartupError(
    `The database in ${folder} was written by Postgres ${major}; this program brings Postgres ${POSTGRES_MAJOR}` +
      (isOlder
        ? ` and can move data from Postgres ${PREVIOUS_POSTGRES_MAJOR}.\n` +
          `Nothing was changed. Start a release that brings Postgres ${Number(major) + 1} first, and so on until this one.`
        : '.\nNothing was changed. Start it with the release that wrote it, or a newer one.'),
  );
}

async function readOrCreateSecret(secrets: string, name: string): Promise<string> {
  const file = join(secrets, name);
  try {
    const stored = await readOrNull(file);
    if (stored === '') {
      throw new StartupError(
        `The secret ${file} is empty. Put it back from a backup, or remove it to get a new one.`,
      );
    }
    if (stored !== null) {
      await chmod(file, 0o600);
      return stored;
    }
    const created = randomBytes(32).toString('base64url');
    await writeDurably(secrets, name, `${created}\n`);
    return created;
  } catch (error) {
    throw error instanceof StartupError ? error : explain(file, error as NodeJS.ErrnoException);
  }
}

async function readOrNull(file: string): Promise<string | null> {
  try {
    return (await readFile(file, 'utf8')).trim();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
}

/** Atomic, and survives a power failure. */
async function writeDurably(folder: string, name: string, content: string): Promise<void> {
  const file = join(folder, name);
  await rm(`${file}.draft`, { force: true });
  await writeFile(`${file}.draft`, content, { flag: 'wx', mode: 0o600, flush: true });
  await rename(`${file}.draft`, file);
  await syncToDisk(folder);
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
