import { Readable } from 'node:stream';
import { v7 as uuidv7 } from 'uuid';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { MalformedError } from '../errors.ts';
import type { ObjectStorage, StoredUpload, UploadPermission } from './object-storage.ts';
import { testStorages, type TestStorage } from '../../testing/environment/test-storages.ts';

let now = new Date();

function* breaksAfter(beginning: Buffer, error = new Error('The stream broke')): Generator<Buffer> {
  yield beginning;
  throw error;
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
      sessionId: null,
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

  /** Also from the key that it is stored under. */
  const readUpload = async (id: string) => {
    const key = `originals/${uuidv7()}`;
    const uploaded = await storage.storeUpload(id, key, 1000);
    if (uploaded === 'too-large') return uploaded;
    await uploaded?.stored;
    expect(await read(key)).toBe(uploaded?.bytes.toString() ?? null);
    return uploaded?.bytes.toString() ?? null;
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

  it('lists all objects in the order of their keys', async () => {
    const keys = [
      'list/a-b',
      'list/a/b',
      'list/a.b',
      'list/b',
      ...Array.from({ length: 5 }, (_, n) => `list/c/${n}`),
    ];
    for (const key of keys) await storage.write(key, Buffer.from(key), 'text/plain');
    const list = async () => {
      const all = [];
      for await (const object of storage.list()) all.push(object);
      return all.filter(({ key }) => key.startsWith('list/'));
    };
    const before = await list();
    expect(before.map(({ key, size }) => [key, size])).toEqual(keys.sort().map((key) => [key, key.length]));
    await storage.write('list/b', Buffer.from('LIST/B'), 'text/plain');
    await storage.delete('list/a-b');
    const changed = (await list()).filter(({ key, version }) =>
      before.every((each) => each.key !== key || each.version !== version),
    );
    expect(changed).toMatchObject([{ key: 'list/b', size: 6 }]);
    for (const key of keys) await storage.delete(key);
    expect(await list()).toEqual([]);
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

  it('passes on why a stream is rejected', async () => {
    const body = Readable.from(breaksAfter(Buffer.alloc(6 * 1024 * 1024), new MalformedError('Too short')));
    await expect(storage.writeStream('originals/rejected', body, 'text/plain')).rejects.toThrow('Too short');
    expect(await storage.sizeOf('originals/rejected')).toBeNull();
  });

  it('deletes nothing that is complete with what is not', async () => {
    await storage.write('originals/whole', Buffer.from('bytes'), 'text/plain');
    await storage.deleteIncomplete(new Date(Date.now() + 60_000));
    expect(await read('originals/whole')).toBe('bytes');
  });

  it('accepts a PUT to a signed URL and finds the upload’s id in its path', async () => {
    const { id, url } = await createUrl({ contentType: 'image/jpeg', size: 5 });
    expect(storage.uploadIdOf(url)).toBe(id);
    expect(storage.uploadIdOf(new URL(url).pathname)).toBe(id);
    expect(storage.uploadIdOf('https://elsewhere.example/nothing')).toBeNull();
    expect(await put(url, 'bytes', { 'Content-Type': 'image/jpeg' })).toBe(200);
    expect(await readUpload(id)).toBe('bytes');
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
    expect(await readUpload(other.id)).toBeNull();
  });

  it('rejects a type or length other than the signed one', async () => {
    const { id, url } = await createUrl({ contentType: 'image/jpeg', size: 5 });
    expect(await put(url, 'bytes', { 'Content-Type': 'text/html' })).toBe(403);
    expect(await put(url, 'more bytes', { 'Content-Type': 'image/jpeg' })).toBeGreaterThanOrEqual(400);
    expect(await put(url, 'less', { 'Content-Type': 'image/jpeg' })).toBeGreaterThanOrEqual(400);
    expect(await readUpload(id)).toBeNull();
  });

  it('rejects an expired URL', async () => {
    const { url } = await createUrl({ lifetimeSeconds: 1 });
    now = new Date(now.getTime() + 2000);
    // Others than our own have a clock of their own.
    await expect.poll(() => put(url, 'bytes')).toBe(403);
  });

  it('reads the last PUT to a URL up to a size, and deletes it', async () => {
    const { id, url } = await createUrl();
    expect(await readUpload(id)).toBeNull();
    expect(await storage.isUploaded(id)).toBe(false);
    expect(await put(url, 'first try')).toBe(200);
    expect(await storage.isUploaded(id)).toBe(true);
    expect(await put(url, 'second try')).toBe(200);
    expect(await Promise.all([readUpload(id), readUpload(id)])).toEqual(Array(2).fill('second try'));
    expect(await storage.storeUpload(id, 'originals/large', 'second try'.length - 1)).toBe('too-large');
    expect(await read('originals/large')).toBeNull();
    const stored = await storage.storeUpload(id, 'originals/stored', 1000);
    await (stored as StoredUpload).stored;
    expect(await put(url, 'third try')).toBe(200);
    expect(await read('originals/stored')).toBe('second try');
    await storage.deleteUpload(id);
    await storage.deleteUpload(id);
    expect(await storage.isUploaded(id)).toBe(false);
    await put(url, 'after the deletion');
    await storage.deleteUpload(id);
    expect(await readUpload(id)).toBeNull();
  });

  it('passes its check', async () => {
    await expect(storage.check()).resolves.toBeUndefined();
  });
});
