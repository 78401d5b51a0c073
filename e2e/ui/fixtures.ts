import { test as base, expect, type Page } from '@playwright/test';
import type { FakeServer } from '../../client/src/testing/fake-server/fake-server.ts';
import { NOW } from '../../client/src/testing/fake-server/state/fake-state.ts';
import { startFakeApp, type FakeApp } from './fake-app.ts';

interface Fixtures {
  fakeApp: FakeApp;
  /** Answers the page's calls. Change its state before a page loads it. */
  server: FakeServer;
  fixedClock: void;
  watchConsole: void;
  endRoutes: void;
}

/** For `test.use`, or to repeat a test where layout or gestures differ. */
export const phone = { viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true };
export const desktop = { viewport: { width: 1280, height: 800 } };

/** The server's answers of 4xx and 50x, and requests that a test aborts, are part of the tests. */
const FAILED_RESOURCE =
  /^Failed to load resource: (the server responded with a status of (4\d\d|50[0-3])|net::ERR_(FAILED|INTERNET_DISCONNECTED))/;

/** A test of the built client over the fake server, with a fixed clock. It fails on console errors and unknown calls. */
export const test = base.extend<Fixtures>({
  fakeApp: async ({}, use) => {
    const app = await startFakeApp();
    await use(app);
    await app.close();
    expect(app.errors, 'errors of the fake server').toEqual([]);
    expect(app.server.unknown, 'calls that the fake server does not know').toEqual([]);
  },
  server: async ({ fakeApp }, use) => use(fakeApp.server),
  baseURL: async ({ fakeApp }, use) => use(fakeApp.origin),
  fixedClock: [
    async ({ page }, use) => {
      await page.clock.setFixedTime(NOW);
      await use();
    },
    { auto: true },
  ],
  watchConsole: [
    async ({ context }, use) => {
      const errors: string[] = [];
      context.on('console', (message) => {
        if (message.type() === 'error' && !FAILED_RESOURCE.test(message.text()))
          errors.push(`${message.text()} ${message.location().url}`);
      });
      context.on('weberror', (error) => errors.push(String(error.error())));
      await use();
      expect(errors, 'errors in the browser console').toEqual([]);
    },
    { auto: true },
  ],
  /** A handler that is running when its page closes would fail. `ignoreErrors`: some tests never answer a held request. */
  endRoutes: [
    async ({ context, page: _ }, use) => {
      await use();
      for (const each of [...context.pages(), context]) await each.unrouteAll({ behavior: 'ignoreErrors' });
    },
    { auto: true },
  ],
});

/** From the fixed moment on. Uppy and PhotoSwipe measure by Date how long ago something was. */
export async function letTimePass(page: Page): Promise<void> {
  await page.clock.setSystemTime(NOW);
}

export { expect };
