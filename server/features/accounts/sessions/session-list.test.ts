import type pg from 'pg';
import { describe, expect, it, vi } from 'vitest';
import type { UserSession } from '#shared/accounts/session';
import { openEventStream } from '../../../testing/clients/event-stream.ts';
import type { TestClient } from '../../../testing/clients/test-client.ts';
import { startTestServer } from '../../../testing/test-server.ts';

const FIREFOX = 'Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:140.0) Gecko/20100101 Firefox/140.0';
const IPHONE =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 Version/18.5 Mobile/15E148 Safari/604.1';

let now = new Date();

const server = await startTestServer({ env: { TRUST_PROXY: '1' }, overrides: { clock: { now: () => now } } });

const sql = (text: string) => server.context.db.execute(text);
const list = async (client: TestClient) => (await client.get('/api/sessions')).body as UserSession[];
const toSid = (client: TestClient) =>
  decodeURIComponent(client.cookie()).replace('mems.sid=s:', '').split('.')[0] ?? '';
const isAlive = async (client: TestClient) => (await client.get('/api/user')).status === 200;

async function signIn(name: string, headers: Record<string, string> = {}): Promise<TestClient> {
  const client = server.visitor();
  const login = { email: `${name}@mems.example`, password: 'correct horse' };
  expect((await client.post('/api/login', login, headers)).status).toBe(200);
  return client;
}

describe('GET /api/sessions', () => {
  it('lists the devices of the user in words, with their networks, but not their credentials', async () => {
    const phone = await server.signUp('lister');
    const laptop = await signIn('lister', { 'User-Agent': FIREFOX, 'X-Forwarded-For': '203.0.113.77' });
    const sessions = await list(laptop);
    expect(sessions).toHaveLength(2);
    expect(sessions.find(({ isCurrent }) => isCurrent)).toMatchObject({
      device: 'Firefox on Windows',
      network: '203.0.113.0/24',
      lastSeenAt: now.toISOString(),
    });
    expect(JSON.stringify(sessions)).not.toContain(toSid(phone));
  });

  it('says when and where a device was last used, at most every ten minutes', async () => {
    await server.signUp('mover');
    const client = await signIn('mover', { 'User-Agent': IPHONE, 'X-Forwarded-For': '203.0.113.77' });
    const signedInAt = now;
    const moved = { 'User-Agent': IPHONE, 'X-Forwarded-For': '198.51.100.9' };
    const current = async () => (await list(client)).find(({ isCurrent }) => isCurrent);
    now = new Date(now.getTime() + 9 * 60 * 1000);
    await client.get('/api/user', moved);
    expect(await current()).toMatchObject({
      network: '203.0.113.0/24',
      lastSeenAt: signedInAt.toISOString(),
    });
    now = new Date(now.getTime() + 60 * 1000);
    await client.get('/api/user', moved);
    expect(await current()).toMatchObject({
      device: 'Safari on iPhone',
      network: '198.51.100.0/24',
      lastSeenAt: now.toISOString(),
    });
  });

  it('leaves one query per request', async () => {
    const client = await server.signUp('counted');
    // The first use in ten minutes is stored.
    await client.get('/api/user');
    const { $client: pool } = server.context.db as unknown as { $client: pg.Pool };
    const query = vi.spyOn(pool, 'query');
    const counts: number[] = [];
    for (let n = 0; n < 5; n++) {
      query.mockClear();
      await client.get('/api/user');
      counts.push(query.mock.calls.length);
    }
    query.mockRestore();
    // The server's own timers may add queries of theirs.
    expect(Math.min(...counts)).toBe(1);
  });
});

