import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { PassThrough, Readable } from 'node:stream';
import { parseConfig } from '../config/config.ts';
import { createDiskSpace, type DiskSpace } from '../files/disk-space.ts';
import { InsufficientStorageError } from '../errors.ts';
import type { ObjectStorage } from './object-storage.ts';
import { createDiskObjectStorage } from './disk-object-storage.ts';

const SECRET = 's'.repeat(32);
const CLOCK = { now: () => new Date() };
const MIB = 1024 ** 2;
const MIN_FREE = 100 * MIB;

let folder: string;
let freeBytes = Infinity;
let diskSpace: DiskSpace;
let storage: ObjectStorage;
const open = (options: { link?: () => Promise<void> } = {}) =>
  createDiskObjectStorage({ folder, secret: SECRET, clock: CLOCK, diskSpace, ...options });

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'mems-disk-'));
  const limits = parseConfig({ MIN_FREE_DISK_GB: String(MIN_FREE / 1024 ** 3), MIN_FREE_DISK_PERCENT: '0' });
  const statfs = () => Promise.resolve({ bsize: 1, blocks: 1e12, bavail: freeBytes });
  diskSpace = createDiskSpace(limits, [folder], statfs, folder);
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

/** A PUT whose bytes arrive when they are written to `body`. */
async function startPut(bytes: number, uploadId: string = randomUUID()) {
  const url = await storage.createUploadUrl({
    uploadId,
    contentType: null,
    sessionId: null,
    size: bytes,
    maxBytes: bytes,
    lifetimeSeconds: 60,
  });
  const body = new PassThrough();
  const query = Object.fromEntries(new URL(url, 'http://localhost').searchParams);
  const received = storage.receiver?.receive({
    uploadId,
    query,
    contentType: null,
    contentLength: bytes,
    body,
    beforeStore: () => Promise.resolve(),
  });
  return { uploadId, body, received };
}

describe('an upload that is stored', () => {
  const [first, second] = [Buffer.from('first'), Buffer.from('other')];
  const put = async (bytes: Buffer, id?: string) => {
    const { body, received, uploadId } = await startPut(bytes.length, id);
    body.end(bytes);
    expect(await received).toBe('stored');
    return uploadId;
  };
  const store = async (uploadId: string) => {
    const key = `originals/${randomUUID()}`;
    const upload = await storage.storeUpload(uploadId, key, 10);
    if (!upload || upload === 'too-large') throw new Error('There is no such upload');
    await upload.stored;
    return { key, file: join(folder, key) };
  };
  beforeEach(async () => {
    storage = await open();
    freeBytes = Infinity;
  });

  it('is a second name of the file that the PUT wrote, which takes no room and is private', async () => {
    const uploadId = await put(first);
    freeBytes = 0;
    const { file } = await store(uploadId);
    const { ino } = await stat(join(folder, 'uploads', uploadId));
    const { mode, nlink, ...stored } = await stat(file);
    expect([stored.ino, nlink, (mode & 0o777).toString(8)]).toEqual([ino, 2, '600']);
  });

  it('keeps its bytes after another PUT to the same URL, and after the upload was deleted', async () => {
    const uploadId = await put(first);
    const { key } = await store(uploadId);
    await put(second, uploadId);
    const replaced = await store(uploadId);
    await storage.deleteUpload(uploadId);
    expect([await storage.read(key), await storage.read(replaced.key)]).toEqual([first, second]);
    await storage.delete(key);
    expect(await storage.read(replaced.key)).toEqual(second);
  });

  it('is a copy where no link can be made, if there is room', async () => {
    storage = await open({ link: () => Promise.reject(new Error('EPERM: operation not permitted')) });
    const uploadId = await put(first);
    const { key, file } = await store(uploadId);
    const { nlink, mode } = await stat(file);
    expect([nlink, (mode & 0o777).toString(8), await storage.read(key)]).toEqual([1, '600', first]);
    freeBytes = 0;
    await expect(store(uploadId)).rejects.toThrow(InsufficientStorageError);
  });
});

describe('a disk that is almost full', () => {
  const noRoom = InsufficientStorageError;
  const type = 'image/jpeg';
  beforeEach(async () => {
    // An earlier test may have replaced it.
    storage = await open();
    freeBytes = MIN_FREE + 10 * MIB;
  });

  it('takes no object of any kind, but what finishes an accepted photo, as long as half of the space is left', async () => {
    freeBytes = MIN_FREE + 9;
    const bytes = Buffer.alloc(10);
    await expect(storage.write('variants/a', bytes, type)).rejects.toThrow(noRoom);
    const stream = Readable.from([bytes]);
    await expect(storage.writeStream('flipbooks/a', stream, type)).rejects.toThrow(noRoom);
    expect(stream.destroyed).toBe(true);
    await storage.write('originals/a', bytes, type, 'accepted');
    freeBytes = MIN_FREE / 2 + 9;
    await expect(storage.write('originals/b', bytes, type, 'accepted')).rejects.toThrow(noRoom);
    freeBytes = MIN_FREE + 10;
    await storage.write('variants/a', bytes, type);
    expect(await storage.sizeOf('variants/a')).toBe(10);
    expect(await storage.sizeOf('originals/b')).toBe(null);
  });

  it('has room for the bytes of all bodies that are arriving, or rejects the next one', async () => {
    const [first, second] = [await startPut(6 * MIB), await startPut(6 * MIB)];
    await expect(second.received).rejects.toThrow(noRoom);
    await expect(diskSpace.requireRoom(5 * MIB)).rejects.toThrow(noRoom);
    first.body.end(Buffer.alloc(6 * MIB));
    expect(await first.received).toBe('stored');
    const third = await startPut(6 * MIB);
    third.body.end(Buffer.alloc(6 * MIB));
    expect(await third.received).toBe('stored');
  });

  it('replaces a body of the same upload that is still arriving, so that one URL reserves room once', async () => {
    const stalled = await startPut(6 * MIB);
    const repeated = await startPut(6 * MIB, stalled.uploadId);
    expect(await stalled.received).toBe('superseded');
    repeated.body.end(Buffer.alloc(6 * MIB));
    expect(await repeated.received).toBe('stored');
    await diskSpace.requireRoom(10 * MIB);
  });

  it.each([
    ['a body', async (bytes: number) => startPut(bytes)],
    [
      'a stream of unknown size',
      (_bytes: number) => {
        const body = new PassThrough();
        const received = storage.writeStream('exports/a', body, type);
        return Promise.resolve({ body, received, uploadId: null });
      },
    ],
  ])('stops %s that is arriving when others fill the disk, and keeps nothing of it', async (_name, begin) => {
    const { body, received, uploadId } = await begin(8 * MIB);
    body.on('error', () => undefined);
    body.write(Buffer.alloc(MIB));
    await once(body, 'drain');
    freeBytes = MIN_FREE;
    body.end(Buffer.alloc(4 * MIB));
    await expect(received).rejects.toThrow(noRoom);
    expect(await readdir(join(folder, 'tmp'))).toEqual([]);
    expect(uploadId ? await storage.isUploaded(uploadId) : await storage.sizeOf('exports/a')).toBe(
      uploadId ? false : null,
    );
    freeBytes = MIN_FREE + 10 * MIB;
    await diskSpace.requireRoom(10 * MIB);
  });
});
