import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startAppProcess } from '../../../server/testing/environment/app-process.ts';
import { cloneDatabase } from '../../../server/testing/environment/clone-database.ts';

export interface WorkerApp {
  address: string;
  dataDir: string;
}

/**
 * Starts the app with its own data folder and its own copy of the database. Helpers and specs find them by the environment
 * variables E2E_BASE_URL, E2E_DATA_DIR and E2E_DATABASE_URL of the worker's process. While writing tests, set the first to
 * a running server and the second to its data folder.
 */
export async function startWorkerApp(): Promise<WorkerApp & { stop(): Promise<void> }> {
  const { env } = process;
  const { E2E_BASE_URL, E2E_DATA_DIR = '', E2E_POSTGRES_URL: url, E2E_POSTGRES_ADMIN_URL: adminUrl } = env;
  if (E2E_BASE_URL) return { address: E2E_BASE_URL, dataDir: E2E_DATA_DIR, stop: () => Promise.resolve() };
  if (!url || !adminUrl) throw new Error('The global setup has started no Postgres');
  const database = await cloneDatabase({ url, adminUrl });
  const dataDir = await mkdtemp(join(tmpdir(), 'mems-e2e-'));
  const settings = { ...SETTINGS, PATH: env['PATH'] ?? '', DATABASE_URL: database.url, DATA_DIR: dataDir };
  const app = await startAppProcess(settings, { args: ['scripts/start.mjs'], onLine: printLog });
  const address = app.origin.replace('localhost', '127.0.0.1');
  Object.assign(env, { E2E_BASE_URL: address, E2E_DATA_DIR: dataDir, E2E_DATABASE_URL: database.url });
  return {
    address,
    dataDir,
    async stop() {
      await app.stop();
      await database.drop();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}

const SETTINGS = {
  ENV_FILE: '',
  LOG_LEVEL: 'warn',
  // Tests must not call the paid API.
  OPENAI_API_KEY: '',
  // All tests have the same IP address.
  REGISTRATIONS_PER_ADDRESS: '10000',
  REGISTRATIONS_PER_DAY: '10000',
  PASSWORD_RESETS_PER_ADDRESS: '10000',
  LOGIN_ATTEMPTS_PER_ADDRESS: '10000',
  PHONE_CODES_PER_ADDRESS: '10000',
  UPLOADS_PER_MINUTE: '10000',
  VISITOR_REQUEST_BURST: '10000',
  WRITE_BURST: '10000',
  MIN_FREE_DISK_PERCENT: '0',
  MAIL_GROUPING_SECONDS: '0',
};

function printLog(line: string): void {
  if (line.startsWith('{')) console.log(line);
}
