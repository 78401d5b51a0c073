import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ObjectStorage } from './object-storage.ts';
import { createDiskObjectStorage } from './disk-object-storage.ts';

let folder: string;
let storage: ObjectStorage;
const open = () =>
  createDiskObjectStorage({ folder, secret: 's'.repeat(32), clock: { now: () => new Date() } });

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'mems-disk-'));
  storage = await open();
});
afterAll(() => rm(folder, { recursive: true, force: true }));

describe('the disk storage', () => {
  it('rejects keys outside its folder', async () => {
    for (const key of ['../secret', '/etc/passwd', 'a/../../b', 'a//b', 'A', '']) {
      await expect(Promise.resolve().then(() => storage.read(key))).rejects.toThrow('Not a key of ours');
    }
  });

  it('deletes the temporary files of a killed process at startup', async () => {
    await writeFile(join(folder, 'tmp', 'half'), 'half');
    storage = await open();
    expect(await readdir(join(folder, 'tmp'))).toEqual([]);
  });

  it('is unavailable when it cannot write', async () => {
    await rm(join(folder, 'tmp'), { recursive: true });
    await expect(storage.check()).rejects.toThrow();
    storage = await open();
    await expect(storage.check()).resolves.toBeUndefined();
  });
});
