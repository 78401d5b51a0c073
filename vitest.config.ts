import { defineConfig } from 'vitest/config';
import { LongestFirst } from './server/testing/vitest/longest-first.ts';

export default defineConfig({
  test: {
    // For a machine with a load of 10.
    testTimeout: 60_000,
    hookTimeout: 120_000,
    // More than the cores, since tests often wait for the database or a process.
    maxWorkers: 3,
    // Loading the server takes a second, so the files of a worker share it.
    isolate: false,
    sequence: { sequencer: LongestFirst },
    // Less than a test's, so that a failure says what it waited for.
    expect: { poll: { timeout: 45_000, interval: 10 } },
    provide: { fastCheckSeed: Number(process.env.FAST_CHECK_SEED ?? 1) },
    projects: [
      {
        extends: true,
        test: {
          name: 'server',
          include: ['{server,shared,scripts,e2e}/**/*.test.{ts,mjs}'],
          globalSetup: ['server/testing/vitest/global-setup.ts'],
          provide: { s3: s3ForTests(), faults: faultsForTests() },
          setupFiles: ['server/testing/vitest/each-file.ts'],
        },
      },
      {
        extends: true,
        test: {
          name: 'client',
          include: ['client/**/*.test.{ts,tsx}'],
          setupFiles: [
            'server/testing/vitest/deny-network.ts',
            'server/testing/vitest/fast-check-seed.ts',
            'client/src/testing/each-file.ts',
          ],
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

/** A short round; `npm run test:faults` asks for long ones, and a failure names the seed to repeat. */
function faultsForTests() {
  const { FAULTS_SEED, FAULTS_KILLS, FAULTS_COMMAND_KILLS, FAULTS_LANES, FAULTS_STOPS } = process.env;
  const { FAULTS_LONG, FAULTS_RESULTS } = process.env;
  return {
    seed: Number(FAULTS_SEED ?? Math.floor(Math.random() * 2 ** 31)),
    /** Of the app. */
    kills: Number(FAULTS_KILLS ?? 2),
    /** Of a backup, and of a restore. */
    commandKills: Number(FAULTS_COMMAND_KILLS ?? 1),
    /** Rounds that run at the same time. */
    lanes: Number(FAULTS_LANES ?? 1),
    stops: Number(FAULTS_STOPS ?? 1),
    /** With the variations that `npm test` leaves out. */
    isLong: FAULTS_LONG === 'true',
    /** A file to append each round to. */
    results: FAULTS_RESULTS ?? null,
  };
}
