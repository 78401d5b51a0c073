import { EventEmitter, once } from 'node:events';
import pg from 'pg';
import { afterEach, expect, it } from 'vitest';
import type { TestClient } from '../../../../testing/clients/test-client.ts';
import { addMemory } from '../../../../testing/data/factories.ts';
import { startTestServer, type TestServer } from '../../../../testing/test-server.ts';
import { waitForBlockedConnection } from '../../../../testing/timing/lock-waits.ts';

const BLOCKED = `select from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()`;

const open: pg.Client[] = [];
afterEach(async () => {
  for (const client of open.splice(0)) await client.end();
});

it('an account’s changes that wait for a lock leave connections for other accounts, and are all made', async () => {
  const server = await startTestServer();
  const [eager, other] = [await signUpWithMemory(server), await server.signUp()];
  const lock = await lockUsers(server, [eager.userId]);

  const changes = Array.from({ length: 20 }, () => eager.edit());
  await waitForBlockedConnection(server.databaseUrl, 4);
  expect(await statusesOf(20, () => other.get('/api/pets'))).toEqual(Array(20).fill(200));
  expect((await lock.query(BLOCKED)).rowCount).toBe(4);
  await lock.query('commit');
  expect((await Promise.all(changes)).map(({ status }) => status)).toEqual(Array(20).fill(200));
});

it('several accounts, whose changes wait for a lock, leave connections for another one', async () => {
  const server = await startTestServer();
  const eager = [];
  for (const _ of [1, 2, 3, 4]) eager.push(await signUpWithMemory(server));
  const other = await server.signUp();
  const lock = await lockUsers(
    server,
    eager.map(({ userId }) => userId),
  );

  const changes: ReturnType<TestClient['get']>[] = [];
  // The first account has four, each further one has its first.
  for (const [index, { edit }] of eager.entries()) {
    changes.push(...Array.from({ length: 10 }, edit));
    await waitForBlockedConnection(server.databaseUrl, 4 + index);
  }
  expect(await statusesOf(20, () => other.get('/api/pets'))).toEqual(Array(20).fill(200));
  expect((await lock.query(BLOCKED)).rowCount).toBe(7);
  await lock.query('commit');
  expect((await Promise.all(changes)).map(({ status }) => status)).toEqual(Array(40).fill(200));
});

it('an account for which too many requests wait gets 429, and no other account', async () => {
  const server = await startTestServer();
  const [eager, other] = [await signUpWithMemory(server), await server.signUp()];
  const lock = await lockUsers(server, [eager.userId]);
  const changes = Array.from({ length: 4 }, () => eager.edit());
  await waitForBlockedConnection(server.databaseUrl, 4);

  const isRejected = new EventEmitter();
  const rejected: (string | null)[] = [];
  const reads = Array.from({ length: 230 }, async () => {
    const { status, headers } = await eager.get('/api/memories/stats');
    if (status === 429) isRejected.emit('rejected', rejected.push(headers.get('Retry-After')));
    return status;
  });
  while (rejected.length < 30) await once(isRejected, 'rejected');
  expect(await statusesOf(10, () => other.get('/api/pets'))).toEqual(Array(10).fill(200));
  await lock.query('commit');
  expect((await Promise.all(reads)).filter((status) => status === 200)).toHaveLength(200);
  expect(rejected).toEqual(Array(30).fill('5'));
  expect((await Promise.all(changes)).map(({ status }) => status)).toEqual(Array(4).fill(200));
});

async function signUpWithMemory(server: TestServer) {
  const client = await server.signUp();
  const { id } = await addMemory(client);
  const edit = () => client.request('PATCH', `/api/memories/${id}`, { json: { caption: 'x' } });
  const get = (path: string) => client.get(path);
  return { userId: client.userId, get, edit };
}

async function lockUsers(server: TestServer, ids: string[]): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: server.databaseUrl });
  await client.connect();
  open.push(client);
  await client.query('begin');
  await client.query('select from users where id = any($1) order by id for no key update', [ids]);
  return client;
}

async function statusesOf(count: number, ask: () => ReturnType<TestClient['get']>): Promise<number[]> {
  const responses = await Promise.all(Array.from({ length: count }, ask));
  return responses.map(({ status }) => status);
}
