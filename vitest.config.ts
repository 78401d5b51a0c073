import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['{server,shared,client,scripts}/**/*.test.{ts,tsx,mjs}'],
    globalSetup: ['server/testing/global-setup.ts'],
    provide: { s3: s3ForTests() },
    setupFiles: ['server/testing/each-file.ts'],
    testTimeout: 30_000,
    hookTimeout: 60_000,
    // A file has its own database; tests in it share its server.
    maxWorkers: 2,
    // Loading the server takes a second, in each file: two processes load it once each.
    isolate: false,
  },
});

/** A real S3 server, named by the environment; `npm test` starts one where it can. */
function s3ForTests() {
  const { S3_TEST_ENDPOINT: endpoint, S3_TEST_ACCESS_KEY_ID, S3_TEST_SECRET_ACCESS_KEY } = process.env;
  if (!endpoint) return null;
  return {
    endpoint,
    accessKeyId: S3_TEST_ACCESS_KEY_ID ?? '',
    secretAccessKey: S3_TEST_SECRET_ACCESS_KEY ?? '',
  };
}
