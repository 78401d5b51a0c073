import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { UnavailableError } from '../../errors.ts';
import { startProxy, type Proxy } from '../../testing/proxy.ts';
import { createS3ObjectStorage, type S3Options } from './s3-object-storage.ts';

const OPTIONS: S3Options = {
  bucket: 'nowhere',
  region: 'us-east-1',
  endpoint: 'http://127.0.0.1:1',
  isPathStyle: true,
  credentials: { accessKeyId: 'a', secretAccessKey: 'b' },
  timeouts: { connectMs: 500, answerMs: 500, transferMs: 1000, idleMs: 500 },
};
const UPLOAD_ID = '01900000-0000-7000-8000-000000000001';

describe('S3, when it does not answer,', () => {
  const storage = createS3ObjectStorage(OPTIONS);

  it('is unavailable, rather than empty', async () => {
    await expect(storage.read('originals/a')).rejects.toThrow(UnavailableError);
    await expect(storage.copyUpload(UPLOAD_ID, 'originals/a')).rejects.toThrow(UnavailableError);
    await expect(storage.check()).rejects.toThrow(UnavailableError);
  });

  it('still signs addresses, at its own origin', async () => {
    expect(await storage.uploadOrigin()).toBe('http://127.0.0.1:1');
  });
});

describe('S3, when it accepts connections and stays silent,', () => {
  let proxy: Proxy;
  let storage: ReturnType<typeof createS3ObjectStorage>;

  beforeAll(async () => {
    proxy = await startProxy({ host: '127.0.0.1', port: 1 });
    proxy.stall();
    storage = createS3ObjectStorage({ ...OPTIONS, endpoint: `http://127.0.0.1:${proxy.port}` });
  });
  afterAll(async () => {
    storage.close();
    await proxy.close();
  });

  it.each<[string, () => Promise<unknown>]>([
    ['read', () => storage.read('originals/a')],
    ['open', () => storage.open('originals/a')],
    ['sizeOf', () => storage.sizeOf('originals/a')],
    ['write', () => storage.write('originals/a', Buffer.alloc(10 * 1024 * 1024), 'image/jpeg')],
    ['copyUpload', () => storage.copyUpload(UPLOAD_ID, 'originals/a')],
    ['delete', () => storage.delete('originals/a')],
    ['check', () => storage.check()],
  ])('%s is unavailable', async (_name, call) => {
    await expect(call()).rejects.toThrow(UnavailableError);
  });
});

describe('S3, when it stops in the middle of an object,', () => {
  let server: Server;
  let storage: ReturnType<typeof createS3ObjectStorage>;

  beforeAll(async () => {
    server = createServer((_request, response) => {
      response.writeHead(200, { 'Content-Length': 1000, ETag: '"a"' }).write(Buffer.alloc(500));
    }).listen(0, '127.0.0.1');
    await new Promise((resolve) => server.once('listening', resolve));
    const { port } = server.address() as AddressInfo;
    storage = createS3ObjectStorage({ ...OPTIONS, endpoint: `http://127.0.0.1:${port}` });
  });
  afterAll(() => {
    storage.close();
    server.closeAllConnections();
    server.close();
  });

  it('is unavailable', async () => {
    await expect(storage.read('originals/a')).rejects.toThrow(UnavailableError);
  });

  it('ends the stream with an error', async () => {
    const stream = await storage.open('originals/a');
    await expect(stream?.toArray()).rejects.toThrow('inactivity');
  });
});
