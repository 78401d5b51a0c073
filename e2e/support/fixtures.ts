import { test as base, expect, type ConsoleMessage } from '@playwright/test';
import { startWorkerApp, type WorkerApp } from './apps/worker-app.ts';

/** Chromium's own message for a response of 4xx, of a gateway (502, 503), or none. */
const FAILED_RESOURCE =
  /^Failed to load resource: (the server responded with a status of (?:4\d\d|50[23])|net::ERR_FAILED)/;

/** Reconnects silently after any error. */
const STREAM = '/api/events';
const FAILED_STREAM = /^Failed to load resource: /;

export interface Fixtures {
  /**
   * Allows failed requests to a path, or to all paths below it if it ends with a slash. Always allowed: GET /api/user
   * while signed out, and 401 after logging out.
   */
  expectErrorResponse: (path: string) => void;
  expectedErrorPaths: Set<string>;
  watchConsole: void;
  annotateUrl: void;
  endRoutes: void;
}

export interface WorkerFixtures {
  app: WorkerApp;
}

/** Playwright's test, which also fails on any console error, uncaught exception or unhandled rejection. */
export const test = base.extend<Fixtures, WorkerFixtures>({
  app: [
    async ({}, use) => {
      const app = await startWorkerApp();
      await use(app);
      await app.stop();
    },
    { scope: 'worker', timeout: 180_000 },
  ],
  baseURL: async ({ app }, use) => use(app.address),
  expectedErrorPaths: async ({}, use) => use(new Set(['/api/user'])),
  expectErrorResponse: async ({ expectedErrorPaths }, use) =>
    use((path) => void expectedErrorPaths.add(path)),
  watchConsole: [
    async ({ context, expectedErrorPaths }, use) => {
      const errors: string[] = [];
      let hasLoggedOut = false;
      context.on('request', (request) => (hasLoggedOut ||= request.url().endsWith('/api/logout')));
      const isExpected = (message: ConsoleMessage) => {
        if (!FAILED_STREAM.test(message.text())) return false;
        const { pathname } = new URL(message.location().url);
        if (pathname === STREAM) return true;
        if (!FAILED_RESOURCE.test(message.text())) return false;
        // Requests that were pending then.
        if (hasLoggedOut && message.text().includes('401')) return true;
        return [...expectedErrorPaths].some((path) =>
          path.endsWith('/') ? pathname.startsWith(path) : pathname === path,
        );
      };
      context.on('console', (message) => {
        if (message.type() === 'error' && !isExpected(message))
          errors.push(`${message.text()} ${message.location().url}`);
      });
      context.on('weberror', (error) => errors.push(String(error.error())));
      await use();
      expect(errors, 'errors in the browser console').toEqual([]);
    },
    { auto: true },
  ],
  /** For page-reporter.ts: the snapshot of a failure has no URL. */
  annotateUrl: [
    async ({ page }, use, { annotations }) => {
      await use();
      annotations.push({ type: 'url', description: page.url() });
    },
    { auto: true },
  ],
  /** A handler that is running when its page closes would fail. `ignoreErrors`, not `wait`: some tests never answer a held request. */
  endRoutes: [
    async ({ context, page: _ }, use) => {
      await use();
      for (const each of [...context.pages(), context]) await each.unrouteAll({ behavior: 'ignoreErrors' });
    },
    { auto: true },
  ],
});

export { expect };
