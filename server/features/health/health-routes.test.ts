import pino from 'pino';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { findIsolation } from '../../platform/image-decoder/decoder-command.ts';
import { startProxy, type Proxy } from '../../testing/environment/proxy.ts';
import { createTestDatabase } from '../../testing/environment/test-database.ts';
import { startTestServer, type TestServer } from '../../testing/test-server.ts';

let database: Awaited<ReturnType<typeof createTestDatabase>>;
let proxy: Proxy;
let server: TestServer;

beforeEach(async () => {
  // The clock by which results are two seconds old.
  vi.useFakeTimers({ toFake: ['performance'] });
  database = await createTestDatabase();
  const url = new URL(database.url);
  const { host, port } = Object.fromEntries(url.searchParams);
  proxy = await startProxy({ path: `${host}/.s.PGSQL.${port}` });
  const { username, password, pathname } = url;
  const address = `postgres://${username}:${password}@127.0.0.1:${proxy.port}${pathname}?sslmode=disable`;
  server = await startTestServer({
    env: { DATABASE_URL: address },
    // The system of the tests may forbid isolation, which adds a warning.
    overrides: { findIsolation: () => Promise.resolve('full') },
  });
});

afterEach(async () => {
  vi.useRealTimers();
  proxy.resume();
  await server.close();
  await proxy.close();
  await database.drop();
});

const readiness = async () => {
  const { status, body } = await server.visitor().get('/api/health/ready');
  return [status, body];
};
const nextReadiness = () => {
  vi.advanceTimersByTime(2_000);
  return readiness();
};
const READY = [
  200,
  { status: 'ready', dependencies: { database: 'up', storage: 'up', jobs: 'up' }, warnings: [] },
];

describe('GET /api/health/ready', () => {
  it('checks at most once in two seconds, however often it is asked', async () => {
    const before = proxy.accepted();
    await Promise.all(Array.from({ length: 20 }, readiness));
    await readiness();
    // The check opens one connection; the others are the pool's.
    expect(proxy.accepted() - before).toBeLessThanOrEqual(2);
  });

  it('responds with 503 while the server drains', async () => {
    server.drain();
    expect(await readiness()).toMatchObject([503, { status: 'draining' }]);
  });

  it('warns once in the log, and in the answer, that the system does not isolate the image decoder', async () => {
    const lines: string[] = [];
    const other = await startTestServer({
      overrides: {
        findIsolation: (hiddenFolders) => findIsolation(hiddenFolders, { path: '/var/empty' }),
        logger: pino({ level: 'warn' }, { write: (line: string) => void lines.push(line) }),
      },
    });
    const warning =
      'The image decoder runs without isolation: this system does not allow namespaces, or unshare or setpriv is missing.';
    for (let time = 0; time < 2; time++)
      expect((await other.visitor().get('/api/health/ready')).body).toMatchObject({
        status: 'ready',
        warnings: [warning],
      });
    expect(lines.filter((line) => line.includes(warning))).toHaveLength(1);
  });

  it('tells only its status to other machines, unless they have the token', async () => {
    const token = 'a token of the monitoring, of this length';
    const other = await startTestServer({ env: { HEALTH_TOKEN: token } });
    const ask = async (headers: Record<string, string>) =>
      (await other.visitor().get('/api/health/ready', { 'X-Forwarded-For': '203.0.113.7', ...headers })).body;
    expect(await ask({})).toEqual({ status: 'ready' });
    expect(await ask({ Authorization: `Bearer ${token.slice(1)}` })).toEqual({ status: 'ready' });
    expect(await ask({ Authorization: `Bearer ${token}` })).toHaveProperty('dependencies');
    expect((await other.visitor().get('/api/health/ready')).body).toHaveProperty('dependencies');
  });

  it('responds with 503 while Postgres rejects new connections, though open ones still work', async () => {
    await expect.poll(nextReadiness).toEqual(READY);
    proxy.stallNew();
    await expect
      .poll(nextReadiness)
      .toMatchObject([
        503,
        { status: 'unavailable', dependencies: { database: 'down', storage: 'up', jobs: 'up' } },
      ]);
    proxy.resume();
    await expect.poll(nextReadiness).toEqual(READY);
  });

  it('responds with 503 while Postgres does not answer, and the process stays alive', async () => {
    proxy.stall();
    await expect
      .poll(nextReadiness)
      .toMatchObject([
        503,
        { status: 'unavailable', dependencies: { database: 'down', storage: 'up', jobs: 'down' } },
      ]);
    expect((await server.visitor().get('/api/health')).status).toBe(200);
    proxy.resume();
    await expect.poll(nextReadiness).toEqual(READY);
  });
});
