import { defineConfig } from '@playwright/test';

const chromium = process.env['CHROMIUM_PATH'];

/** Whole journeys in a real browser against the real server, which global-setup starts on a free port. */
export default defineConfig({
  testDir: 'e2e',
  testMatch: '*.spec.ts',
  globalSetup: './e2e/global-setup.ts',
  outputDir: 'test-results',
  workers: 2,
  fullyParallel: true,
  timeout: 60_000,
  expect: { timeout: 10_000 },
  reporter: [['list']],
  use: {
    trace: 'retain-on-failure',
    locale: 'en-US',
    launchOptions: chromium ? { executablePath: chromium } : {},
  },
  projects: [
    { name: 'phone', use: { viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true } },
    { name: 'desktop', use: { viewport: { width: 1280, height: 800 } } },
  ],
});
