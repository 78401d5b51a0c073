import { randomFillSync } from 'node:crypto';
import { open, rename, rm, stat, statfs } from 'node:fs/promises';
import { join } from 'node:path';

/** In the folder of the database, which may be a disk of its own. Postgres ignores the file. */
const RESERVE_FILE = 'mems.reserve';
/** Postgres needs some segments of its log, of 16 MiB each, to recover and to delete rows. */
const RESERVE_BYTES = 64 * 1024 * 1024;
/** Below it, the file is deleted: on a full disk Postgres cannot even write its pid. */
const FULL_DISK_BYTES = 16 * 1024 * 1024;
/** With less left beside the file it is not made, so that it is not deleted at once. */
const MIN_FREE_BYTES = 128 * 1024 * 1024;
const CHECK_INTERVAL_MS = 2_000;

type DiskReserve = { close(): Promise<void> };

/** Keeps a file that is deleted when the disk is full, and made again when there is room. */
export function keepDiskReserve(dataDir: string, onLog: (line: string) => void): DiskReserve {
  const closing = new AbortController();
  let checking = Promise.resolve();
  const check = () => {
    checking = checking.then(async () => {
      if (closing.signal.aborted) return;
      await releaseDiskReserve(dataDir, onLog);
      await makeReserve(dataDir, closing.signal);
    });
    // The next check comes soon.
    checking = checking.catch(() => undefined);
  };
  check();
  const timer = setInterval(check, CHECK_INTERVAL_MS).unref();
  return {
    async close() {
      closing.abort();
      clearInterval(timer);
      await checking;
    },
  };
}

/** Deletes the file if the disk is full. Idempotent. */
export async function releaseDiskReserve(dataDir: string, onLog: (line: string) => void): Promise<void> {
  const file = join(dataDir, RESERVE_FILE);
  if (!(await exists(file)) || (await freeBytes(dataDir)) >= FULL_DISK_BYTES) return;
  // A draft is left by a process that was killed.
  for (const each of [file, `${file}.draft`]) await rm(each, { force: true });
  onLog('The disk of the database is full: its reserve is used now. Please make room.');
}

async function makeReserve(dataDir: string, signal: AbortSignal): Promise<void> {
  const file = join(dataDir, RESERVE_FILE);
  if ((await exists(file)) || (await freeBytes(dataDir)) < RESERVE_BYTES + MIN_FREE_BYTES) return;
  const draft = `${file}.draft`;
  try {
    const handle = await open(draft, 'w', 0o600);
    try {
      // Random: a file system may compress it.
      const block = randomFillSync(Buffer.alloc(1024 * 1024));
      for (let written = 0; written < RESERVE_BYTES && !signal.aborted; written += block.length)
        await handle.writeFile(block);
    } finally {
      await handle.close();
    }
    if (!signal.aborted) return await rename(draft, file);
  } catch (error) {
    await rm(draft, { force: true });
    throw error;
  }
  await rm(draft, { force: true });
}

async function freeBytes(folder: string): Promise<number> {
  const { bsize, bavail } = await statfs(folder);
  return bsize * bavail;
}

function exists(file: string): Promise<boolean> {
  return stat(file).then(
    () => true,
    () => false,
  );
}
