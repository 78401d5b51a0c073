import type { Page } from '@playwright/test';
import { makePhoto } from '../server/testing/photos.ts';
import { startFakeInternet, type FakeInternet } from '../server/testing/fake-internet.ts';
import { ALL_VENDORS, createVendors, type Vendors } from '../server/testing/vendors/vendors.ts';
import { createTestBucket } from '../server/platform/object-storage/testing/test-bucket.ts';
import { test as base } from './fixtures.ts';
import { createAppFolder, removeAppFolder, startAndWait } from './lifecycle-app.ts';

const { S3_TEST_ENDPOINT, S3_TEST_ACCESS_KEY_ID = '', S3_TEST_SECRET_ACCESS_KEY = '' } = process.env;
export const hasS3 = Boolean(S3_TEST_ENDPOINT);

/** Upright, it is a portrait, red above and blue below. */
const PHOTO = { width: 600, height: 800, orientation: 6 } as const;

type Storage = 'disk' | 's3';

interface WorkerFixtures {
  vendors: Vendors;
  internet: FakeInternet;
  /** Starts the app once for each storage. @returns its URL */
  startApp: (storage: Storage) => Promise<string>;
}

interface Fixtures {
  storage: Storage;
  resetVendors: void;
}

/** With an app of the worker that has all remote sources, and stand-ins of the vendors for the app and the browser. */
export const test = base.extend<Fixtures, WorkerFixtures>({
  vendors: [async ({}, use) => use(createVendors(await makePhoto(PHOTO))), { scope: 'worker' }],
  internet: [
    async ({ vendors }, use) => {
      const internet = await startFakeInternet(vendors.hosts);
      await use(internet);
      await internet.close();
    },
    { scope: 'worker' },
  ],
  launchOptions: [
    async ({ launchOptions, internet }, use) =>
      use({ ...launchOptions, args: [...(launchOptions.args ?? []), ...internet.browserArgs] }),
    { scope: 'worker' },
  ],
  startApp: [
    async ({ internet }, use) => {
      const started = new Map<Storage, ReturnType<typeof start>>();
      const start = async (storage: Storage) => {
        const folder = createAppFolder();
        const settings = { ...ALL_VENDORS, ...internet.env, ...(storage === 's3' && (await s3Settings())) };
        return { folder, app: await startAndWait(folder, settings) };
      };
      await use(async (storage) => {
        if (!started.has(storage)) started.set(storage, start(storage));
        return (await started.get(storage)!).app.address;
      });
      for (const { folder, app } of await Promise.all(started.values())) {
        app.npm.kill('SIGTERM');
        await app.ended;
        removeAppFolder(folder);
      }
    },
    { scope: 'worker' },
  ],
  storage: ['disk', { option: true }],
  ignoreHTTPSErrors: true,
  baseURL: async ({ startApp, storage }, use) => use(await startApp(storage)),
  resetVendors: [
    async ({ vendors }, use, testInfo) => {
      await use();
      if (testInfo.status !== testInfo.expectedStatus)
        await testInfo.attach('calls of the vendors', { body: vendors.traffic.calls.join('\n') });
      vendors.traffic.reset();
    },
    { auto: true },
  ],
});

async function s3Settings(): Promise<Record<string, string>> {
  const server = {
    endpoint: S3_TEST_ENDPOINT!,
    accessKeyId: S3_TEST_ACCESS_KEY_ID,
    secretAccessKey: S3_TEST_SECRET_ACCESS_KEY,
  };
  const { bucket } = await createTestBucket(server);
  return {
    OBJECT_STORAGE: 's3',
    S3_BUCKET: bucket,
    S3_ENDPOINT: server.endpoint,
    S3_PATH_STYLE: 'true',
    S3_ACCESS_KEY_ID: server.accessKeyId,
    S3_SECRET_ACCESS_KEY: server.secretAccessKey,
  };
}

/** Performs an action that opens a pop-up. */
export async function openPopup(page: Page, open: () => Promise<void>): Promise<Page> {
  const opened = page.waitForEvent('popup');
  await open();
  return opened;
}
