import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    // For a machine with a load of 10.
    testTimeout: 60_000,
    hookTimeout: 120_000,
    // More than the cores, since tests often wait for the database or a process.
    maxWorkers: 3,
    // Loading the server takes a second, so the files of a worker share it.
    isolate: false,
    projects: [
      {
        extends: true,
        test: {
          name: 'server',
          include: ['{server,shared,scripts}/**/*.test.{ts,mjs}'],
          globalSetup: ['server/testing/global-setup.ts'],
          provide: { s3: s3ForTests() },
          setupFiles: ['server/testing/each-file.ts'],
        },
      },
      {
        extends: true,
        test: {
          name: 'client',
          include: ['client/**/*.test.{ts,tsx}'],
          setupFiles: ['server/testing/deny-network.ts'],
        },
      },
    ],
  },
});

/** A real S3 server, which `npm test` starts if possible. */
function s3ForTests() {
  const { S3_TEST_ENDPOINT: endpoint, S3_TEST_ACCESS_KEY_ID, S3_TEST_SECRET_ACCESS_KEY } = process.env;
  if (!endpoint) return null;
  return {
    endpoint,
    accessKeyId: S3_TEST_ACCESS_KEY_ID ?? '',
    secretAccessKey: S3_TEST_SECRET_ACCESS_KEY ?? '',
  };
}
