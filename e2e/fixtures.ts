import { test as base, expect, type ConsoleMessage } from '@playwright/test';

/** Chromium's own line for an answer of 4xx, a gateway's or none at all; nothing that our code wrote. */
const FAILED_RESOURCE =
  /^Failed to load resource: (the server responded with a status of (?:4\d\d|50[23])|net::ERR_FAILED)/;

/** It comes back by itself whenever it breaks off, and says nothing of that to anyone. */
const STREAM = '/api/events';
const FAILED_STREAM = /^Failed to load resource: /;

interface Fixtures {
  /**
   * Names an address whose 4xx answer, or lack of one, belongs to the test; with a slash at its end, all below it.
   * GET /api/user signed out always does, and so does a 401 for whoever has logged out.
   */
  expectErrorResponse: (path: string) => void;
  expectedErrorPaths: Set<string>;
  watchConsole: void;
  noteAddress: void;
}

/** Playwright's test, which also fails on any console error, uncaught exception or unhandled rejection. */
export const test = base.extend<Fixtures>({
  // Known only once the server has started, which is after the configuration was read.
  baseURL: async ({}, use) => use(process.env['E2E_BASE_URL']),
  expectedErrorPaths: async ({}, use) => use(new Set(['/api/user'])),
  expectErrorResponse: async ({ expectedErrorPaths }, use) =>
    use((path) => void expectedErrorPaths.add(path)),
  watchConsole: [
    async ({ context, expectedErrorPaths }, use) => {
      const problems: string[] = [];
      let hasLoggedOut = false;
      context.on('request', (request) => (hasLoggedOut ||= request.url().endsWith('/api/logout')));
      const isExpected = (message: ConsoleMessage) => {
        if (!FAILED_STREAM.test(message.text())) return false;
        const { pathname } = new URL(message.location().url);
        if (pathname === STREAM) return true;
        if (!FAILED_RESOURCE.test(message.text())) return false;
        // What was still on its way then.
        if (hasLoggedOut && message.text().includes('401')) return true;
        return [...expectedErrorPaths].some((path) =>
          path.endsWith('/') ? pathname.startsWith(path) : pathname === path,
        );
      };
      context.on('console', (message) => {
        if (message.type() === 'error' && !isExpected(message))
          problems.push(`${message.text()} ${message.location().url}`);
      });
      context.on('weberror', (error) => problems.push(String(error.error())));
      await use();
      expect(problems, 'errors in the browser console').toEqual([]);
    },
    { auto: true },
  ],
  /** For page-reporter.ts: its snapshot of a failure doesn't say where. */
  noteAddress: [
    async ({ page }, use, { annotations }) => {
      await use();
      annotations.push({ type: 'address', description: page.url() });
    },
    { auto: true },
  ],
});

export { expect };
