import { createHash } from 'node:crypto';
import { chmod, lstat, mkdir, mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { StartupError } from '../process/startup-error.ts';
import type { PostgresRunner } from './postgres-runner.ts';

/** The kernel limits a socket's path (macOS: 103 bytes), to which Postgres adds `/.s.PGSQL.5432`. */
const MAX_FOLDER_BYTES = 103 - '/.s.PGSQL.5432'.length;

/** Has the same name at each start, so that a killed app's folder is reused, unless another user owns it. */
export async function makeSocketFolder(dataDir: string, runner: PostgresRunner): Promise<string> {
  return make(dataDir, runner).catch((error: Error) => {
    throw new StartupError(
      `No folder for the database's socket can be made in ${tmpdir()}: ${error.message}. Set TMPDIR to one that can be written to.`,
    );
  });
}

async function make(dataDir: string, runner: PostgresRunner): Promise<string> {
  const name = `mems-${createHash('sha256').update(dataDir).digest('hex').slice(0, 16)}`;
  const base = Buffer.byteLength(join(tmpdir(), name)) <= MAX_FOLDER_BYTES ? tmpdir() : '/tmp';
  const folder = join(base, name);
  await mkdir(folder, { mode: 0o700 }).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EEXIST') throw error;
  });
  const entry = await lstat(folder);
  const isOurs = entry.isDirectory() && (entry.uid === process.getuid?.() || entry.uid === runner.uid);
  const chosen = isOurs ? folder : await mkdtemp(join(base, 'mems-'));
  await chmod(chosen, 0o700);
  await runner.own(chosen);
  return chosen;
}

/** Removes the socket and lock of an earlier Postgres, which may have run as another user. */
export async function emptySocketFolder(folder: string): Promise<void> {
  for (const name of await readdir(folder)) await rm(join(folder, name), { recursive: true, force: true });
}
