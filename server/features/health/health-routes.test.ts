import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { startProxy, type Proxy } from '../../testing/proxy.ts';
import { createTestDatabase } from '../../testing/test-database.ts';
import { startTestServer, type TestServer } from '../../testing/test-server.ts';

let database: Awaited<ReturnType<typeof createTestDatabase>>;
let proxy: Proxy;
let server: TestServer;

beforeEach(async () => {
  database = await createTestDatabase();
  const url = new URL(database.url);
  const { host, port } = Object.fromEntries(url.searchParams);
  proxy = await startProxy({ path: `${host}/.s.PGSQL.${port}` });
  const { password, pathname } = url;
  const address = `postgres://postgres:${password}@127.0.0.1:${proxy.port}${pathname}?sslmode=disable`;
  server = await startTestServer({ env: { DATABASE_URL: address } });
});

afterEach(async () => {
  proxy.resume();
  await server.close();
  await proxy.close();
  await database.drop();
});

const readiness = async () => {
  const { status, body } = await server.visitor().get('/api/health/ready');
  return [status, body];
};
const READY = [200, { status: 'ready', dependencies: { database: 'up', storage: 'up', jobs: 'up' } }];

describe('GET /api/health/ready', () => {
  it('responds with 503 while Postgres rejects new connections, though open ones still work', async () => {
    expect(await readiness()).toEqual(READY);
    proxy.stallNew();
    expect(await readiness()).toEqual([
      503,
      { status: 'unavailable', dependencies: { database: 'down', storage: 'up', jobs: 'up' } },
    ]);
    proxy.resume();
    expect(await readiness()).toEqual(READY);
  });

  it('responds with 503 while Postgres does not answer, and the process stays alive', async () => {
    proxy.stall();
    expect(await readiness()).toEqual([
      503,
      { status: 'unavailable', dependencies: { database: 'down', storage: 'up', jobs: 'down' } },
    ]);
    expect((await server.visitor().get('/api/health')).status).toBe(200);
    proxy.resume();
    await expect.poll(readiness).toEqual(READY);
  });
});
