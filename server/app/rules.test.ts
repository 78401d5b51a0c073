import { describe, expect, it } from 'vitest';
import { sessionCookieName } from '../features/accounts/sessions/session-middleware.ts';
import { runAsAdmin } from '../testing/environment/test-database.ts';
import { startTestServer, type TestServer } from '../testing/test-server.ts';
import { postSmsForm, toSmsForm, incomingUrl } from '../testing/data/inbound-sms.ts';

const server = await startTestServer();

const login = (json: unknown, headers: Record<string, string> = {}) =>
  server.visitor().request('POST', '/api/login', { json, headers });
const rawLogin = (body: string, headers: Record<string, string> = {}) =>
  server
    .visitor()
    .request('POST', '/api/login', { body, headers: { 'Content-Type': 'application/json', ...headers } });

describe('every response', () => {
  it('has a generated request id, ignoring the one in the request', async () => {
    const first = await server.visitor().get('/api/health', { 'X-Request-Id': 'mine' });
    const second = await server.visitor().get('/api/nowhere');
    expect(first.headers.get('X-Request-Id')).toMatch(/^[0-9a-f-]{36}$/);
    expect(second.headers.get('X-Request-Id')).toMatch(/^[0-9a-f-]{36}$/);
    expect(first.headers.get('X-Request-Id')).not.toBe(second.headers.get('X-Request-Id'));
  });

  it('allows pages to run our own scripts only', async () => {
    const { headers } = await server.visitor().get('/');
    const policy = headers.get('Content-Security-Policy') ?? '';
    expect(policy).toContain("script-src 'self' 'wasm-unsafe-eval';");
    expect(policy).toContain("frame-ancestors 'none'");
    expect(policy).not.toContain('upgrade-insecure-requests');
    expect(headers.get('Strict-Transport-Security')).toBeNull();
    expect(headers.get('Referrer-Policy')).toBe('same-origin');
    expect(headers.get('X-Content-Type-Options')).toBe('nosniff');
    expect(headers.get('X-Powered-By')).toBeNull();
  });

  it('to an unknown path under /api is a JSON 404, for each method', async () => {
    for (const method of ['GET', 'POST', 'DELETE']) {
      const response = await server.visitor().request(method, '/api/nowhere');
      expect([response.status, response.body]).toEqual([404, { message: 'Not found', code: 'not-found' }]);
    }
  });

  it('to a missing file is 404, to a path of the client is its index.html', async () => {
    expect((await server.visitor().get('/assets/nowhere.js')).status).toBe(404);
    expect((await server.visitor().get('/nowhere.png')).status).toBe(404);
    for (const [path, status] of [['/gallery', 200] as const, ['/no-such-screen', 404] as const]) {
      const screen = await server.visitor().get(path);
      expect([screen.status, screen.headers.get('Cache-Control')]).toEqual([status, 'no-cache']);
      expect(screen.text).toContain('<!doctype html>');
    }
  });

  it('to a path with invalid percent encoding is not 500', async () => {
    expect((await server.visitor().get('/api/%E0%A4%A')).status).toBe(404);
    expect((await server.visitor().get('/objects/%E0%A4%A')).status).toBeLessThan(500);
  });

  it('is cacheable and revalidated by its ETag', async () => {
    const client = await server.signUp();
    const first = await client.get('/api/user');
    expect(first.headers.get('Cache-Control')).toBe('private, no-cache');
    const again = await client.get('/api/user', { 'If-None-Match': first.headers.get('ETag') ?? '' });
    expect([again.status, again.text]).toEqual([304, '']);
  });
});

