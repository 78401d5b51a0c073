import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ObjectStorage } from '../../ports/object-storage.ts';
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

async function upload(uploadId: string, body: Buffer): Promise<string | undefined> {
  const url = await storage.createUploadUrl({
    uploadId,
    contentType: null,
    size: null,
    maxBytes: 100,
    lifetimeSeconds: 60,
  });
  const query = Object.fromEntries(new URL(url, 'http://here').searchParams);
  return storage.receiver?.receive({
    uploadId,
    query,
    contentType: null,
    contentLength: null,
    body: Readable.from([body]),
  });
}

describe('the disk store', () => {
  it('keeps, streams, sizes and deletes objects', async () => {
    await storage.write('originals/a', Buffer.from('bytes'), 'text/plain');
    expect((await storage.read('originals/a'))?.toString()).toBe('bytes');
    const read = async (range?: { start: number; end: number }) =>
      Buffer.concat(await (await storage.open('originals/a', range))!.toArray()).toString();
    expect([await read(), await read({ start: 1, end: 2 })]).toEqual(['bytes', 'yt']);
    await storage.delete('originals/a');
    await storage.delete('originals/a');
    expect([
      await storage.read('originals/a'),
      await storage.open('originals/a'),
      await storage.sizeOf('originals/a'),
    ]).toEqual([null, null, null]);
  });

  it('never follows a key out of its folder', async () => {
    for (const key of ['../secret', '/etc/passwd', 'a/../../b', 'a//b', 'A', '']) {
      await expect(Promise.resolve().then(() => storage.read(key))).rejects.toThrow('Not a key of ours');
    }
  });

  it('seals an upload once: what comes later to that address changes nothing', async () => {
    const uploadId = '01900000-0000-7000-8000-000000000001';
    expect(await storage.sealUpload(uploadId, 'originals/one')).toBe(false);
    expect(await upload(uploadId, Buffer.from('first try'))).toBe('stored');
    expect(await upload(uploadId, Buffer.from('second try'))).toBe('stored');
    expect(await storage.sealUpload(uploadId, 'originals/one')).toBe(true);
    expect(await upload(uploadId, Buffer.from('too late'))).toBe('completed');
    expect(await storage.sealUpload(uploadId, 'originals/one')).toBe(true);
    expect((await storage.read('originals/one'))?.toString()).toBe('second try');
  });

  it('forgets at its start what a killed process left half written', async () => {
    await writeFile(join(folder, 'tmp', 'half'), 'half');
    storage = await open();
    expect(await readdir(join(folder, 'tmp'))).toEqual([]);
  });

  it('says when it cannot write any more', async () => {
    await rm(join(folder, 'tmp'), { recursive: true });
    await expect(storage.check()).rejects.toThrow();
    storage = await open();
    await expect(storage.check()).resolves.toBeUndefined();
  });
});
