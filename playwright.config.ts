import { defineConfig } from '@playwright/test';

/** Tests whose result does not depend on the width have this tag, or are in a file named in `once`. */
const ANY_WIDTH = /@once/;
const lifecycle = ['lifecycle.spec.ts', 'crash.spec.ts', 'add-many-crash.spec.ts'];
const once = [
  ...lifecycle,
  'account.spec.ts',
  'album-sizes.spec.ts',
  'events.spec.ts',
  'full-album.spec.ts',
  'gallery-search.spec.ts',
  'oidc.spec.ts',
  'open-memory.spec.ts',
  'passkeys.spec.ts',
  's3.spec.ts',
  'second-factors.spec.ts',
  'sessions.spec.ts',
  'tooltips.spec.ts',
  'unsaved-changes.spec.ts',
  'uploader.spec.ts',
];
const chromium = process.env['CHROMIUM_PATH'];
/** Where scripts/test.mjs looks for the counts. */
const reportFile = process.env['PLAYWRIGHT_JSON_OUTPUT_FILE'];

/** Whole journeys in a real browser against the real server, which global-setup starts on a free port. */
export default defineConfig({
  testDir: 'e2e',
  testMatch: /e2e[\\/][^\\/]+\.spec\.ts$/,
  globalSetup: './e2e/global-setup.ts',
  outputDir: 'test-results',
  // More than cores: pages often wait for each other and for the server.
  workers: 3,
  fullyParallel: true,
  // Long enough for a machine at a load of 10.
  timeout: 180_000,
  expect: { timeout: 20_000 },
  reporter: [
    ['list'],
    ['./e2e/page-reporter.ts'],
    ...(reportFile ? [['json', { outputFile: reportFile }] as const] : []),
  ],
  use: {
    // No trace: its recorder fetches images, which the Content-Security-Policy refuses with console errors.
    screenshot: 'only-on-failure',
    locale: 'en-US',
    launchOptions: chromium ? { executablePath: chromium } : {},
  },
  projects: [
    // First, since the longest tests are here. They look for processes as only Linux shows them.
    ...(process.platform === 'linux' ? [{ name: 'lifecycle', testMatch: lifecycle }] : []),
    {
      name: 'phone',
      testIgnore: once,
      grepInvert: ANY_WIDTH,
      use: { viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true },
    },
    {
      name: 'desktop',
      testIgnore: lifecycle,
      // Drawn without a graphics card, motion is a fifth of a browser's work: the phone has it, the desktop wants less.
      use: { viewport: { width: 1280, height: 800 }, contextOptions: { reducedMotion: 'reduce' } },
    },
    // The built client over a fake server: no registration, no database, no decoding of photos.
    {
      name: 'ui',
      testDir: 'e2e/ui',
      testMatch: '*.spec.ts',
      use: {
        viewport: { width: 1280, height: 800 },
        timezoneId: 'UTC',
        contextOptions: { reducedMotion: 'reduce' },
      },
    },
  ],
});
