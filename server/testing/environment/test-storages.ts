import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import express from 'express';
import { inject } from 'vitest';
import { createDiskObjectStorage } from '../../platform/object-storage/disk-object-storage.ts';
import { createS3ObjectStorage } from '../../platform/object-storage/s3-object-storage.ts';
import { createTestBucket, type TestS3 } from '../../platform/object-storage/testing/test-bucket.ts';
import { errorHandler } from '../../platform/http/error-handler.ts';
import { requestLog } from '../../platform/http/request-log.ts';
import { parseConfig } from '../../platform/config/config.ts';
import { createDiskSpace } from '../../platform/files/disk-space.ts';
import { createLogger } from '../../platform/logging/logger.ts';
import type { Clock } from '../../platform/time/clock.ts';
import type { ObjectStorage } from '../../platform/object-storage/object-storage.ts';
import { uploadReceiverRoutes } from '../../features/uploads/upload-routes.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** Null when there is none. */
    s3: TestS3 | null;
  }
}

/** A storage to test; relative URLs resolve against `origin`. */
export type TestStorage = { storage: ObjectStorage; origin: string; close(): Promise<void> };

/** Every implementation that is available, by name. */
export const testStorages: [string, (clock: Clock) => Promise<TestStorage>][] = [['disk', openDisk]];

const s3 = inject('s3');
if (s3) testStorages.push(['S3', () => openS3(s3)]);

async function openDisk(clock: Clock): Promise<TestStorage> {
  const folder = await mkdtemp(join(tmpdir(), 'mems-disk-'));
  const storage = await createDiskObjectStorage({ folder, secret: 's'.repeat(32), clock, diskSpace: null });
  const diskSpace = createDiskSpace(parseConfig({}), []);
  const app = express().use(
    requestLog(createLogger({ logLevel: 'silent' })),
    uploadReceiverRoutes(
      { storage, diskSpace },
      {
        markUsed: () => Promise.resolve('open' as const),
        markUnused: () => Promise.resolve(),
        isSessionValid: () => Promise.resolve(true),
      },
    ),
    errorHandler,
  );
  const server = createServer(app).listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  return {
    storage,
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async close() {
      server.closeAllConnections();
      server.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

async function openS3(server: TestS3): Promise<TestStorage> {
  const options = await createTestBucket(server);
  const storage = createS3ObjectStorage(options);
  return { storage, origin: server.endpoint, close: () => Promise.resolve(storage.close()) };
}
