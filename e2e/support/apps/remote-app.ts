import type { Page } from '@playwright/test';
import { makePhoto } from '../../../server/testing/photos/photos.ts';
import { startFakeInternet, type FakeInternet } from '../../../server/testing/fakes/fake-internet.ts';
import { ALL_VENDORS, createVendors, type Vendors } from '../../../server/testing/vendors/vendors.ts';
import { test as base } from '../fixtures.ts';
import { createAppFolder, removeAppFolder, startAndWait } from './lifecycle-app.ts';

/** Upright, it is a portrait, red above and blue below. */
const PHOTO = { width: 600, height: 800, orientation: 6 } as const;

interface WorkerFixtures {
  vendors: Vendors;
  internet: FakeInternet;
  appUrl: string;
}

interface Fixtures {
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
  appUrl: [
    async ({ internet }, use) => {
      const folder = createAppFolder();
      const app = await startAndWait(folder, { ...ALL_VENDORS, ...internet.env });
      await use(app.address);
      app.npm.kill('SIGTERM');
      await app.ended;
      removeAppFolder(folder);
    },
    { scope: 'worker' },
  ],
  ignoreHTTPSErrors: true,
  baseURL: async ({ appUrl }, use) => use(appUrl),
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

/** Performs an action that opens a pop-up. */
export async function openPopup(page: Page, open: () => Promise<void>): Promise<Page> {
  const opened = page.waitForEvent('popup');
  await open();
  return opened;
}
