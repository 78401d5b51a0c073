import { createHash } from 'node:crypto';
import { chmod, lstat, mkdir, mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { StartupError } from '../startup-error.ts';
import type { PostgresRunner } from './postgres-runner.ts';

/** What the kernel takes for a socket's path is short (macOS: 103 bytes), and Postgres adds `/.s.PGSQL.5432`. */
const LONGEST_FOLDER = 103 - '/.s.PGSQL.5432'.length;

/**
 * A private folder for the socket, short whatever the path of the data is, and the same at each start so that one
 * left by a killed app is used again. Temporary folders are shared with strangers: one that is not ours is left alone.
 */
export async function makeSocketFolder(dataDir: string, runner: PostgresRunner): Promise<string> {
  return make(dataDir, runner).catch((error: Error) => {
    throw new StartupError(
      `No folder for the database's socket can be made in ${tmpdir()}: ${error.message}. Set TMPDIR to one that can be written to.`,
    );
  });
}

async function make(dataDir: string, runner: PostgresRunner): Promise<string> {
  const name = `mems-${createHash('sha256').update(dataDir).digest('hex').slice(0, 16)}`;
  const base = Buffer.byteLength(join(tmpdir(), name)) <= LONGEST_FOLDER ? tmpdir() : '/tmp';
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

/** To be called when no Postgres uses it: what lies there may belong to a user that the next one is not. */
export async function emptySocketFolder(folder: string): Promise<void> {
  for (const name of await readdir(folder)) await rm(join(folder, name), { recursive: true, force: true });
}
