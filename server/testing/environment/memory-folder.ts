import { chmod, mkdtemp, readdir, rm, statfs } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { processStartedAt } from '../../platform/process/process-info.ts';

const MEMORY = '/dev/shm';
/** Several times what a run takes. Containers often have 64 MB. */
const MIN_FREE_BYTES = 4 * 1024 ** 3;
const PREFIX = 'mems-tests-';

/** A folder in memory if it has room, since a disk takes several times as long to sync files and to copy databases. */
export async function makeMemoryFolder(): Promise<string> {
  const free = await statfs(MEMORY).then(
    ({ bavail, bsize }) => bavail * bsize,
    () => 0,
  );
  const isRoomy = free >= MIN_FREE_BYTES;
  if (isRoomy) await removeLeftovers();
  const folder = await mkdtemp(join(isRoomy ? MEMORY : tmpdir(), `${PREFIX}${process.pid}-`));
  // A Postgres in a subfolder may run as another user.
  await chmod(folder, 0o711);
  return folder;
}

/** Of runs that were killed. They would hold the memory until the machine restarts. */
async function removeLeftovers(): Promise<void> {
  for (const name of await readdir(MEMORY)) {
    if (!name.startsWith(PREFIX)) continue;
    const pid = Number(name.slice(PREFIX.length).split('-')[0]);
    if ((await processStartedAt(pid)) === null)
      await rm(join(MEMORY, name), { recursive: true, force: true }).catch(() => undefined);
  }
}
