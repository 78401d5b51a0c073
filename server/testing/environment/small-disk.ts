import { execFile } from 'node:child_process';
import { appendFile, mkdtemp, rm, statfs } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

const execute = promisify(execFile);

export type SmallDisk = {
  folder: string;
  resize(size: string): Promise<void>;
  /** Takes all the room that is left, in one file, which grows when it is called again. @returns its path */
  fill(): Promise<string>;
  unmount(): Promise<void>;
};

/** A disk to fill up. Null if this user may not mount one. @param size like `2m` */
export async function mountSmallDisk(size: string): Promise<SmallDisk | null> {
  const folder = await mkdtemp(join(tmpdir(), 'mems-disk-'));
  const mount = (options: string, ...rest: string[]) => execute('mount', ['-o', options, ...rest, folder]);
  try {
    await mount(`size=${size}`, '-t', 'tmpfs', 'tmpfs');
  } catch {
    await rm(folder, { recursive: true });
    return null;
  }
  return {
    folder,
    resize: async (newSize) => void (await mount(`remount,size=${newSize}`)),
    async fill() {
      const filler = join(folder, 'filler');
      const { bsize, bavail } = await statfs(folder);
      // The last blocks may be taken by the app.
      await appendFile(filler, Buffer.alloc(bsize * bavail)).catch(ignoreNoSpace);
      return filler;
    },
    async unmount() {
      await execute('umount', [folder]);
      await rm(folder, { recursive: true });
    },
  };
}

function ignoreNoSpace(error: NodeJS.ErrnoException): void {
  if (error.code !== 'ENOSPC') throw error;
}
