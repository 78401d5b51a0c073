import pg from 'pg';
import { beforeEach, describe, expect, it } from 'vitest';
import type { TestClient } from '../../../testing/clients/test-client.ts';
import { startSmtpServer } from '../../../testing/fakes/smtp-server.ts';
import { startTestServer, type TestServer } from '../../../testing/test-server.ts';

const PER_CLIENT = 30;
const UNKNOWN_PER_HOUR = 100;
const SENT_PER_CLIENT = 5;

let server: TestServer;
let owner: TestClient & { userId: string };
let email: string;
let clients = 0;

const smtp = await startSmtpServer();
beforeEach(async () => {
  server = await startTestServer({
    env: { ...smtp.env, TRUST_PROXY: '1' },
  });
  owner = await server.signUp();
  email = ((await owner.get('/api/user')).body as { email: string }).email;
  await emailsSent();
});

const nextIp = () => `198.51.100.${++clients}`;
const forget = (address: string, ip: string, client = server.visitor()) =>
  client.post(
    '/api/password/forgot',
    { email: address },
    { 'X-Forwarded-For': ip, 'X-Forwarded-Host': 'mems.example' },
  );

async function emailsSent(): Promise<number> {
  await server.drainJobs();
  return smtp.received.splice(0).length;
}

async function countRows(table: string): Promise<number> {
  const { rows } = await server.context.db.execute<{ count: number }>(
    `select count(*)::int as count from ${table}`,
  );
  return rows[0]?.count ?? 0;
}

describe('POST /api/password/forgot', () => {
  it('is limited to 30 an hour for each client, whatever the addresses', async () => {
    const [ip, other] = [nextIp(), nextIp()];
    const responses = [];
    for (let n = 0; n <= PER_CLIENT; n++) responses.push((await forget(`a${n}@mems.example`, ip)).status);
    expect(responses).toEqual([...Array<number>(PER_CLIENT).fill(202), 429]);
    expect((await forget(email, other)).status).toBe(202);
  });

  it('leaves no row and no job for unknown addresses beyond a hundred an hour, and answers alike', async () => {
    const responses = [];
    for (let n = 0; n < UNKNOWN_PER_HOUR; n++)
      responses.push(await forget(`a${n}@mems.example`, `203.0.113.${Math.floor(n / SENT_PER_CLIENT)}`));
    const known = await forget(email, nextIp());
    const ip = nextIp();
    responses.push(await forget('b@mems.example', ip));
    const [rows, jobs] = [await countRows('rate_limits'), await countRows('pgboss.job')];
    for (const name of ['c', 'd', 'e']) responses.push(await forget(`${name}@mems.example`, ip));
    expect([await countRows('rate_limits'), await countRows('pgboss.job')]).toEqual([rows, jobs]);
    expect(known.status).toBe(202);
    for (const { status, text } of responses) expect([status, text]).toEqual([202, known.text]);
  });

  it('wakes the workers beyond a limit, too, since a commit that does takes longer', async () => {
    const listener = new pg.Client({ connectionString: server.databaseUrl });
    await listener.connect();
    const notices: (string | undefined)[] = [];
    listener.on('notification', ({ payload }) => notices.push(payload));
    await listener.query('listen jobs');
    const [ip, other] = [nextIp(), nextIp()];
    for (let n = 0; n < SENT_PER_CLIENT; n++)
      for (const address of [email, 'a@mems.example']) await forget(address, n % 2 ? ip : other);
    for (let n = 0; n < SENT_PER_CLIENT; n++) await forget('a@mems.example', ip);
    // Its answer comes after the notices of earlier commits.
    await listener.query('select 1');
    await listener.end();
    expect(notices).toEqual(Array(3 * SENT_PER_CLIENT).fill('send-account-email'));
  });

  it('sends the owner a link although strangers have asked for many', async () => {
    for (let stranger = 0; stranger < 3; stranger++) {
      const ip = nextIp();
      for (let n = 0; n < PER_CLIENT; n++) expect((await forget(email, ip)).status).toBe(202);
    }
    expect(await emailsSent()).toBe(3 * SENT_PER_CLIENT);
    expect((await forget(email, nextIp())).status).toBe(202);
    expect(await emailsSent()).toBe(1);
  });

  it('sends no flood of links that many clients ask for, and still one to a browser that the account knows', async () => {
    for (let stranger = 0; stranger < 30; stranger++) await forget(email, nextIp());
    expect(await emailsSent()).toBe(4 * SENT_PER_CLIENT);
    expect((await forget(email, nextIp(), owner)).status).toBe(202);
    expect(await emailsSent()).toBe(1);
  });
});
