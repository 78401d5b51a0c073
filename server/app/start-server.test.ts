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

async function start(settings: NodeJS.ProcessEnv, options: Parameters<typeof startServer>[0]) {
  vi.spyOn(console, 'log').mockImplementation(() => undefined);
  const database = await createTestDatabase();
  const dataDir = await mkdtemp(join(tmpdir(), 'mems-start-'));
  const config = parseConfig({
    NODE_ENV: 'test',
    PORT: '0',
    DATA_DIR: dataDir,
    DATABASE_URL: database.url,
    LOG_LEVEL: 'silent',
    ...settings,
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
  const ended = startServer({ prepare, ...options })({ config, composition, shutdown });
  return {
    origin: (await started).replace('localhost', '127.0.0.1'),
    stop: () => stop('SIGTERM'),
    end: async () => {
      await ended;
      await composition.close(0);
      await database.drop();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}

async function request(url: string, agent: Agent) {
  const [response] = (await once(get(url, { agent }), 'response')) as [IncomingMessage];
  const { status } = (await json(response)) as { status?: string };
  return [response.statusCode, status, response.headers.connection];
}

it('drains before it closes: a load balancer hears so on the connection that it keeps', async () => {
  const { origin, stop, end } = await start({}, { idleMs: IDLE_MS });
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const readiness = () => request(`${origin}/api/health/ready`, agent);
  expect(await readiness()).toEqual([200, 'ready', 'keep-alive']);
  stop();
  await expect.poll(readiness, TIMEOUT).toEqual([503, 'draining', 'close']);
  await end();
  agent.destroy();
});

it('accepts requests for DRAIN_SECONDS, until load balancers send no more', async () => {
  let release = () => {};
  const wait = vi.fn(() => new Promise<void>((resolve) => (release = resolve)));
  const { origin, stop, end } = await start({ DRAIN_SECONDS: '3' }, { idleMs: 0, wait });
  stop();
  const agent = new Agent({ keepAlive: true });
  await expect
    .poll(() => request(`${origin}/api/health/ready`, agent), TIMEOUT)
    .toEqual([503, 'draining', 'keep-alive']);
  expect(await request(`${origin}/api/config`, new Agent({ keepAlive: true }))).toEqual([
    200,
    undefined,
    'keep-alive',
  ]);
  expect(wait).toHaveBeenCalledExactlyOnceWith(3000);
  release();
  await end();
  agent.destroy();
});
