import { defineConfig } from '@playwright/test';

const system = /e2e[\\/]system[\\/].+\.spec\.ts$/;
const chromium = process.env['CHROMIUM_PATH'];
/** Nobody sees the pages: a stand-in for a graphics card would only take the processor's time. */
const WITHOUT_GRAPHICS = ['--disable-gpu', '--disable-gpu-compositing', '--num-raster-threads=1'];
/** Where scripts/test-runs/test.mjs looks for the counts. */
const reportFile = process.env['PLAYWRIGHT_JSON_OUTPUT_FILE'];

/** Whole journeys in a real browser against the real server, of which each worker starts one. */
export default defineConfig({
  testDir: 'e2e',
  testMatch: /e2e[\\/](journeys|system)[\\/].+\.spec\.ts$/,
  globalSetup: './e2e/support/global-setup.ts',
  outputDir: 'test-results',
  // More than cores: pages often wait for each other and for the server.
  workers: 3,
  fullyParallel: true,
  // Long enough for a machine at a load of 10.
  timeout: 180_000,
  expect: { timeout: 20_000 },
  reporter: [
    ['list'],
    ['./e2e/support/page-reporter.ts'],
    ...(reportFile ? [['json', { outputFile: reportFile }] as const] : []),
  ],
  use: {
    // No trace: its recorder fetches images, which the Content-Security-Policy refuses with console errors.
    screenshot: 'only-on-failure',
    locale: 'en-US',
    // Its requests pass by page.route(). installed.spec.ts allows them.
    serviceWorkers: 'block',
    launchOptions: { args: WITHOUT_GRAPHICS, ...(chromium && { executablePath: chromium }) },
  },
  projects: [
    // First, since the longest tests are here. They look for processes as only Linux shows them.
    ...(process.platform === 'linux' ? [{ name: 'system', testMatch: system }] : []),
    {
      // Journeys whose layout or gestures differ on a phone. `ui` checks each screen at both widths.
      name: 'phone',
      grep: /@phone/,
      // Few tests: each worker would start an app for one or two.
      workers: 1,
      use: { viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true },
    },
    {
      name: 'journeys',
      testIgnore: system,
      // Drawn without a graphics card, motion is a fifth of a browser's work: the phone has it, the desktop wants less.
      use: { viewport: { width: 1280, height: 800 }, contextOptions: { reducedMotion: 'reduce' } },
    },
    // The built client over a fake server: no registration, no database, no decoding of photos.
    {
      name: 'ui',
      testDir: 'e2e/ui',
      testMatch: '**/*.spec.ts',
      use: {
        viewport: { width: 1280, height: 800 },
        timezoneId: 'UTC',
        contextOptions: { reducedMotion: 'reduce' },
      },
    },
  ],
});
