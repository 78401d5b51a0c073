import { AsyncLocalStorage } from 'node:async_hooks';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import PQueue from 'p-queue';
import pg from 'pg';
import { expect, it } from 'vitest';
import { createTestClient, type TestClient } from '../../../testing/clients/test-client.ts';
import { startSmtpServer } from '../../../testing/fakes/smtp-server.ts';
import { startTestServer } from '../../../testing/test-server.ts';

/** Of each client for one account. */
const SENT_PER_CLIENT = 5;
const CLIENTS = { known: '198.51.100.1', unknown: '198.51.100.2', others: '198.51.100.3' };
const UNKNOWN = 'unknown@mems.example';
/** Passwords are hashed in a queue. */
const HASH = 'hash';

const work = new AsyncLocalStorage<string[]>();
recordCalls(pg.Client.prototype, 'query', toKind);
recordCalls(PQueue.prototype, 'add', () => HASH);

const smtp = await startSmtpServer();
const server = await startTestServer({
  env: {
    SMTP_URL: smtp.url,
    PUBLIC_URL: 'http://mems.example',
    MAIL_FROM: 'album@mems.example',
    TRUST_PROXY: '1',
  },
});
const owner = await server.signUp();
const email = ((await owner.get('/api/user')).body as { email: string }).email;
await server.drainJobs();

function recordCalls(prototype: object, method: string, describe: (first: unknown) => string): void {
  const original = Reflect.get(prototype, method) as (...values: unknown[]) => unknown;
  Reflect.set(prototype, method, function (this: unknown, ...values: unknown[]) {
    work.getStore()?.push(describe(values[0]));
    return original.apply(this, values);
  });
}

function toKind(statement: unknown): string {
  const text = typeof statement === 'string' ? statement : (statement as { text: string }).text;
  return text.replace(/^(release|rollback to) savepoint/i, 'end savepoint');
}

/** The statements and hashes of a request until its response, in their order: what its time depends on. Not those of timers. */
async function workOf(send: (client: TestClient) => Promise<{ status: number }>, status: number) {
  const done: string[] = [];
  const http = createServer((request, response) => work.run(done, () => void server.app(request, response)));
  http.listen(0, '127.0.0.1');
  await once(http, 'listening');
  try {
    const client = createTestClient(`http://127.0.0.1:${(http.address() as AddressInfo).port}`);
    expect((await send(client)).status).toBe(status);
    // What an owner sees later is stored half a second after the response, on a busy machine before it is read.
    return done.filter((kind) => !kind.includes('account_activity'));
  } finally {
    http.closeAllConnections();
    http.close();
  }
}

const from = (ip: string) => ({ 'X-Forwarded-For': ip, 'X-Forwarded-Host': 'mems.example' });

it('a forgotten password takes the same work for each address, below and beyond each limit', async () => {
  const forget = (address: string, ip: string) =>
    workOf((client) => client.post('/api/password/forgot', { email: address }, from(ip)), 202);
  const { rateLimits } = server.context;

  const works = [];
  for (let n = 0; n <= SENT_PER_CLIENT; n++)
    works.push(await forget(email, CLIENTS.known), await forget(UNKNOWN, CLIENTS.unknown));
  await rateLimits.passwordResetPerUser.consume(owner.userId, undefined, { points: 15 });
  await rateLimits.passwordResetOfUnknown.consume('unknown', undefined, { points: 95 });
  works.push(await forget(email, CLIENTS.others), await forget(UNKNOWN, CLIENTS.others));
  const [first = []] = works;
  expect(first.length).toBeGreaterThan(8);
  for (const work of works) expect(work).toEqual(first);
});

it('a wrong password takes the same work for each address', async () => {
  const signIn = (address: string, password: string, ip: string) =>
    workOf((client) => client.post('/api/login', { email: address, password }, from(ip)), 401);
  for (const wrong of ['wrong horse', 'wröng horse']) {
    const known = await signIn(email, wrong, CLIENTS.known);
    expect(known.filter((each) => each === HASH)).toHaveLength(1);
    expect(await signIn(UNKNOWN, wrong, CLIENTS.unknown)).toEqual(known);
  }
});
