import { statfs as readStatfs } from 'node:fs/promises';
import type { Config } from './config/config.ts';
import { InsufficientStorageError } from './errors.ts';

/** Sizes are in blocks of `bsize` bytes; `bavail` are free to this process. Tests replace it. */
export type Statfs = (folder: string) => Promise<{ bsize: number; blocks: number; bavail: number }>;

/** The disks that hold the database and the photos, as far as they are on this machine. */
export type DiskSpace = {
  hasRoom(): Promise<boolean>;
  /**
   * Call it before accepting what an account adds. The rest of the disk is for Postgres, and for finishing what was accepted.
   * @param objectBytes for large objects, whose size matters
   * @throws InsufficientStorageError
   */
  requireRoom(objectBytes?: number): Promise<void>;
  /** How many bytes of objects it still accepts; null if they are stored elsewhere. */
  freeObjectBytes(): Promise<number | null>;
  /** Null if there is enough room. */
  warning(): Promise<string | null>;
};

/**
 * @param folders may be on several disks, each of which needs room
 * @param objectsFolder the one with the objects, unless they are elsewhere
 */
export function createDiskSpace(
  { limits }: Pick<Config, 'limits'>,
  folders: string[],
  statfs: Statfs = readStatfs,
  objectsFolder: string | null = null,
): DiskSpace {
  const { minFreeDiskBytes, minFreeDiskShare } = limits;

  /** Negative when it is too full. */
  async function roomIn(folder: string): Promise<number> {
    const { bsize, blocks, bavail } = await statfs(folder);
    return bavail * bsize - Math.max(minFreeDiskBytes, blocks * bsize * minFreeDiskShare);
  }

  async function findFullFolder(objectBytes = 0): Promise<string | null> {
    for (const folder of folders) {
      if ((await roomIn(folder)) < (folder === objectsFolder ? objectBytes : 0)) return folder;
    }
    return null;
  }

  return {
    hasRoom: async () => (await findFullFolder()) === null,
    async requireRoom(objectBytes) {
      if (await findFullFolder(objectBytes)) throw new InsufficientStorageError();
    },
    freeObjectBytes: async () =>
      objectsFolder === null ? null : Math.max(0, Math.floor(await roomIn(objectsFolder))),
    async warning() {
      const folder = await findFullFolder();
      if (folder === null) return null;
      return `The disk is almost full: ${folder} accepts nothing new until there is more room (MIN_FREE_DISK_GB, MIN_FREE_DISK_PERCENT).`;
    },
  };
}
