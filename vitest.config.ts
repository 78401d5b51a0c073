import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['{server,shared,client,scripts}/**/*.test.{ts,tsx,mjs}'],
    globalSetup: ['server/testing/global-setup.ts'],
    setupFiles: ['server/testing/deny-network.ts'],
    testTimeout: 30_000,
    hookTimeout: 60_000,
    // A file has its own database; tests in it share its server.
    maxWorkers: 2,
  },
});
