import pg from 'pg';
import { describe, expect, it } from 'vitest';
import { openDatabase } from '../../../platform/db/database.ts';
import { UnavailableError } from '../../../platform/errors.ts';
import { createLogger } from '../../../platform/logging/logger.ts';
import { createTestClient } from '../../../testing/clients/test-client.ts';
import { addPasswordResetLink } from '../../../testing/data/factories.ts';
import { startTestServer, type TestServer } from '../../../testing/test-server.ts';
import { holdLocks, holdUser, waitForBlockedConnection } from '../../../testing/timing/lock-waits.ts';
import { findHashedForm, passwordVerifications } from '../users/passwords/password.ts';
import { findUser } from '../users/user-queries.ts';
import { createSessionStore } from './session-store.ts';

let now = new Date('2026-06-01T12:00:00Z');

const server = await startTestServer({ overrides: { clock: { now: () => now } } });

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

describe('the limits of new accounts', () => {
  const NAMES = ['ada', 'bea', 'cleo', 'dora', 'ella'];
  const register = (at: TestServer, name: string, changes: object = {}) =>
    at.visitor().post('/api/register', { ...account(name), ...changes });

  it.each([
    { REGISTRATIONS_PER_ADDRESS: '3' },
    { REGISTRATIONS_PER_ADDRESS: '100', REGISTRATIONS_PER_DAY: '3' },
  ])('reject the fourth account with %o, also of concurrent ones', async (env) => {
    const limited = await startTestServer({ env });
    const responses = await Promise.all(NAMES.map((name) => register(limited, name)));
    const statuses = responses.map(({ status }) => status);
    expect([...statuses].sort()).toEqual([201, 201, 201, 429, 429]);
    const last = await register(limited, 'eve');
    expect(last.body).toMatchObject({ message: expect.stringMatching(/^Too many new accounts\./) as string });
    expect(last.headers.get('Retry-After')).not.toBeNull();
    // Signing in still works.
    const { email, password } = account(NAMES[statuses.indexOf(201)] ?? '');
    expect((await limited.visitor().post('/api/login', { email, password })).status).toBe(200);
  });

  it('count no failed attempt for the installation, also of rejected ones', async () => {
    const limited = await startTestServer({ env: { REGISTRATIONS_PER_DAY: '2' } });
    expect((await register(limited, 'ada')).status).toBe(201);
    const failed = await Promise.all([
      ...NAMES.map(() => register(limited, 'ada')),
      ...NAMES.map((name) => register(limited, name, { username: 'ada' })),
      register(limited, 'eve', { password: '123456' }),
    ]);
    expect(failed.filter(({ status }) => ![409, 422].includes(status))).toEqual([]);
    expect((await register(limited, 'bea')).status).toBe(201);
    expect((await register(limited, 'cleo')).status).toBe(429);
  });

  it('count no failed attempts, also while many of them are under way', async () => {
    const limited = await startTestServer({ env: { REGISTRATIONS_PER_ADDRESS: '3' } });
    const names = Array.from({ length: 20 }, (_, index) => `stranger${index}`);
    const failed = await Promise.all(names.map((name) => register(limited, name, { password: '123456' })));
    expect(failed.filter(({ status }) => status !== 422)).toEqual([]);
    expect((await register(limited, 'ada')).status).toBe(201);
  });

  it('count attempts of one address that hit a taken name or address, and no other failed ones', async () => {
    const limited = await startTestServer({ env: { REGISTRATIONS_PER_ADDRESS: '3' } });
    expect((await register(limited, 'ada')).status).toBe(201);
    const statuses = [];
    for (const changes of [{ password: '123456' }, { password: 'password' }, { email: 'no address' }])
      statuses.push((await register(limited, 'bea', changes)).status);
    statuses.push((await register(limited, 'ada')).status);
    // A common password tells nothing about the address.
    statuses.push((await register(limited, 'ada', { password: '123456' })).status);
    expect(statuses).toEqual([422, 422, 422, 409, 422]);
    statuses.push((await register(limited, 'bea', { username: 'ADA' })).status);
    statuses.push((await register(limited, 'bea')).status);
    expect(statuses.slice(5)).toEqual([409, 429]);
  });
});

