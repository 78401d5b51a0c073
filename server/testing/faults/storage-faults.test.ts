import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { createS3ObjectStorage, type S3Options } from '../../platform/object-storage/s3-object-storage.ts';
import {
  createTestBucket,
  listBucket,
  type TestS3,
} from '../../platform/object-storage/testing/test-bucket.ts';
import { startProxy, type Proxy } from '../environment/proxy.ts';
import { toS3Settings } from '../environment/s3-settings.ts';
import { startOpenaiServer } from '../fakes/openai-server.ts';
import { startTwilioServer } from '../fakes/twilio-server.ts';
import { disturb, outages } from './disturb.ts';
import type { StoredObjects } from './installation.ts';
import type { Vendors } from './operations/operation.ts';
import { runRound } from './run-round.ts';

const TIMEOUT_MS = 300_000;
const UNAVAILABLE = '503 {"message":"Part of our service is not responding. Please try again in a moment."}';

let vendors: Vendors;
beforeAll(async () => {
  vendors = { twilio: await startTwilioServer(), openai: await startOpenaiServer() };
});
afterAll(() => vendors.openai.close());

const s3 = inject('s3');
describe.runIf(s3)('the app, whose object storage is down, then slow, then silent, then breaks off', () => {
  let proxy: Proxy;
  let bucket: S3Options;
  let settings: Record<string, string>;
  let objects: StoredObjects;
  beforeAll(async () => {
    const real = s3 as TestS3;
    const { hostname, port } = new URL(real.endpoint);
    proxy = await startProxy({ host: hostname, port: Number(port) });
    bucket = await createTestBucket(real);
    settings = toS3Settings({ ...real, endpoint: `http://127.0.0.1:${proxy.port}` }, bucket);
    const storage = createS3ObjectStorage(bucket);
    objects = { list: () => listBucket(bucket), read: (key) => storage.read(key) };
  });
  afterAll(() => proxy.close());

  it(
    'answers 503 meanwhile, and afterwards has lost nothing and done nothing twice',
    async () => {
      const breakOff = (each: Proxy) => void each.fail({ cutAfterBytes: 500 });
      const round = await runRound(vendors, () => disturb(proxy, [...outages, breakOff]), {
        settings,
        objects,
      });
      expect([round, ...round.operations].flatMap((each) => each.violations)).toEqual([]);
      for (const rejection of round.rejections) expect(rejection).toBe(UNAVAILABLE);
    },
    TIMEOUT_MS,
  );
});