describe('DELETE /api/sessions/:id', () => {
  it('ends a session with its open event streams', async () => {
    const other = await server.signUp('ender');
    const client = await signIn('ender');
    const stream = await openEventStream(other, server.origin);
    const found = (await list(client)).find(({ isCurrent }) => !isCurrent);
    expect((await client.request('DELETE', `/api/sessions/${found?.id}`)).status).toBe(204);
    expect(await stream.next()).toEqual({ event: 'end', data: {} });
    expect(await stream.next()).toBeNull();
    expect([await isAlive(other), await isAlive(client)]).toEqual([false, true]);
    expect(await list(client)).toHaveLength(1);
    expect((await client.request('DELETE', `/api/sessions/${found?.id}`)).status).toBe(404);
  });

  it("responds with 404 to another user's session, which lives on", async () => {
    const owner = await server.signUp('owner');
    const thief = await server.signUp('thief');
    const [session] = await list(owner);
    expect((await thief.request('DELETE', `/api/sessions/${session?.id}`)).status).toBe(404);
    expect((await thief.request('DELETE', '/api/sessions')).status).toBe(204);
    expect(await isAlive(owner)).toBe(true);
  });

  it('ends it once for two requests at once', async () => {
    const other = await server.signUp('twice');
    const client = await signIn('twice');
    const found = (await list(client)).find(({ isCurrent }) => !isCurrent);
    const end = () => client.request('DELETE', `/api/sessions/${found?.id}`);
    const statuses = (await Promise.all([end(), end()])).map(({ status }) => status);
    expect(statuses.sort()).toEqual([204, 404]);
    expect(await isAlive(other)).toBe(false);
  });
});

describe('DELETE /api/sessions', () => {
  it('ends all sessions of the user but this one', async () => {
    const first = await server.signUp('many');
    const second = await signIn('many');
    const client = await signIn('many');
    expect((await client.request('DELETE', '/api/sessions')).status).toBe(204);
    expect([await isAlive(first), await isAlive(second), await isAlive(client)]).toEqual([
      false,
      false,
      true,
    ]);
  });
});

describe('the hundredth-and-first session', () => {
  it('ends the one that was not used for the longest time, with its event streams', async () => {
    const unused = await server.signUp('collector');
    const used = await signIn('collector');
    await sql(
      `insert into sessions (sid, sess, expire, last_seen_at)
       select 'collected-' || n, sess, expire, now()
       from sessions, generate_series(1, 98) as n where sid = '${toSid(used)}'`,
    );
    await sql(`update sessions set last_seen_at = now() - interval '1 day' where sid = '${toSid(unused)}'`);
    const stream = await openEventStream(unused, server.origin);
    const latest = await signIn('collector');
    expect(await stream.next()).toEqual({ event: 'end', data: {} });
    expect([await isAlive(unused), await isAlive(used), await isAlive(latest)]).toEqual([false, true, true]);
    expect(await list(latest)).toHaveLength(100);
  });
});

describe('a session', () => {
  it('ends 90 days after it began, however often it was used', async () => {
    const client = await server.signUp('old');
    const age = (days: number) =>
      sql(
        `update sessions set created_at = now() - interval '${days} days' where owner_id = '${client.userId}'`,
      );
    await age(89);
    expect(await isAlive(client)).toBe(true);
    await age(91);
    expect(await isAlive(client)).toBe(false);
    const again = await signIn('old');
    expect(await list(again)).toHaveLength(1);
  });

  it('ends 30 days after its last use', async () => {
    const client = await server.signUp('unused');
    const passDays = (days: number) =>
      sql(
        `update sessions set expire = expire - interval '${days} days' where owner_id = '${client.userId}'`,
      );
    await passDays(29);
    expect(await isAlive(client)).toBe(true);
    // The store rounds up to whole seconds.
    await passDays(1.01);
    expect(await isAlive(client)).toBe(false);
  });

  it('has a cookie that ends with it', async () => {
    now = new Date();
    const client = await server.signUp('capped');
    await sql(
      `update sessions set created_at = now() - interval '88 days', sess = jsonb_set(sess, '{renewedAt}', '0')
       where owner_id = '${client.userId}'`,
    );
    const renewed = await client.get('/api/user');
    now = new Date(now.getTime() + 1000);
    const confirmed = await client.post('/api/session/proof', { password: 'correct horse' });
    for (const { headers } of [renewed, confirmed]) {
      const [cookie = ''] = headers.getSetCookie();
      const expires = new Date(/Expires=([^;]+)/.exec(cookie)?.[1] ?? '').getTime();
      const days = (expires - Date.now()) / (24 * 60 * 60 * 1000);
      expect(days).toBeGreaterThan(1.9);
      expect(days).toBeLessThan(2.1);
    }
  });
});
