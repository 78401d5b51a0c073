import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { registerAdministrator } from './users.ts';

const START_TIMEOUT_MS = 180_000;

/**
 * Starts `npm start` with a temporary data folder, and stops it with SIGTERM. While writing tests, set E2E_BASE_URL to a
 * running server and E2E_DATA_DIR to its data folder.
 */
async function globalSetup(): Promise<(() => Promise<void>) | undefined> {
  if (process.env['E2E_BASE_URL']) return undefined;
  const dataDir = await mkdtemp(join(tmpdir(), 'mems-e2e-'));
  const port = await findFreePort();
  const server = spawn(process.execPath, ['scripts/start.mjs'], {
    cwd: join(import.meta.dirname, '..'),
    env: {
      ...process.env,
      ENV_FILE: '',
      NODE_ENV: 'test',
      HOST: '127.0.0.1',
      PORT: String(port),
      DATA_DIR: dataDir,
      LOG_LEVEL: 'warn',
      // Tests must not call the paid API.
      OPENAI_API_KEY: '',
      // All tests have the same IP address.
      REGISTRATIONS_PER_ADDRESS: '10000',
      REGISTRATIONS_PER_DAY: '10000',
      LOGIN_ATTEMPTS_PER_ADDRESS: '10000',
      PHONE_CODES_PER_ADDRESS: '10000',
      UPLOADS_PER_MINUTE: '10000',
      WRITE_BURST: '10000',
      MIN_FREE_DISK_PERCENT: '0',
      MAIL_GROUPING_SECONDS: '0',
    },
    stdio: ['ignore', 'inherit', 'inherit'],
  });
  const stop = async () => {
    await end(server);
    await rm(dataDir, { recursive: true, force: true });
  };
  try {
    process.env['E2E_BASE_URL'] = `http://127.0.0.1:${port}`;
    process.env['E2E_DATA_DIR'] = dataDir;
    await waitUntilReady(`http://127.0.0.1:${port}/api/health/ready`, server);
    await registerAdministrator(`http://127.0.0.1:${port}`);
  } catch (error) {
    await stop();
    throw error;
  }
  return stop;
}

async function waitUntilReady(url: string, server: ChildProcess): Promise<void> {
  const deadline = Date.now() + START_TIMEOUT_MS;
  while (Date.now() < deadline) {
    if (server.exitCode !== null)
      throw new Error(`The server ended with code ${server.exitCode} while starting.`);
    const answer = await fetch(url).catch(() => null);
    if (answer?.ok) return;
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
  throw new Error('The server did not become ready in time.');
}

async function end(server: ChildProcess): Promise<void> {
  if (server.exitCode !== null || server.signalCode !== null) return;
  const ended = once(server, 'exit');
  server.kill('SIGTERM');
  await ended;
}

async function findFreePort(): Promise<number> {
  const probe = createServer().listen(0, '127.0.0.1');
  await once(probe, 'listening');
  const { port } = probe.address() as AddressInfo;
  probe.close();
  await once(probe, 'close');
  return port;
}

// Playwright requires a default export.
export { globalSetup as default };
