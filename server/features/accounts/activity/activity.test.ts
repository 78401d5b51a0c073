import { describe, expect, it } from 'vitest';
import type { Activity } from '#shared/accounts/activity';
import type { TestClient } from '../../../testing/clients/test-client.ts';
import { startTestServer } from '../../../testing/test-server.ts';
import { purgeExpiredRowsJob } from '../../../app/purge-expired-rows-job.ts';

const FIREFOX = 'Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:140.0) Gecko/20100101 Firefox/140.0';

let now = new Date();

const server = await startTestServer({
  env: { TRUST_PROXY: '1', LOGIN_FAILURES_PER_ACCOUNT: '1000', LOGIN_ATTEMPTS_PER_ADDRESS: '1000' },
  overrides: { clock: { now: () => now } },
});

const activity = async (client: TestClient) => (await client.get('/api/user/activity')).body as Activity[];
const kinds = async (client: TestClient) => (await activity(client)).map(({ kind }) => kind);
const guess = (email: string, address: string) =>
  server.visitor().post('/api/login', { email, password: 'a guess' }, { 'X-Forwarded-For': address });

describe('GET /api/user/activity', () => {
  it('lists what happened, the latest first, with device and network', async () => {
    await server.signUp('owner');
    await guess('owner@mems.example', '198.51.100.7');
    now = new Date(now.getTime() + 1000);
    const client = server.visitor();
    const headers = { 'User-Agent': FIREFOX, 'X-Forwarded-For': '203.0.113.77' };
    await client.post('/api/login', { email: 'owner@mems.example', password: 'correct horse' }, headers);
    now = new Date(now.getTime() + 1000);
    const json = { currentPassword: 'correct horse', password: 'a better horse' };
    await client.request('PATCH', '/api/user/password', { json });
    expect(await activity(client)).toMatchObject([
      { kind: 'password-changed', isByAdmin: false },
      { kind: 'signed-in', device: 'Firefox on Windows', network: '203.0.113.0/24' },
      { kind: 'wrong-password', network: '198.51.100.0/24' },
      { kind: 'registered' },
    ]);
  });

  it("has nothing of other users, and an administrator's acts without their device", async () => {
    const admin = await server.signUpAdmin('keeper');
    const client = await server.signUp('member');
    await admin.post(`/api/admin/users/${client.userId}/password-reset`);
    const [latest] = await activity(client);
    expect(latest).toMatchObject({
      kind: 'reset-link-created',
      isByAdmin: true,
      device: null,
      network: null,
    });
    expect(await kinds(admin)).toEqual(['registered']);
  });

  it('shows the device of a stranger who is signed in to another account', async () => {
    const stranger = await server.signUp('stranger');
    await server.signUp('neighbour');
    await stranger.post('/api/login', { email: 'neighbour@mems.example', password: 'wrong one' });
    const owner = server.visitor();
    await owner.post('/api/login', { email: 'neighbour@mems.example', password: 'correct horse' });
    const wrong = (await activity(owner)).find(({ kind }) => kind === 'wrong-password');
    expect(wrong).toMatchObject({ isByAdmin: false, network: '127.0.0.0/24' });
  });

  it('is not pushed out by the wrong passwords of strangers', async () => {
    const client = await server.signUp('target');
    for (let n = 0; n < 30; n++) await guess('target@mems.example', `198.51.100.${n}`);
    const found = await kinds(client);
    expect(found.filter((kind) => kind === 'wrong-password')).toHaveLength(20);
    expect(found).toContain('registered');
  });

  it('forgets after 90 days, and with the account', async () => {
    const client = await server.signUp('leaver');
    expect(await kinds(client)).toEqual(['registered']);
    const count = async () =>
      (await server.context.db.execute(`select from account_activity where owner_id = '${client.userId}'`))
        .rowCount;
    const before = now;
    now = new Date(now.getTime() + 89 * 24 * 60 * 60 * 1000);
    await purgeExpiredRowsJob.handle(server.context, {});
    expect(await count()).toBe(1);
    now = new Date(now.getTime() + 2 * 24 * 60 * 60 * 1000);
    await purgeExpiredRowsJob.handle(server.context, {});
    expect(await count()).toBe(0);
    now = before;
    await server.visitor().post('/api/password/forgot', { email: 'leaver@mems.example' });
    await server.context.db.execute(`delete from users where id = '${client.userId}'`);
    // An event of the deleted account is waiting, and does not lose those of others.
    const other = await server.signUp('stayer');
    expect(await kinds(other)).toEqual(['registered']);
    expect(await count()).toBe(0);
  });

  it('fails no request while it cannot be stored', async () => {
    const client = await server.signUp('unstored');
    await kinds(client);
    await server.context.db.execute('alter table account_activity rename to elsewhere');
    const login = { email: 'unstored@mems.example', password: 'correct horse' };
    expect((await server.visitor().post('/api/login', login)).status).toBe(200);
    expect((await client.get('/api/user/activity')).status).toBe(500);
    await server.context.db.execute('alter table elsewhere rename to account_activity');
    expect(await kinds(client)).toEqual(['registered']);
  });
});