describe('a request body', () => {
  it.each([
    ['broken JSON', '{"email":'],
    ['a list', '[]'],
    ['a text', '"text"'],
  ])('that is %s is 400', async (_name, body) => {
    expect((await rawLogin(body)).status).toBe(400);
  });

  it('with another content type is 400', async () => {
    expect((await rawLogin('email=a', { 'Content-Type': 'application/x-www-form-urlencoded' })).status).toBe(
      400,
    );
  });

  it('above 256 KiB is 413, and at 256 KiB is accepted', async () => {
    const user = await server.signUp();
    expect((await user.post('/api/contacts', { name: 'x'.repeat(256 * 1024) })).status).toBe(413);
    expect((await user.post('/api/contacts', { name: 'x'.repeat(255 * 1024) })).status).toBe(422);
  });

  it('above 16 KiB is 413 without a session', async () => {
    expect((await login({ email: 'x'.repeat(16 * 1024), password: 'x' })).status).toBe(413);
    expect((await login({ email: 'x'.repeat(15 * 1024), password: 'xxxxxx' })).status).toBe(422);
  });

  it('above 16 KiB is 401 from a page whose session has ended', async () => {
    const cookie = { Cookie: `${sessionCookieName(server.context.config)}=ended` };
    const response = await server.visitor().post('/api/contacts', { name: 'x'.repeat(16 * 1024) }, cookie);
    expect(response).toMatchObject({ status: 401, body: { code: 'session-lost' } });
  });

  it('with text that Postgres cannot store is 422 and names the field', async () => {
    for (const text of ['a\0b', '\ud83d', 'a\udc00']) {
      const response = await rawLogin(
        JSON.stringify({ email: 'a@b.example', password: text, extra: { deep: [text] } }),
      );
      expect(response.status).toBe(422);
      expect(Object.keys((response.body as { fields: object }).fields)).toEqual(['password', 'extra']);
    }
  });

  it('nested too deeply is 422', async () => {
    const deep = `${'['.repeat(8_000)}${']'.repeat(8_000)}`;
    expect((await rawLogin(`{"email":"a@b.example","password":"xxxxxx","extra":${deep}}`)).status).toBe(422);
  });

  it('cannot pollute prototypes', async () => {
    const response = await rawLogin('{"__proto__":{"email":"a@b.example"},"constructor":{"prototype":{}}}');
    expect(response.status).toBe(422);
  });
});

describe('an unsafe method', () => {
  const post = (headers: Record<string, string>) =>
    server.visitor().request('POST', '/api/logout', { headers: { 'Sec-Fetch-Site': '', ...headers } });

  it('from another site is rejected', async () => {
    for (const site of ['cross-site', 'same-site', 'CROSS-SITE']) {
      expect((await post({ 'Sec-Fetch-Site': site })).status).toBe(403);
    }
    expect((await post({ Origin: 'https://evil.example' })).status).toBe(403);
    expect((await post({ Origin: 'null' })).status).toBe(403);
    expect((await post({ Origin: 'http://127.0.0.1:1' })).status).toBe(403);
  });

  it('from our own pages and from other programs is accepted', async () => {
    expect((await post({ 'Sec-Fetch-Site': 'same-origin', Origin: server.origin })).status).toBe(204);
    expect((await post({ Origin: server.origin })).status).toBe(204);
    expect((await post({})).status).toBe(204);
  });

  it('is rejected before the session is read', async () => {
    const client = await server.signUp();
    const response = await client.request('POST', '/api/logout', {
      headers: { 'Sec-Fetch-Site': 'cross-site' },
    });
    expect(response.status).toBe(403);
    expect((await client.get('/api/user')).status).toBe(200);
  });
});

describe('while the database is down', () => {
  it('requests that need it are 503, and succeed once it is back', async () => {
    const lonely = await startTestServer();
    const client = await lonely.signUp();
    const text = toSmsForm({ from: '+12065550123' });
    const signature = lonely.context.smsSignature.sign({ url: incomingUrl(lonely), params: text });
    await setConnectable(lonely, false);

    const user = await client.get('/api/user');
    expect(user.status).toBe(503);
    expect(user.headers.get('Retry-After')).toBe('5');
    expect(user.text).not.toMatch(/postgres|select|ECONN|database/i);
    expect((await client.get('/api/health')).status).toBe(200);
    const ready = await client.get('/api/health/ready');
    expect([ready.status, ready.body]).toMatchObject([
      503,
      { status: 'unavailable', dependencies: { database: 'down', storage: 'up', jobs: 'down' } },
    ]);

    expect((await postSmsForm(lonely, text, { signature })).status).toBe(503);
    expect((await postSmsForm(lonely, text)).status).toBe(403);

    await setConnectable(lonely, true);
    expect((await postSmsForm(lonely, text, { signature })).status).toBe(200);
    expect((await client.get('/api/user')).status).toBe(200);
    await expect
      .poll(async () => (await client.get('/api/health/ready')).status, { timeout: 20_000 })
      .toBe(200);
  });
});

async function setConnectable(target: TestServer, isConnectable: boolean): Promise<void> {
  const name = /\/(test_[0-9a-f]+)/.exec(target.databaseUrl)?.[1] ?? '';
  await runAsAdmin(`alter database ${name} allow_connections ${isConnectable}`);
  if (!isConnectable)
    await runAsAdmin(`select pg_terminate_backend(pid) from pg_stat_activity where datname = '${name}'`);
}
