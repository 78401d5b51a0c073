import { existsSync } from 'node:fs';
import { mkdir, realpath, stat } from 'node:fs/promises';
import { basename, dirname, join, sep } from 'node:path';
import type { DataFolder } from '../../../platform/data-folder/data-folder.ts';
import { StartupError } from '../../../platform/process/startup-error.ts';
import type { InstallationRow } from '../installation-queries.ts';

/**
 * Null if it cannot be made, or had backups and is missing, as without its disk: then the nightly backup fails, but the app
 * starts. @throws StartupError for a data folder, in which photos are no backups
 */
export async function makeBackupFolder(
  path: string,
  data: DataFolder | null,
  { hasNightlyBackup }: InstallationRow,
): Promise<string | null> {
  const resolved = await resolvePath(path).catch(() => null);
  if (resolved === null) return null;
  const objects = data && (await realpath(data.objectsDir).catch(() => null));
  const isInObjects = objects !== null && `${resolved}${sep}`.startsWith(`${objects}${sep}`);
  if (isInObjects || existsSync(join(resolved, 'VERSION')))
    throw new StartupError(
      `BACKUP_DIR is a data folder, or in one: ${path}\nPlease name a folder for backups only.`,
    );
  if (hasNightlyBackup) return (await stat(resolved).catch(() => null))?.isDirectory() ? resolved : null;
  const isMade = await mkdir(resolved, { recursive: true, mode: 0o700 }).then(
    () => true,
    () => false,
  );
  return isMade ? resolved : null;
}

/** Resolves symbolic links, also in a path whose last folders do not exist yet. */
async function resolvePath(path: string): Promise<string> {
  return realpath(path).catch(async (error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT' || dirname(path) === path) throw error;
    return join(await resolvePath(dirname(path)), basename(path));
  });
}
