import { statfs as readStatfs } from 'node:fs/promises';
import type { Config } from './config/config.ts';
import { InsufficientStorageError } from './errors.ts';

/** Sizes are in blocks of `bsize` bytes; `bavail` are free to this process. Tests replace it. */
export type Statfs = (folder: string) => Promise<{ bsize: number; blocks: number; bavail: number }>;

/** The disk that holds the database and the photos, as far as they are on this machine. */
export type DiskSpace = {
  /**
   * Call it before accepting what an account adds. The rest of the disk is for Postgres, and for finishing what was accepted.
   * @throws InsufficientStorageError
   */
  requireRoom(): Promise<void>;
  /** Null if there is enough room. */
  warning(): Promise<string | null>;
};

/** @param folder null if database and photos are on other machines */
export function createDiskSpace(
  { limits }: Pick<Config, 'limits'>,
  folder: string | null,
  statfs: Statfs = readStatfs,
): DiskSpace {
  const { minFreeDiskBytes, minFreeDiskShare } = limits;

  async function isLow(): Promise<boolean> {
    if (folder === null) return false;
    const { bsize, blocks, bavail } = await statfs(folder);
    return bavail * bsize < Math.max(minFreeDiskBytes, blocks * bsize * minFreeDiskShare);
  }

  return {
    async requireRoom() {
      if (await isLow()) throw new InsufficientStorageError();
    },
    async warning() {
      if (!(await isLow())) return null;
      return `The disk is almost full: ${folder} accepts nothing new until there is more room (MIN_FREE_DISK_GB, MIN_FREE_DISK_PERCENT).`;
    },
  };
}
