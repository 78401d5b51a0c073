import { existsSync } from 'node:fs';
import { readFile, readlink, realpath, rename, rm } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { syncToDisk } from '../files/sync-to-disk.ts';

export type PostgresMajor = '17' | '18';
export const POSTGRES_MAJOR: PostgresMajor = '18';
export const PREVIOUS_POSTGRES_MAJOR: PostgresMajor = '17';

/** Null without a cluster. */
export async function readPostgresMajor(postgresDir: string): Promise<string | null> {
  try {
    return (await readFile(join(postgresDir, 'PG_VERSION'), 'utf8')).trim();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
}

/** The folder that a newer Postgres fills, and the one in which the replaced cluster is kept. */
export function switchFolders(postgresDir: string, major: string): { next: string; kept: string } {
  return { next: nextFolder(postgresDir), kept: `${postgresDir}-${major}` };
}

/** Puts the next cluster in place of the current one, which is kept. Idempotent, and continues an interrupted switch. */
export async function switchPostgres(postgresDir: string): Promise<void> {
  const current = await followLink(postgresDir);
  const next = nextFolder(current);
  await rm(`${next}.log`, { force: true });
  if (!existsSync(next)) return;
  const major = await readPostgresMajor(current);
  if (major !== null) {
    await rename(current, switchFolders(current, major).kept);
    await syncToDisk(dirname(current));
  }
  await rename(next, current);
  await syncToDisk(dirname(current));
}

function nextFolder(postgresDir: string): string {
  return `${postgresDir}.next`;
}

/** The cluster may be on another disk, by a symbolic link, whose target is missing between the two renames. */
async function followLink(path: string): Promise<string> {
  return realpath(path).catch(async () => {
    const target = await readlink(path).catch(() => path);
    return resolve(dirname(path), target);
  });
}
