import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, inject, it, vi } from 'vitest';
import { readOutbox } from '../testing/clients/dev-outbox.ts';
import { openEventStream } from '../testing/clients/event-stream.ts';
import { createTestClient, type TestClient } from '../testing/clients/test-client.ts';
import { addContact, addMemory } from '../testing/data/factories.ts';
import { startAppProcess, type AppProcess } from '../testing/environment/app-process.ts';
import { startLoadBalancer, type LoadBalancer } from '../testing/environment/load-balancer.ts';
import { s3Settings } from '../testing/environment/s3-settings.ts';
import { createEmptyDatabase } from '../testing/environment/test-database.ts';
import { makePhoto } from '../testing/photos/photos.ts';
import { TIMEOUT } from '../testing/timing/timeout.ts';

const PASSWORD = 'correct horse';
const OPEN_JOBS = "select count(*)::int as value from pgboss.job where state < 'completed'";
const TAKEN_JOBS = 'select count(*)::int as value from pgboss.job where started_on is not null';
const s3 = inject('s3');

describe.skipIf(!s3)('two web and two worker processes', () => {
  let database: Awaited<ReturnType<typeof createEmptyDatabase>>;
  let folder: string;
  let balancer: LoadBalancer;
  let settings: Record<string, string>;
  let webs: AppProcess[] = [];
  let workers: AppProcess[] = [];
  const addresses = Array.from({ length: 8 }, (_, n) => `aunt${n}@mems.example`);
  /** While there was no worker. */
  let before: { open: unknown; taken: unknown };

  beforeAll(async () => {
    database = await createEmptyDatabase();
    folder = await mkdtemp(join(tmpdir(), 'mems-roles-'));
    balancer = await startLoadBalancer();
    settings = {
      ...(await s3Settings(s3!)),
      DATA_DIR: folder,
      DATABASE_URL: database.url,
      DATABASE_POOL_SIZE: '4',
      SESSION_SECRET: 's'.repeat(32),
      PUBLIC_URL: balancer.origin,
      // Long enough for the load balancer to notice, however busy the machine is.
      DRAIN_SECONDS: '6',
      WRITE_BURST: '10000',
    };
    webs = await Promise.all([start('web'), start('web')]);
    for (const { origin } of webs) balancer.targets.add(origin);
    await vi.waitUntil(() => balancer.ready.size === webs.length, TIMEOUT);
    const clients = await signUpAtBoth();
    for (const [n, address] of addresses.entries()) await addContact(clients[n % 2]!, { email: address });
    before = { open: await queryOne(OPEN_JOBS), taken: await queryOne(TAKEN_JOBS) };
    workers = await Promise.all([start('worker'), start('worker')]);
  });

  afterAll(async () => {
    balancer.close();
    const codes = await Promise.all([...webs, ...workers].map((app) => app.stop()));
    await database.drop();
    await rm(folder, { recursive: true, force: true });
    expect(codes).toEqual([0, 0, 0, 0]);
  });

  function start(role: 'web' | 'worker'): Promise<AppProcess> {
    return startAppProcess({ ...settings, PROCESS_ROLE: role });
  }

  let accounts = 0;
  async function signUp(origin = balancer.origin): Promise<{ email: string; client: TestClient }> {
    const username = `person${++accounts}`;
    const client = createTestClient(origin);
    const email = `${username}@mems.example`;
    const { status } = await client.post('/api/register', { email, username, password: PASSWORD });
    expect(status).toBe(201);
    return { email, client };
  }

  /** The same session at both web processes. */
  async function signUpAtBoth(): Promise<[TestClient, TestClient]> {
    const { client } = await signUp(webs[0]!.origin);
    const other = createTestClient(webs[1]!.origin);
    other.setCookie(client.cookie());
    return [client, other];
  }

  async function queryOne(text: string): Promise<unknown> {
    const client = new pg.Client(database.url);
    await client.connect();
    const { rows } = await client.query<{ value: unknown }>(text).finally(() => client.end());
    return rows[0]?.value;
  }

  it('leave jobs to the workers, each of which is done once', async () => {
    expect(before.open).toBeGreaterThanOrEqual(addresses.length);
    expect(before.taken).toBe(0);
    await expect.poll(() => queryOne(OPEN_JOBS), TIMEOUT).toBe(0);
    const emails = await readOutbox(folder);
    expect(
      emails
        .map(({ to }) => to)
        .filter((to) => to.startsWith('aunt'))
        .sort(),
    ).toEqual(addresses);
  });

  it('workers answer only how they are', async () => {
    const statuses = await Promise.all(
      ['/api/health', '/api/health/ready', '/api/user', '/'].map(
        async (path) => (await fetch(workers[0]!.origin + path)).status,
      ),
    );
    expect(statuses).toEqual([200, 200, 404, 404]);
  });

  it('what somebody does at one is there at the other, and streams of both hear of it', async () => {
    const [first, second] = await signUpAtBoth();
    const streams = await Promise.all(
      webs.map(({ origin }, n) => openEventStream([first, second][n]!, origin)),
    );
    const photo = await makePhoto();
    const { id, imageUrl } = await addMemory(first, { photo, caption: 'First snow' });
    for (const stream of streams) expect(await stream.nextChange()).toMatchObject({ ids: [id] });
    expect((await second.get('/api/memories')).body).toMatchObject([{ id, caption: 'First snow' }]);
    expect((await second.get(imageUrl)).bytes.equals(photo)).toBe(true);
    await Promise.all(streams.map((stream) => stream.stop()));
    await first.post('/api/logout');
    expect((await second.get('/api/user')).status).toBe(401);
  });

  it('wrong passwords count at both', async () => {
    const { email } = await signUp();
    const statuses: number[] = [];
    for (let n = 0; n < 11; n++) {
      const visitor = createTestClient(webs[n % 2]!.origin);
      statuses.push((await visitor.post('/api/login', { email, password: 'wrong horse' })).status);
    }
    expect(statuses).toEqual([...Array<number>(10).fill(401), 429]);
  });

  it('are restarted one by one without a failed request', { timeout: 240_000 }, async () => {
    const { client } = await signUp();
    const { id } = await addMemory(client);
    const statuses: number[] = [];
    let isOver = false;
    const load = ['/api/memories', '/api/user', '/api/memories/stats', ''].map(async (path) => {
      for (let n = 0; !isOver; n++) {
        const response =
          path === ''
            ? await client.request('PATCH', `/api/memories/${id}`, { json: { caption: `No. ${n}` } })
            : await client.get(path);
        statuses.push(response.status);
      }
    });
    try {
      for (const [n, web] of webs.entries()) {
        expect(await web.stop()).toBe(0);
        balancer.targets.delete(web.origin);
        webs[n] = await start('web');
        balancer.targets.add(webs[n].origin);
        await expect.poll(() => balancer.ready.has(webs[n]!.origin), TIMEOUT).toBe(true);
      }
      for (const [n, worker] of workers.entries()) {
        expect(await worker.stop()).toBe(0);
        workers[n] = await start('worker');
      }
    } finally {
      isOver = true;
      await Promise.all(load);
    }
    expect(new Set(statuses)).toEqual(new Set([200]));
  });
});
