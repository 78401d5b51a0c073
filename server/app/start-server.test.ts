import { mkdtemp, rm } from 'node:fs/promises';
import { Agent, get, type IncomingMessage } from 'node:http';
import { once } from 'node:events';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { json } from 'node:stream/consumers';
import { afterEach, expect, it, vi } from 'vitest';
import { parseConfig } from '../platform/config/config.ts';
import { createTestDatabase } from '../testing/environment/test-database.ts';
import { TIMEOUT } from '../testing/timing/timeout.ts';
import { compose } from './compose.ts';
import { startServer } from './start-server.ts';

/** Longer than the test: only the end of the last connection ends the server. */
const IDLE_MS = 600_000;

afterEach(() => vi.restoreAllMocks());

it('drains before it closes: a load balancer hears so on the connection that it keeps', async () => {
  vi.spyOn(console, 'log').mockImplementation(() => undefined);
  const database = await createTestDatabase();
  const dataDir = await mkdtemp(join(tmpdir(), 'mems-start-'));
  const config = parseConfig({
    NODE_ENV: 'test',
    PORT: '0',
    DATA_DIR: dataDir,
    DATABASE_URL: database.url,
    LOG_LEVEL: 'silent',
  });
  const composition = await compose(config, { hasWorkers: false });
  let stop = (_signal: string) => {};
  const shutdown = new Promise<string>((resolve) => (stop = resolve));
  let announce = (_origin: string) => {};
  const started = new Promise<string>((resolve) => (announce = resolve));
  const prepare = () => {
    announce(composition.context.baseUrl.origin());
    return Promise.resolve([]);
  };
  const ended = startServer({ prepare, idleMs: IDLE_MS })({ config, composition, shutdown });
  const url = `${(await started).replace('localhost', '127.0.0.1')}/api/health/ready`;
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const readiness = async () => {
    const [response] = (await once(get(url, { agent }), 'response')) as [IncomingMessage];
    const { status } = (await json(response)) as { status: string };
    return [response.statusCode, status, response.headers.connection];
  };
  expect(await readiness()).toEqual([200, 'ready', 'keep-alive']);
  stop('SIGTERM');
  await expect.poll(readiness, TIMEOUT).toEqual([503, 'draining', 'close']);
  await ended;
  agent.destroy();
  await composition.close(0);
  await database.drop();
  await rm(dataDir, { recursive: true, force: true });
});