describe('a sign-in while very many passwords are checked', () => {
  it('is 503, and counts as no guess', async () => {
    const limit = 5;
    const busy = await startTestServer({ env: { LOGIN_ATTEMPTS_PER_ACCOUNT: String(limit) } });
    await busy.signUp('ada');
    const guess = () =>
      busy.visitor().post('/api/login', { email: 'ada@mems.example', password: 'wrong password' });
    // Each that leaves the line lets the next one in, as other requests would: no moment has a free place.
    const line: Promise<unknown>[] = [];
    const stand = () => void line.push(findHashedForm(null, 'wrong').catch(() => null));
    passwordVerifications.subscribe(stand);
    for (let person = 0; person < 100; person++) stand();
    const rejected = await guess();
    passwordVerifications.unsubscribe(stand);
    await Promise.all(line);
    expect(rejected.status).toBe(503);
    expect(rejected.headers.get('Retry-After')).toBe('5');
    const statuses: number[] = [];
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
      isAdmin: false,
      inboundEmail: expect.stringMatching(/^[0-9a-f]{24}@in\.mems\.localhost$/) as string,
    });
    expect(response.text).not.toContain('argon2');
    expect((await visitor.get('/api/user')).body).toEqual(response.body);
  });

  it('sets an HttpOnly, SameSite cookie', async () => {
    const response = await server.visitor().post('/api/register', account('cookie'));
    const cookie = response.headers.getSetCookie().find((each) => each.includes('mems.sid='));
    expect(cookie).toMatch(/^mems\.sid=/);
    expect(cookie).toMatch(/; HttpOnly/);
    expect(cookie).toMatch(/; SameSite=Lax/);
    expect(cookie).not.toMatch(/; Secure/);
  });

  it('stores the password as argon2id', async () => {
    const secret = 'x'.repeat(32);
    const weakened = { WEAK_PASSWORD_HASHES_FOR_TESTS: 'true' };
    for (const [env, cost] of [
      [{ NODE_ENV: 'production' }, 'm=19456,t=2,p=1'],
      [{ NODE_ENV: 'development' }, 'm=19456,t=2,p=1'],
      [{ NODE_ENV: 'test' }, 'm=19456,t=2,p=1'],
      [{ NODE_ENV: 'test', ...weakened }, 'm=8,t=1,p=1'],
    ] as const) {
      const other = await startTestServer({
        env: { ...env, SESSION_SECRET: secret, UPLOAD_SECRET: secret },
      });
      const { userId } = await other.signUp();
      const user = await findUser(other.context.db, userId);
      expect(user?.passwordHash).toMatch(new RegExp(`^\\$argon2id\\$v=19\\$${cost}\\$`));
    }
  });

  it('takes up to 1,024 characters of any kind as a password, and verifies all of them', async () => {
    const password = ` Pfötchen 🐾 ${'für immer '.repeat(200)}`.slice(0, 1023) + ' ';
    const user = { ...account('exact'), password };
    expect((await server.visitor().post('/api/register', user)).status).toBe(201);
    const logIn = async (password: string) =>
      (await server.visitor().post('/api/login', { email: user.email, password })).status;
    for (const other of [password.trim(), password.slice(0, -1), password.toLowerCase()])
      expect(await logIn(other)).not.toBe(200);
    expect(await logIn(password)).toBe(200);
    expect(await logIn(password.normalize('NFD'))).toBe(200);
    // The paw is one character of two code units.
    const tooLong = { ...account('too-long'), password: `${password}!!` };
    expect((await server.visitor().post('/api/register', tooLong)).status).toBe(422);
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
    const responses = await Promise.all(
      Array.from({ length: 8 }, () => server.visitor().post('/api/register', account('twice'))),
    );
    expect(responses.map((each) => each.status).sort()).toEqual([201, 409, 409, 409, 409, 409, 409, 409]);
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
    expect([wrong.status, wrong.body]).toEqual([
      401,
      { message: 'Invalid email or password', code: 'not-authenticated' },
    ]);
    expect([unknown.status, unknown.body]).toEqual([
      401,
      { message: 'Invalid email or password', code: 'not-authenticated' },
    ]);
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
    const responses = await Promise.all(Array.from({ length: 14 }, (_, attempt) => guess(attempt)));
    expect(responses.map((each) => each.status).sort()).toEqual([
      ...Array<number>(10).fill(401),
      429,
      429,
      429,
      429,
    ]);
    const rejected = responses.find((each) => each.status === 429);
    expect(Number(rejected?.headers.get('Retry-After'))).toBeGreaterThan(0);
    expect(rejected?.body).toMatchObject({ message: expect.stringContaining('Too many attempts') as string });
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

  it('limits how often one address has a password checked, right ones as well', async () => {
    const busy = await startTestServer({ env: { TRUST_PROXY: '1', LOGIN_ATTEMPTS_PER_ADDRESS: '12' } });
    const owner = await busy.signUp('ada');
    const { email, password } = account('ada');
    const signIn = async (ip = '203.0.113.7') =>
      (await busy.visitor().post('/api/login', { email, password }, { 'X-Forwarded-For': ip })).status;
    const statuses = [];
    for (let attempt = 0; attempt < 13; attempt++) statuses.push(await signIn());
    expect(statuses).toEqual([...Array<number>(12).fill(200), 429]);
    expect(await signIn('203.0.113.8')).toBe(200);
    const confirm = () => owner.post('/api/session/proof', { password });
    statuses.length = 0;
    for (let attempt = 0; attempt < 13; attempt++) statuses.push((await confirm()).status);
    expect(statuses).toEqual([...Array<number>(12).fill(204), 429]);
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
      expect([response.status, response.body]).toEqual([
        401,
        { message: 'Unauthorized', code: 'session-lost' },
      ]);
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
    const holder = await holdUser(server.databaseUrl, client.userId);
    // Its session is loaded and due for renewal; then it waits for the lock on the user's row.
    const underWay = client.get('/api/user', { 'X-Time-Zone': 'Asia/Tokyo' });
    await waitForBlockedConnection(server.databaseUrl);
    const other = createTestClient(server.origin);
    other.setCookie(client.cookie());
    expect((await other.post('/api/logout')).status).toBe(204);
    await holder.commit();
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
    const holder = await holdLocks(
      server.databaseUrl,
      `select 1 from rate_limits where key like 'loginFailuresPerAccount:%' for update`,
    );
    const signIn = late.post('/api/login', { email, password });
    await waitForBlockedConnection(server.databaseUrl);
    const token = (await addPasswordResetLink(server.context, userId)).split('#')[1];
    const reset = await server.visitor().post('/api/password/reset', { token, password: 'a better horse' });
    expect(reset.status).toBe(200);
    await holder.commit();
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
    expect(changed.status).toBe(204);
    // The password is part of the known device's signature.
    expect(changed.headers.getSetCookie()).toEqual([
      expect.stringMatching(/^mems\.device-/),
      expect.stringMatching(/^mems\.sid=/),
    ]);
    expect((await client.get('/api/user')).status).toBe(200);
    await sql(overdue, [client.userId]);
    expect((await client.get('/api/user')).headers.getSetCookie()).toHaveLength(1);
    expect((await client.get('/api/user')).status).toBe(200);
  });

  it('does not change a password that was reset since it was checked', async () => {
    const client = await server.signUp('overtaken');
    const change = (currentPassword: string) =>
      client.request('PATCH', '/api/user/password', {
        json: { currentPassword, password: 'the thief’s horse' },
      });
    // The failure leaves the row on which the next change waits, after it has read the user.
    expect((await change('wrong one')).status).toBe(422);
    const holder = await holdLocks(
      server.databaseUrl,
      `select 1 from rate_limits where key like 'loginPerUser:%' for update`,
    );
    const late = change('correct horse');
    await waitForBlockedConnection(server.databaseUrl);
    const token = (await addPasswordResetLink(server.context, client.userId)).split('#')[1];
    const reset = await server.visitor().post('/api/password/reset', { token, password: 'a better horse' });
    expect(reset.status).toBe(200);
    await holder.commit();
    expect((await late).status).toBe(422);
    const { email } = account('overtaken');
    expect((await server.visitor().post('/api/login', { email, password: 'the thief’s horse' })).status).toBe(
      401,
    );
    expect((await server.visitor().post('/api/login', { email, password: 'a better horse' })).status).toBe(
      200,
    );
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
    const cookie = response.headers.getSetCookie().find((each) => each.includes('mems.sid='));
    expect(cookie).toMatch(/^__Host-mems\.sid=/);
    expect(cookie).toMatch(/; Path=\/;/);
    expect(cookie).toMatch(/; Secure/);
    expect(cookie).not.toMatch(/Domain/);
    expect(response.headers.get('Strict-Transport-Security')).toContain('max-age');
  });
});
