import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import {
  CreateMultipartUploadCommand,
  ListMultipartUploadsCommand,
  S3Client,
  UploadPartCommand,
} from '@aws-sdk/client-s3';
import { afterAll, afterEach, beforeAll, describe, expect, inject, it, vi } from 'vitest';
import { UnavailableError } from '../errors.ts';
import { startProxy, type Proxy } from '../../testing/environment/proxy.ts';
import { createS3ObjectStorage, type S3Options } from './s3-object-storage.ts';
import { createTestBucket, type TestS3 } from './testing/test-bucket.ts';

const OPTIONS: S3Options = {
  bucket: 'nowhere',
  region: 'us-east-1',
  endpoint: 'http://127.0.0.1:1',
  isPathStyle: true,
  credentials: { accessKeyId: 'a', secretAccessKey: 'b' },
  timeouts: { connectMs: 500, responseMs: 500, transferMs: 1000, idleMs: 500 },
};
const UPLOAD_ID = '01900000-0000-7000-8000-000000000001';

describe('S3 that does not answer', () => {
  const storage = createS3ObjectStorage(OPTIONS);

  it('is unavailable instead of empty', async () => {
    await expect(storage.read('originals/a')).rejects.toThrow(UnavailableError);
    await expect(storage.storeUpload(UPLOAD_ID, 'originals/a', 1000)).rejects.toThrow(UnavailableError);
    await expect(storage.check()).rejects.toThrow(UnavailableError);
  });

  it('still signs URLs', async () => {
    expect(await storage.uploadOrigin()).toBe('http://127.0.0.1:1');
  });
});

describe('S3 that accepts connections and stays silent', () => {
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

  it('is unavailable for every operation', async () => {
    const operations: Record<string, Promise<unknown>> = {
      read: storage.read('originals/a'),
      open: storage.open('originals/a'),
      sizeOf: storage.sizeOf('originals/a'),
      write: storage.write('originals/a', Buffer.alloc(10 * 1024 * 1024), 'image/jpeg'),
      storeUpload: storage.storeUpload(UPLOAD_ID, 'originals/a', 1000),
      delete: storage.delete('originals/a'),
      deleteIncomplete: storage.deleteIncomplete(new Date()),
      check: storage.check(),
    };
    await Promise.all(
      Object.entries(operations).map(([name, operation]) =>
        expect(operation, name).rejects.toThrow(UnavailableError),
      ),
    );
  });
});

describe('S3 that stops in the middle of an object', () => {
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

describe('S3 credentials', () => {
  const upload = {
    contentType: null,
    size: null,
    maxBytes: 1,
    lifetimeSeconds: 60,
    sessionId: null,
    uploadId: UPLOAD_ID,
  };
  let server: Server;
  let endpoint: string;
  const requests: IncomingMessage[] = [];

  beforeAll(async () => {
    server = createServer((request, response) => {
      requests.push(request);
      if (request.url !== '/role') return response.end();
      const role = { AccessKeyId: 'ROLE', SecretAccessKey: 'secret', Token: 'role token' };
      const expiry = new Date(Date.now() + 60 * 60 * 1000).toISOString();
      return response.end(JSON.stringify({ ...role, Expiration: expiry }));
    }).listen(0, '127.0.0.1');
    await new Promise((resolve) => server.once('listening', resolve));
    endpoint = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  });
  afterEach(() => vi.unstubAllEnvs());
  afterAll(() => {
    server.closeAllConnections();
    server.close();
  });

  /** Whose key, and which token, an upload's address and a request of the server are signed with. */
  async function signers(credentials: S3Options['credentials']) {
    const storage = createS3ObjectStorage({ ...OPTIONS, endpoint, credentials });
    const { searchParams } = new URL(await storage.createUploadUrl(upload));
    await storage.check();
    storage.close();
    const { headers } = requests.at(-1) ?? {};
    return [
      [searchParams.get('X-Amz-Credential')?.split('/')[0], searchParams.get('X-Amz-Security-Token')],
      [/Credential=(\w+)/.exec(headers?.authorization ?? '')?.[1], headers?.['x-amz-security-token'] ?? null],
    ];
  }

  it('may be a key alone, or a key with a session token', async () => {
    const key = { accessKeyId: 'KEY', secretAccessKey: 'secret' };
    expect(await signers(key)).toEqual(Array(2).fill(['KEY', null]));
    expect(await signers({ ...key, sessionToken: 'session token' })).toEqual(
      Array(2).fill(['KEY', 'session token']),
    );
  });

  it('default to those of the environment or the container’s role', async () => {
    vi.stubEnv('AWS_ACCESS_KEY_ID', 'ENVIRONMENT');
    vi.stubEnv('AWS_SECRET_ACCESS_KEY', 'secret');
    vi.stubEnv('AWS_SESSION_TOKEN', 'environment token');
    expect(await signers(null)).toEqual(Array(2).fill(['ENVIRONMENT', 'environment token']));
    for (const name of ['AWS_ACCESS_KEY_ID', 'AWS_SECRET_ACCESS_KEY', 'AWS_SESSION_TOKEN'])
      vi.stubEnv(name, undefined);
    vi.stubEnv('AWS_CONTAINER_CREDENTIALS_FULL_URI', `${endpoint}/role`);
    expect(await signers(null)).toEqual(Array(2).fill(['ROLE', 'role token']));
  });

  it('are required at startup', async () => {
    vi.stubEnv('AWS_EC2_METADATA_DISABLED', 'true');
    const storage = createS3ObjectStorage({ ...OPTIONS, credentials: null });
    await expect(storage.uploadOrigin()).rejects.toThrow('There are no credentials for S3');
    storage.close();
  });
});

const s3 = inject('s3');

describe.runIf(s3)('the parts of a stream whose process was killed', () => {
  it('are deleted once they are old enough', async () => {
    const { endpoint, ...credentials } = s3 as TestS3;
    const options = await createTestBucket({ endpoint, ...credentials });
    const client = new S3Client({ region: 'us-east-1', endpoint, credentials, forcePathStyle: true });
    const storage = createS3ObjectStorage(options);
    const Bucket = options.bucket;
    const begin = async (Key: string) => {
      const { UploadId } = await client.send(new CreateMultipartUploadCommand({ Bucket, Key }));
      const part = { Bucket, Key, UploadId, PartNumber: 1, Body: Buffer.alloc(1000) };
      await client.send(new UploadPartCommand(part));
    };
    const listed = async () => {
      const { Uploads = [] } = await client.send(new ListMultipartUploadsCommand({ Bucket }));
      return Uploads.map(({ Key }) => Key).sort();
    };
    await begin('exports/a.zip');
    await begin('exports/a.zip');
    await begin('imports/b/1');
    await begin('Not a key of ours');
    await storage.deleteIncomplete(new Date(Date.now() - 60_000));
    expect(await listed()).toHaveLength(4);
    await storage.deleteIncomplete(new Date(Date.now() + 60_000));
    expect(await listed()).toEqual(['Not a key of ours']);
    storage.close();
    client.destroy();
  });
});
