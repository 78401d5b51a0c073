import { Readable } from 'node:stream';
import { v7 as uuidv7 } from 'uuid';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ObjectStorage, UploadPermission } from './object-storage.ts';
import { testStorages, type TestStorage } from '../../testing/test-storages.ts';

let now = new Date();

function* breaksAfter(beginning: Buffer): Generator<Buffer> {
  yield beginning;
  throw new Error('The stream broke');
}

/** What every object storage promises, asked of each real one. */
describe.each(testStorages)('the object storage on %s', (_name, open) => {
  let test: TestStorage;
  let storage: ObjectStorage;

  beforeAll(async () => {
    test = await open({ now: () => now });
    storage = test.storage;
  });
  afterAll(() => test.close());

  const createUrl = async (permission: Partial<UploadPermission> = {}) => {
    const upload = {
      uploadId: uuidv7(),
      contentType: null,
      size: null,
      maxBytes: 1000,
      lifetimeSeconds: 60,
      ...permission,
    };
    return { id: upload.uploadId, url: new URL(await storage.createUploadUrl(upload), test.origin).href };
  };
  const put = async (url: string, body: string | Buffer, headers: Record<string, string> = {}) => {
    const response = await fetch(url, { method: 'PUT', body, headers });
    await response.arrayBuffer();
    return response.status;
  };
  const read = async (key: string, range?: { start: number; end: number }) => {
    const stream = await storage.open(key, range);
    return stream && Buffer.concat((await stream.toArray()) as Buffer[]).toString();
  };

  it('writes, measures, reads and deletes objects', async () => {
    await storage.write('originals/a', Buffer.from('bytes'), 'text/plain');
    expect((await storage.read('originals/a'))?.toString()).toBe('bytes');
    expect(await storage.sizeOf('originals/a')).toBe(5);
    expect([await read('originals/a'), await read('originals/a', { start: 1, end: 2 })]).toEqual([
      'bytes',
      'yt',
    ]);
    await storage.write('originals/a', Buffer.from('others'), 'text/plain');
    expect(await read('originals/a')).toBe('others');
    await storage.delete('originals/a');
    await storage.delete('originals/a');
    expect([
      await storage.read('originals/a'),
      await read('originals/a'),
      await storage.sizeOf('originals/a'),
    ]).toEqual([null, null, null]);
  });

  it('stores a stream once it has ended', async () => {
    const parts = Array.from({ length: 12 }, (_, index) => Buffer.alloc(1024 * 1024, index));
    await storage.writeStream('originals/streamed', Readable.from(parts), 'text/plain');
    expect((await storage.read('originals/streamed'))?.equals(Buffer.concat(parts))).toBe(true);
    await storage.writeStream('originals/streamed', Readable.from([Buffer.from('others')]), 'text/plain');
    expect(await read('originals/streamed')).toBe('others');
  });

  it('stores nothing of a stream that fails', async () => {
    const body = Readable.from(breaksAfter(Buffer.alloc(6 * 1024 * 1024)));
    await expect(storage.writeStream('originals/broken', body, 'text/plain')).rejects.toThrow();
    expect(await storage.sizeOf('originals/broken')).toBeNull();
    expect(body.destroyed).toBe(true);
  });

  it('accepts a PUT to a signed URL and finds the upload’s id in its path', async () => {
    const { id, url } = await createUrl({ contentType: 'image/jpeg', size: 5 });
    expect(storage.uploadIdOf(url)).toBe(id);
    expect(storage.uploadIdOf(new URL(url).pathname)).toBe(id);
    expect(storage.uploadIdOf('https://elsewhere.example/nothing')).toBeNull();
    expect(await put(url, 'bytes', { 'Content-Type': 'image/jpeg' })).toBe(200);
    expect(await storage.copyUpload(id, `originals/${id}`)).toBe(true);
    expect(await read(`originals/${id}`)).toBe('bytes');
  });

  it('rejects a changed URL', async () => {
    const { url } = await createUrl();
    const other = await createUrl();
    const forged = new URL(url);
    for (const name of forged.searchParams.keys())
      if (/signature$/i.test(name)) forged.searchParams.set(name, 'A'.repeat(43));
    const moved = url.replace(new URL(url).pathname, new URL(other.url).pathname);
    for (const each of [forged.href, moved, url.replace(/\?.*/, '')])
      expect(await put(each, 'bytes')).toBe(403);
    expect(await storage.copyUpload(other.id, `originals/${other.id}`)).toBe(false);
  });

  it('rejects a type or length other than the signed one', async () => {
    const { id, url } = await createUrl({ contentType: 'image/jpeg', size: 5 });
    expect(await put(url, 'bytes', { 'Content-Type': 'text/html' })).toBe(403);
    expect(await put(url, 'more bytes', { 'Content-Type': 'image/jpeg' })).toBeGreaterThanOrEqual(400);
    expect(await put(url, 'less', { 'Content-Type': 'image/jpeg' })).toBeGreaterThanOrEqual(400);
    expect(await storage.copyUpload(id, `originals/${id}`)).toBe(false);
  });

  it('rejects an expired URL', async () => {
    const { url } = await createUrl({ lifetimeSeconds: 2 });
    expect(await put(url, 'bytes')).toBe(200);
    now = new Date(Date.now() + 5000);
    await expect.poll(() => put(url, 'bytes'), { timeout: 10_000 }).toBe(403);
  });

  it('copies an upload, and a later PUT does not change the copy', async () => {
    const { id, url } = await createUrl();
    const keys = [1, 2, 3].map((n) => `originals/${id}-${n}`);
    const [key = ''] = keys;
    expect(await storage.copyUpload(id, key)).toBe(false);
    expect(await put(url, 'first try')).toBe(200);
    expect(await put(url, 'second try')).toBe(200);
    const copied = await Promise.all(keys.map((each) => storage.copyUpload(id, each)));
    expect(copied).toEqual([true, true, true]);
    await put(url, 'too late');
    expect(await Promise.all(keys.map((each) => read(each)))).toEqual(Array(3).fill('second try'));
    await storage.closeUpload(id);
    await storage.closeUpload(id);
    expect(await storage.copyUpload(id, `originals/${id}-4`)).toBe(false);
    await put(url, 'far too late');
    await storage.purgeUpload(id);
    await storage.purgeUpload(id);
    expect(await storage.copyUpload(id, `originals/${id}-4`)).toBe(false);
    expect(await read(key)).toBe('second try');
  });

  it('passes its check', async () => {
    await expect(storage.check()).resolves.toBeUndefined();
  });
});
