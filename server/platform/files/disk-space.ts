import { stat, statfs as readStatfs } from 'node:fs/promises';
import type { Config } from '../config/config.ts';
import { InsufficientStorageError } from '../errors.ts';

/** Sizes are in blocks of `bsize` bytes; `bavail` are free to this process. Tests replace it. */
export type Statfs = (folder: string) => Promise<{ bsize: number; blocks: number; bavail: number }>;

/** 'accepted' finishes what was accepted earlier. It may use half of the space that new things must leave free. */
export type WritePurpose = 'new' | 'accepted';

/** Room for a body that is being written. */
export type BodyRoom = {
  /** Call it before each chunk is written: others fill the disk as well. @throws InsufficientStorageError */
  beforeChunk(bytes: number): Promise<void>;
  end(): void;
};

/** The disks that hold the database and the photos, as far as they are on this machine. */
export type DiskSpace = {
  hasRoom(): Promise<boolean>;
  /**
   * Call it before accepting what an account adds. The rest of the disk is for Postgres, and for finishing what was accepted.
   * @param objectBytes for large objects, whose size matters
   * @throws InsufficientStorageError
   */
  requireRoom(objectBytes?: number): Promise<void>;
  /** Call it before writing other files to this folder, which needs room if it is on one of these disks. @throws InsufficientStorageError */
  requireRoomIn(folder: string): Promise<void>;
  /**
   * Reserves room for an object. What is left of it counts as taken until `end`, so that bodies that arrive at the same time
   * do not share it. @param bytes null if unknown. @throws InsufficientStorageError
   */
  reserve(bytes: number | null, purpose?: WritePurpose): Promise<BodyRoom>;
  /** How many bytes of objects it still accepts; null if they are stored elsewhere. */
  freeObjectBytes(): Promise<number | null>;
  /** Null if there is enough room. */
  warning(): Promise<string | null>;
};

/** So often a body asks for room while it is written. One of unknown size reserves as much ahead. */
const CHECK_INTERVAL_BYTES = 1024 * 1024;
const ACCEPTED_SHARE = 1 / 2;

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
  const reservations = new Set<{ bytes: number }>();
  const devices = new Map<string, Promise<number>>();

  /** Negative when it is too full. */
  async function roomIn(folder: string, purpose: WritePurpose): Promise<number> {
    const { bsize, blocks, bavail } = await statfs(folder);
    const margin = Math.max(minFreeDiskBytes, blocks * bsize * minFreeDiskShare);
    const reserved = (await hasObjects(folder)) ? reservedBytes() : 0;
    return bavail * bsize - reserved - margin * (purpose === 'accepted' ? ACCEPTED_SHARE : 1);
  }

  function reservedBytes(): number {
    return [...reservations].reduce((sum, { bytes }) => sum + bytes, 0);
  }

  /** Whether the objects are on the disk of this folder. */
  async function hasObjects(folder: string): Promise<boolean> {
    if (objectsFolder === null || folder === objectsFolder) return objectsFolder !== null;
    return (await deviceOf(folder)) === (await deviceOf(objectsFolder));
  }

  function deviceOf(folder: string): Promise<number> {
    const known = devices.get(folder);
    if (known) return known;
    const device = stat(folder).then(({ dev }) => dev);
    devices.set(folder, device);
    device.catch(() => devices.delete(folder));
    return device;
  }

  async function findFullFolder(objectBytes = 0, purpose: WritePurpose = 'new'): Promise<string | null> {
    for (const folder of folders) {
      const needed = objectBytes > 0 && (await hasObjects(folder)) ? objectBytes : 0;
      if ((await roomIn(folder, purpose)) < needed) return folder;
    }
    return null;
  }

  async function requireRoom(objectBytes = 0, purpose: WritePurpose = 'new'): Promise<void> {
    if (await findFullFolder(objectBytes, purpose)) throw new InsufficientStorageError();
  }

  return {
    hasRoom: async () => (await findFullFolder()) === null,
    requireRoom: (objectBytes) => requireRoom(objectBytes),
    async requireRoomIn(folder) {
      for (const each of folders)
        if ((await deviceOf(each)) === (await deviceOf(folder)) && (await roomIn(each, 'new')) < 0)
          throw new InsufficientStorageError();
    },
    async reserve(bytes, purpose) {
      const reservation = { bytes: bytes ?? CHECK_INTERVAL_BYTES };
      // First, so that concurrent ones see it.
      reservations.add(reservation);
      const end = () => void reservations.delete(reservation);
      await requireRoom(0, purpose).catch((error: unknown) => {
        end();
        throw error;
      });
      let uncheckedBytes = 0;
      return {
        end,
        async beforeChunk(chunkBytes) {
          uncheckedBytes += chunkBytes;
          if (uncheckedBytes < CHECK_INTERVAL_BYTES) return;
          // They are on the disk now.
          if (bytes !== null) reservation.bytes = Math.max(0, reservation.bytes - uncheckedBytes);
          uncheckedBytes = 0;
          await requireRoom(0, purpose);
        },
      };
    },
    freeObjectBytes: async () =>
      objectsFolder === null ? null : Math.max(0, Math.floor(await roomIn(objectsFolder, 'new'))),
    async warning() {
      const folder = await findFullFolder();
      if (folder === null) return null;
      return `The disk is almost full: ${folder} accepts nothing new until there is more room (MIN_FREE_DISK_GB, MIN_FREE_DISK_PERCENT).`;
    },
  };
}
