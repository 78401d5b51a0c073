import { describe, expect, it } from 'vitest';
import type { TestClient } from '../../../../testing/clients/test-client.ts';
import { startTestServer } from '../../../../testing/test-server.ts';

let now = new Date();
const passMinutes = (minutes: number) => {
  now = new Date(now.getTime() + minutes * 60 * 1000);
};

const server = await startTestServer({
  env: { LOGIN_ATTEMPTS_PER_ACCOUNT: '3', LOGIN_FAILURES_PER_ACCOUNT: '5' },
  overrides: { clock: { now: () => now } },
});

const UNCONFIRMED = { message: 'Please confirm that it is you', code: 'identity-unconfirmed' };
const confirm = (client: TestClient, password: string) => client.post('/api/session/proof', { password });
const removePhone = (client: TestClient) => client.request('DELETE', '/api/sms/number');

describe('a sensitive change', () => {
  it.each([
    ['PATCH', '/api/user/email', { email: 'new@mems.example' }],
    ['POST', '/api/sms/send-verification', { phoneNumber: '+12065550123' }],
    ['DELETE', '/api/sms/number', {}],
  ])('asks for the password again after ten minutes: %s %s', async (method, path, json) => {
    const client = await server.signUp();
    passMinutes(11);
    const rejected = await client.request(method, path, { json });
    expect([rejected.status, rejected.body]).toEqual([403, UNCONFIRMED]);
    expect((await confirm(client, 'correct horse')).status).toBe(204);
    expect((await client.request(method, path, { json })).status).toBeLessThan(300);
  });

  it('is free for ten minutes after signing in and after confirming it', async () => {
    const client = await server.signUp();
    passMinutes(9);
    expect((await removePhone(client)).status).toBe(204);
    passMinutes(2);
    expect((await removePhone(client)).status).toBe(403);
    await confirm(client, 'correct horse');
    passMinutes(9);
    expect((await removePhone(client)).status).toBe(204);
    passMinutes(2);
    expect((await removePhone(client)).status).toBe(403);
  });

  it('asks in a session of an earlier release', async () => {
    const client = await server.signUp();
    await server.context.db.execute(
      `update sessions set sess = sess - 'identityConfirmedAt' where owner_id = '${client.userId}'`,
    );
    expect((await removePhone(client)).body).toEqual(UNCONFIRMED);
  });

  it('is not free for another session of the user', async () => {
    const first = await server.signUp('two-sessions');
    const second = server.visitor();
    await second.post('/api/login', { email: 'two-sessions@mems.example', password: 'correct horse' });
    passMinutes(11);
    await confirm(first, 'correct horse');
    expect([(await removePhone(first)).status, (await removePhone(second)).status]).toEqual([204, 403]);
  });

  it('is free after a change of the password, which asks for it', async () => {
    const client = await server.signUp();
    passMinutes(11);
    const json = { currentPassword: 'correct horse', password: 'a better horse' };
    expect((await client.request('PATCH', '/api/user/password', { json })).status).toBe(204);
    expect((await removePhone(client)).status).toBe(204);
  });
});

describe('POST /api/session/proof', () => {
  it('rejects a wrong password with its field, and proves nothing', async () => {
    const client = await server.signUp();
    passMinutes(11);
    const wrong = await confirm(client, 'wrong one');
    const message = 'This is not your password';
    expect([wrong.status, wrong.body]).toEqual([
      403,
      { message, code: 'forbidden', fields: { password: message } },
    ]);
    expect((await removePhone(client)).status).toBe(403);
    expect((await client.get('/api/user')).status).toBe(200);
  });

  it('limits wrong passwords, also concurrent ones', async () => {
    const client = await server.signUp();
    const guesses = await Promise.all(Array.from({ length: 5 }, (_, n) => confirm(client, `guess ${n}`)));
    expect(guesses.map(({ status }) => status).sort()).toEqual([403, 403, 403, 429, 429]);
    expect((await confirm(client, 'correct horse')).status).toBe(429);
  });

  it('counts wrong passwords with those of changing it', async () => {
    const client = await server.signUp();
    const json = { currentPassword: 'wrong one', password: 'a better horse' };
    for (let n = 0; n < 3; n++)
      expect((await client.request('PATCH', '/api/user/password', { json })).status).toBe(422);
    expect((await confirm(client, 'correct horse')).status).toBe(429);
  });

  it('rejects empty, huge and missing passwords', async () => {
    const client = await server.signUp();
    for (const password of ['', 'x'.repeat(2000), undefined, 7]) {
      const { status } = await client.post('/api/session/proof', { password });
      expect(status).toBe(422);
    }
  });
});
