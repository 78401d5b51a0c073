import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';
import { beforeAll, describe, expect, it, vi } from 'vitest';
import { openDatabase } from '../../platform/db/database.ts';
import { UnavailableError } from '../../platform/errors.ts';
import { createLogger } from '../../platform/logger.ts';
import { createTestClient } from '../../testing/test-client.ts';
import { startTestServer, type TestServer } from '../../testing/test-server.ts';
import { isPasswordRight } from '../users/password.ts';
import { createPasswordResetLink } from '../users/password-reset-link.ts';
import { createSessionStore } from './session-store.ts';

let server: TestServer;
let now = new Date('2026-06-01T12:00:00Z');

beforeAll(async () => {
  server = await startTestServer({ overrides: { clock: { now: () => now } } });
});

const NO_DATABASE = 'postgres://unknown@localhost/mems?host=/nowhere/at/all';

const account = (name: string) => ({
  email: `${name}@mems.example`,
  username: name,
  password: 'correct horse',
});

async function sql(text: string, values: unknown[] = []): Promise<Record<string, unknown>[]> {
  const client = new pg.Client({ connectionString: server.databaseUrl });
  await client.connect();
  const { rows } = await client.query<Record<string, unknown>>(text, values);
  await client.end();
  return rows;
}

async function waitingQueries(client: pg.Client): Promise<number> {
  const { rows } = await client.query<{ count: number }>(
    `select count(*)::int from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
  );
  return rows[0]?.count ?? 0;
}

describe('the limits of new accounts', () => {
  it.each([
    { REGISTRATIONS_PER_ADDRESS: '3' },
    { REGISTRATIONS_PER_ADDRESS: '100', REGISTRATIONS_PER_DAY: '3' },
  ])('refuse the fourth attempt with %o, also of concurrent ones', async (env) => {
    const limited = await startTestServer({ env });
    const attempts = ['ada', 'ada', 'bea', 'cleo', 'dora'].map((name, n) =>
      limited.visitor().post('/api/register', { ...account(name), username: `${name}${n}` }),
    );
    const statuses = (await Promise.all(attempts)).map(({ status }) => status);
    expect(statuses.filter((status) => status === 429)).toHaveLength(2);
    const last = await limited.visitor().post('/api/register', account('eve'));
    expect(last.body).toMatchObject({ message: expect.stringMatching(/^Too many new accounts\./) as string });
    expect(last.headers.get('Retry-After')).not.toBeNull();
    // Signing in still works.
    const created = statuses.indexOf(201);
    const { email, password } = account(['ada', 'ada', 'bea', 'cleo', 'dora'][created] ?? '');
    expect((await limited.visitor().post('/api/login', { email, password })).status).toBe(200);
  });
});

describe('a sign-in while very many passwords are checked', () => {
  it('is 503, and counts as no guess', async () => {
    const limit = 5;
    const busy = await startTestServer({ env: { LOGIN_ATTEMPTS_PER_ACCOUNT: String(limit) } });
    await busy.signUp('ada');
    const guess = () =>
      busy.visitor().post('/api/login', { email: 'ada@mems.example', password: 'wrong password' });
    let isOver = false;
    // As other requests would.
    const others = Array.from({ length: 100 }, async () => {
      while (!isOver) await isPasswordRight(null, 'wrong').catch(() => pause(1));
    });
    const statuses: number[] = [];
    let refused = await guess();
    // One may be checked in the moment after another was.
    for (; refused.status === 401 && statuses.length < limit; refused = await guess()) statuses.push(401);
    isOver = true;
    await Promise.all(others);
    expect(refused.status).toBe(503);
    expect(refused.headers.get('Retry-After')).toBe('5');
    while (statuses.length < limit) statuses.push((await guess()).status);
    expect(statuses).toEqual(Array(limit).fill(401));
    expect((await guess()).status).toBe(429);
  });
});

describe('POST /api/register', () => {
  it('creates the user and signs them in', async () => {
    const visitor = server.visitor();
    const response = await visitor.post('/api/register', {
      ...account('ada'),
      firstName: 'Ada',
      lastName: ' ',
    });
    expect(response.status).toBe(201);
    expect(response.body).toMatchObject({
      email: 'ada@mems.example',
      username: 'ada',
      firstName: 'Ada',
      lastName: null,
      phoneNumber: null,
      phoneVerified: false,
      emailVerified: true,
      isAdmin: true,
      inboundEmail: expect.stringMatching(/^[0-9a-f]{24}@in\.mems\.localhost$/) as string,
    });
    expect(response.text).not.toContain('argon2');
    expect((await visitor.get('/api/user')).body).toEqual(response.body);
  });

  it('sets an HttpOnly, SameSite cookie', async () => {
    const response = await server.visitor().post('/api/register', account('cookie'));
    const [cookie] = response.headers.getSetCookie();
    expect(cookie).toMatch(/^mems\.sid=/);
    expect(cookie).toMatch(/; HttpOnly/);
    expect(cookie).toMatch(/; SameSite=Lax/);
    expect(cookie).not.toMatch(/; Secure/);
  });

  it('stores the password as argon2id', async () => {
    await server.visitor().post('/api/register', account('hashed'));
    const [row] = await sql(`select password_hash from users where username = 'hashed'`);
    expect(row?.['password_hash']).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
  });

  it('names taken fields, case-insensitively', async () => {
    await server.visitor().post('/api/register', account('taken'));
    const response = await server
      .visitor()
      .post('/api/register', { email: 'TAKEN@mems.example', username: 'Taken', password: 'correct horse' });
    expect(response.status).toBe(409);
    expect(Object.keys((response.body as { fields: object }).fields)).toEqual(['email', 'username']);
  });

  it('creates one user for concurrent identical requests', async () => {
    const answers = await Promise.all(
      Array.from({ length: 8 }, () => server.visitor().post('/api/register', account('twice'))),
    );
    expect(answers.map((each) => each.status).sort()).toEqual([201, 409, 409, 409, 409, 409, 409, 409]);
    expect(await sql(`select id from users where username = 'twice'`)).toHaveLength(1);
  });

  it('names every invalid field, with the form’s messages', async () => {
    const response = await server
      .visitor()
      .post('/api/register', { email: 'unknown', username: 'ab', password: '12345' });
    expect(response.status).toBe(422);
    expect((response.body as { fields: object }).fields).toEqual({
      email: 'Please enter a valid email address',
      username: 'Username must be at least 3 characters',
      password: 'Password must be at least 6 characters',
    });
  });

  it('names fields that are missing or have another type', async () => {
    const response = await server.visitor().post('/api/register', { email: 1, username: null });
    expect(response.status).toBe(422);
    expect((response.body as { fields: object }).fields).toEqual({
      email: 'Please enter a valid email address',
      username: 'Username must be at least 3 characters',
      password: 'Password must be at least 6 characters',
    });
  });
});

describe('POST /api/login', () => {
  it('signs in by email, case-insensitively', async () => {
    await server.visitor().post('/api/register', account('grace'));
    const visitor = server.visitor();
    const response = await visitor.post('/api/login', {
      email: 'Grace@MEMS.example',
      password: 'correct horse',
    });
    expect(response.status).toBe(200);
    expect(response.body).toMatchObject({ username: 'grace' });
    expect((await visitor.get('/api/user')).status).toBe(200);
  });

  it('responds alike to a wrong password and an unknown email', async () => {
    await server.visitor().post('/api/register', account('known'));
    const wrong = await server
      .visitor()
      .post('/api/login', { email: 'known@mems.example', password: 'wrong one' });
    const unknown = await server
      .visitor()
      .post('/api/login', { email: 'unknown@mems.example', password: 'wrong one' });
    expect([wrong.status, wrong.body]).toEqual([401, { message: 'Invalid email or password' }]);
    expect([unknown.status, unknown.body]).toEqual([401, { message: 'Invalid email or password' }]);
  });

  it('regenerates the session id, against session fixation', async () => {
    await server.visitor().post('/api/register', account('fixed'));
    const visitor = server.visitor();
    await visitor.post('/api/login', { email: 'fixed@mems.example', password: 'correct horse' });
    const before = visitor.cookie();
    await visitor.post('/api/login', { email: 'fixed@mems.example', password: 'correct horse' });
    expect(visitor.cookie()).not.toBe(before);
    const old = server.visitor();
    old.setCookie(before);
    expect((await old.get('/api/user')).status).toBe(401);
  });

  it('limits wrong passwords to ten, also with a forged X-Forwarded-For, with Retry-After', async () => {
    await server.visitor().post('/api/register', account('guessed'));
    const guess = (attempt: number) =>
      server
        .visitor()
        .post(
          '/api/login',
          { email: 'Guessed@mems.example', password: `guess ${attempt}` },
          { 'X-Forwarded-For': `10.0.0.${attempt}` },
        );
    const answers = await Promise.all(Array.from({ length: 14 }, (_, attempt) => guess(attempt)));
    expect(answers.map((each) => each.status).sort()).toEqual([
      ...Array<number>(10).fill(401),
      429,
      429,
      429,
      429,
    ]);
    const refused = answers.find((each) => each.status === 429);
    expect(Number(refused?.headers.get('Retry-After'))).toBeGreaterThan(0);
    expect(refused?.body).toMatchObject({ message: expect.stringContaining('Too many attempts') as string });
    const right = await server
      .visitor()
      .post('/api/login', { email: 'guessed@mems.example', password: 'correct horse' });
    expect(right.status).toBe(429);
  });

  it('does not count right passwords', async () => {
    await server.visitor().post('/api/register', account('often'));
    for (let attempt = 0; attempt < 12; attempt++) {
      const response = await server
        .visitor()
        .post('/api/login', { email: 'often@mems.example', password: 'correct horse' });
      expect(response.status).toBe(200);
    }
  });
});

describe('GET /api/login', () => {
  it('redirects to the sign-in screen', async () => {
    const response = await server.visitor().get('/api/login');
    expect([response.status, response.headers.get('Location')]).toEqual([302, '/auth']);
  });
});

describe('GET /api/user', () => {
  it('is 401 without a cookie and with an invalid or forged one', async () => {
    for (const cookie of ['', 'mems.sid=nonsense', 'mems.sid=s%3Aabc.def']) {
      const client = server.visitor();
      client.setCookie(cookie);
      const response = await client.get('/api/user');
      expect([response.status, response.body]).toEqual([401, { message: 'Unauthorized' }]);
    }
  });

  it('stores the browser’s time zone, if it is valid', async () => {
    const client = await server.signUp('zoned');
    const zone = async () =>
      (await sql(`select time_zone from users where id = $1`, [client.userId]))[0]?.['time_zone'];
    await client.get('/api/user', { 'X-Time-Zone': 'Pacific/Auckland' });
    expect(await zone()).toBe('Pacific/Auckland');
    await client.get('/api/user', { 'X-Time-Zone': 'Mars/Olympus' });
    await client.get('/api/user', { 'X-Time-Zone': "x'; drop table users" });
    expect(await zone()).toBe('Pacific/Auckland');
  });
});

describe('POST /api/logout', () => {
  it('deletes the session and clears cached images', async () => {
    const client = await server.signUp('leaver');
    const cookie = client.cookie();
    const response = await client.post('/api/logout');
    expect(response.status).toBe(204);
    expect(response.headers.get('Clear-Site-Data')).toBe('"cache"');
    expect(client.cookie()).toBe('');
    const thief = createTestClient(server.origin);
    thief.setCookie(cookie);
    expect((await thief.get('/api/user')).status).toBe(401);
    expect(await sql(`select sid from sessions where owner_id = $1`, [client.userId])).toHaveLength(0);
  });

  it('succeeds without a session', async () => {
    expect((await server.visitor().post('/api/logout')).status).toBe(204);
  });
});

describe('a session', () => {
  it('is extended by 30 days once a day, and never by requests for images or events', async () => {
    now = new Date();
    const client = await server.signUp('daily');
    const expiry = async () =>
      (await sql(`select expire from sessions where owner_id = $1`, [client.userId]))[0]?.['expire'];
    const atFirst = await expiry();
    const soon = await client.get('/api/user');
    expect(soon.headers.getSetCookie()).toEqual([]);
    expect(await expiry()).toEqual(atFirst);

    now = new Date(now.getTime() + 25 * 60 * 60 * 1000);
    const picture = await client.get(`/objects/${client.userId}`);
    expect([picture.status, picture.headers.getSetCookie()]).toEqual([404, []]);
    const events = await client.request('HEAD', '/api/events');
    expect([events.status, events.headers.getSetCookie()]).toEqual([200, []]);
    expect(await expiry()).toEqual(atFirst);
    const nextDay = await client.get('/api/user');
    expect(nextDay.headers.getSetCookie()).toHaveLength(1);
    expect((await client.get('/api/user')).headers.getSetCookie()).toEqual([]);
  });

  it('is not recreated after a logout by a concurrent request that renews it', async () => {
    const client = await server.signUp('racer');
    await sql(`update sessions set sess = jsonb_set(sess, '{renewedAt}', '0') where owner_id = $1`, [
      client.userId,
    ]);
    const holder = new pg.Client({ connectionString: server.databaseUrl });
    await holder.connect();
    await holder.query('begin');
    await holder.query('select 1 from users where id = $1 for update', [client.userId]);
    // Its session is loaded and due for renewal; then it waits for the lock on the user's row.
    const underWay = client.get('/api/user', { 'X-Time-Zone': 'Asia/Tokyo' });
    await vi.waitUntil(async () => (await waitingQueries(holder)) > 0, { timeout: 20_000 });
    const other = createTestClient(server.origin);
    other.setCookie(client.cookie());
    expect((await other.post('/api/logout')).status).toBe(204);
    await holder.query('rollback');
    await holder.end();
    await underWay;
    expect((await client.get('/api/user')).status).toBe(401);
    expect(await sql(`select sid from sessions where owner_id = $1`, [client.userId])).toHaveLength(0);
  });

  it('ends with the password that was checked for it, also when a reset comes first', async () => {
    const { userId } = await server.signUp('reset-midway');
    const { email, password } = account('reset-midway');
    const late = server.visitor();
    // The failure leaves the row on which the next sign-in waits, after it has read the user.
    expect((await late.post('/api/login', { email, password: 'wrong one' })).status).toBe(401);
    const holder = new pg.Client({ connectionString: server.databaseUrl });
    await holder.connect();
    await holder.query('begin');
    await holder.query(`select 1 from rate_limits where key like 'loginFailuresPerAccount:%' for update`);
    const signIn = late.post('/api/login', { email, password });
    await vi.waitUntil(async () => (await waitingQueries(holder)) > 0, { timeout: 20_000 });
    const token = (await createPasswordResetLink(server.context, userId)).url.split('#')[1];
    const reset = await server.visitor().post('/api/password/reset', { token, password: 'a better horse' });
    expect(reset.status).toBe(200);
    await holder.query('rollback');
    await holder.end();
    await signIn;
    expect((await late.get('/api/user')).status).toBe(401);
    expect((await late.post('/api/login', { email, password: 'a better horse' })).status).toBe(200);
    expect((await late.get('/api/user')).status).toBe(200);
  });

  it('stays through its own change of the password, also while it is renewed', async () => {
    const client = await server.signUp('changer');
    const change = (currentPassword: string, password: string) =>
      client.request('PATCH', '/api/user/password', { json: { currentPassword, password } });
    const overdue = `update sessions set sess = jsonb_set(sess, '{renewedAt}', '0') where owner_id = $1`;
    await sql(overdue, [client.userId]);
    const changed = await change('correct horse', 'a better horse');
    expect([changed.status, changed.headers.getSetCookie()]).toEqual([204, [expect.any(String)]]);
    expect((await client.get('/api/user')).status).toBe(200);
    await sql(overdue, [client.userId]);
    expect((await client.get('/api/user')).headers.getSetCookie()).toHaveLength(1);
    expect((await client.get('/api/user')).status).toBe(200);
  });

  it('of an earlier release, without a digest of the password, stays valid until the password changes', async () => {
    const client = await server.signUp('earlier');
    await sql(`update sessions set sess = sess - 'passwordDigest' where owner_id = $1`, [client.userId]);
    expect((await client.get('/api/user')).status).toBe(200);
    const json = { currentPassword: 'correct horse', password: 'a better horse' };
    expect((await client.request('PATCH', '/api/user/password', { json })).status).toBe(204);
    expect((await client.get('/api/user')).status).toBe(200);
    await sql(`update users set password_hash = 'another' where id = $1`, [client.userId]);
    expect((await client.get('/api/user')).status).toBe(401);
  });

  it('throws UnavailableError while Postgres is down', async () => {
    const database = openDatabase({ url: NO_DATABASE, poolSize: 1, onError: () => undefined });
    const store = createSessionStore({ ...database, logger: createLogger({ logLevel: 'silent' }) });
    const error = await new Promise((resolve) => store.get('some-id', resolve));
    expect(error).toBeInstanceOf(UnavailableError);
    await database.close();
  });

  it('is deleted with its user', async () => {
    const client = await server.signUp('removed');
    await sql(`delete from users where id = $1`, [client.userId]);
    expect((await client.get('/api/user')).status).toBe(401);
    expect(await sql(`select sid from sessions where owner_id = $1`, [client.userId])).toHaveLength(0);
  });

  it('has a Secure __Host- cookie when PUBLIC_URL is https', async () => {
    const secure = await startTestServer({ env: { PUBLIC_URL: 'https://mems.example' } });
    const response = await secure.visitor().post('/api/register', account('tls'));
    expect(response.status).toBe(201);
    const [cookie] = response.headers.getSetCookie();
    expect(cookie).toMatch(/^__Host-mems\.sid=/);
    expect(cookie).toMatch(/; Path=\/;/);
    expect(cookie).toMatch(/; Secure/);
    expect(cookie).not.toMatch(/Domain/);
    expect(response.headers.get('Strict-Transport-Security')).toContain('max-age');
  });
});
