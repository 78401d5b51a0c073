import PostalMime from 'postal-mime';
import { v7 as uuidv7 } from 'uuid';
import { beforeEach, describe, expect, it } from 'vitest';
import type { User } from '#shared/accounts/user';
import { createSmtpMailer } from '../../../platform/mailer/smtp-mailer.ts';
import { addContact, addMemory } from '../../../testing/data/factories.ts';
import { startScriptedSmtpServer } from '../../../testing/fakes/scripted-smtp-server.ts';
import { startSmtpServer } from '../../../testing/fakes/smtp-server.ts';
import type { TestClient } from '../../../testing/clients/test-client.ts';
import { startTestServer } from '../../../testing/test-server.ts';
import { updateUser } from '../users/user-queries.ts';
import { sendAccountEmailJob } from '../users/send-account-email-job.ts';

let now = new Date('2026-06-01T12:00:00Z');
const passHours = (hours: number) => {
  now = new Date(now.getTime() + hours * 60 * 60 * 1000);
};

const smtp = await startSmtpServer();
const server = await startTestServer({
  overrides: { clock: { now: () => now } },
  env: { ...smtp.env, LOGIN_ATTEMPTS_PER_ACCOUNT: '4' },
});
let owner: TestClient & { userId: string };
beforeEach(async () => {
  owner = await server.signUp();
  smtp.received.length = 0;
});

const emails = () => server.drainJobs().then(() => smtp.emails());
const me = async (client: TestClient) => (await client.get('/api/user')).body as User;
const logIn = (email: string, password: string) => {
  const client = server.visitor();
  return client.post('/api/login', { email, password }).then(({ status }) => ({ client, status }));
};
const patch = (client: TestClient, path: string, json: object) => client.request('PATCH', path, { json });

describe('POST /api/user/verify-email', () => {
  it('accepts the link from the sign-up email once, and releases the pending emails to contacts', async () => {
    const { email } = await me(owner);
    await addContact(owner);
    await addMemory(owner);
    const [verification, ...others] = await emails();
    expect(others).toEqual([]);
    expect(verification).toMatchObject({ to: email, subject: 'Is this your email address?' });
    expect((await me(owner)).emailVerified).toBe(false);
    const verify = () => owner.post('/api/user/verify-email', { token: verification?.token });
    const responses = await Promise.all([verify(), verify()]);
    expect(responses.map(({ status }) => status).sort()).toEqual([204, 422]);
    expect((await me(owner)).emailVerified).toBe(true);
    expect((await emails()).map(({ to }) => to)).toEqual([
      email,
      'ingrid@family.example',
      'ingrid@family.example',
    ]);
  });

  it('rejects a link after 24 hours; another can be requested within an hourly limit', async () => {
    const [verification] = await emails();
    passHours(24);
    expect((await owner.post('/api/user/verify-email', { token: verification?.token })).status).toBe(422);
    const resend = () => owner.post('/api/user/verify-email/resend');
    const responses = [];
    for (let n = 0; n < 6; n++) responses.push((await resend()).status);
    expect(responses).toEqual([202, 202, 202, 202, 202, 429]);
    const token = (await emails()).at(-1)?.token;
    expect((await owner.post('/api/user/verify-email', { token })).status).toBe(204);
    smtp.received.length = 0;
    expect((await resend()).status).toBe(202);
    expect(await emails()).toEqual([]);
  });
});

describe('a forgotten password', () => {
  it('is reset once by the emailed link, which ends all sessions', async () => {
    const { email } = await me(owner);
    await emails();
    smtp.received.length = 0;
    expect((await server.visitor().post('/api/password/forgot', { email: email.toUpperCase() })).status).toBe(
      202,
    );
    const [{ token } = { token: '' }] = await emails();
    const preview = () => server.visitor().post('/api/password/reset/preview', { token });
    expect((await preview()).body).toEqual({ email });
    const reset = (password = 'a better horse') =>
      server.visitor().post('/api/password/reset', { token, password });
    expect((await reset('short')).status).toBe(422);
    const responses = await Promise.all([reset(), reset()]);
    expect(responses.map(({ status }) => status).sort()).toEqual([200, 422]);
    expect((await preview()).status).toBe(422);
    expect((await owner.get('/api/user')).status).toBe(401);
    expect((await logIn(email, 'correct horse')).status).toBe(401);
    const { client, status } = await logIn(email, 'a better horse');
    expect(status).toBe(200);
    // The link also verifies the address.
    expect((await me(client)).emailVerified).toBe(true);
    await addContact(client);
    expect((await emails()).map(({ to }) => to)).toContain('ingrid@family.example');
  });

  it('sends the same link with the same Message-ID again when the mail server’s reply is lost', async () => {
    const { email } = await me(owner);
    await emails();
    const scripted = await startScriptedSmtpServer();
    let responses = 0;
    scripted.setScript((phase) => (phase === 'message' && ++responses === 1 ? '451 Lost' : undefined));
    const mailer = createSmtpMailer(
      { kind: 'smtp', url: scripted.url, requiresTls: false, dkim: null },
      { address: 'album@mems.example', envelopeAddress: 'album@mems.example' },
    );
    const payload = { userId: owner.userId, purpose: 'reset-password' as const, emailId: uuidv7() };
    const send = () => sendAccountEmailJob.handle({ ...server.context, mailer }, payload);
    await expect(send()).rejects.toThrow('did not take it');
    await send();
    const [first, again] = await Promise.all(scripted.messages.map(({ mime }) => PostalMime.parse(mime)));
    expect(again?.text).toBe(first?.text);
    expect(again?.messageId).toBe(first?.messageId);
    const token = /#([\w-]+)/.exec(first?.text ?? '')?.[1];
    const { rows } = await server.context.db.execute(
      `select id from user_tokens where token_hash = '${token}' or id::text = '${token}'`,
    );
    expect(rows).toEqual([]);
    const reset = () => server.visitor().post('/api/password/reset', { token, password: 'a better horse' });
    expect((await reset()).status).toBe(200);
    // A repeated job does not reactivate a used link.
    await send();
    expect(scripted.messages).toHaveLength(2);
    expect((await reset()).status).toBe(422);
    mailer.close();
    expect((await logIn(email, 'a better horse')).status).toBe(200);
  });

  it('sends no link when the password has been changed since', async () => {
    await emails();
    smtp.received.length = 0;
    const payload = { userId: owner.userId, purpose: 'reset-password' as const, emailId: uuidv7() };
    const send = () => sendAccountEmailJob.handle(server.context, payload);
    await send();
    const [{ token } = { token: '' }] = await emails();
    const change = { currentPassword: 'correct horse', password: 'a better horse' };
    expect((await patch(owner, '/api/user/password', change)).status).toBe(204);
    await send();
    expect(smtp.received).toHaveLength(1);
    expect(
      (await server.visitor().post('/api/password/reset', { token, password: 'stolen horse' })).status,
    ).toBe(422);
  });

  it('retries after a policy rejection, and not after an unknown recipient', async () => {
    const { email } = await me(owner);
    await emails();
    smtp.received.length = 0;
    const forget = () => server.visitor().post('/api/password/forgot', { email });
    smtp.rejectNext('554 5.7.1 Relay access denied');
    await forget();
    await expect(server.drainJobs()).rejects.toThrow('did not take it');
    expect((await emails()).map(({ to }) => to)).toEqual([email]);
    smtp.rejectNext('550 5.1.1 No such user');
    await forget();
    expect(await emails()).toHaveLength(1);
  });

  it('responds alike to known and unknown addresses, and emails only known ones', async () => {
    const { email } = await me(owner);
    await emails();
    smtp.received.length = 0;
    const responses = await Promise.all(
      [email, 'unknown@mems.example'].map((each) =>
        server.visitor().post('/api/password/forgot', { email: each }),
      ),
    );
    expect(responses[0]?.text).toBe(responses[1]?.text);
    // Both do the same work before the response, so that timing does not tell them apart.
    const jobs = await server.context.db.execute(
      `select 1 from pgboss.job where name = 'send-account-email' and state = 'created'`,
    );
    expect(jobs.rowCount).toBe(2);
    expect((await emails()).map(({ to }) => to)).toEqual([email]);
  });

  it('rejects expired, unknown and other kinds of links', async () => {
    const [verification] = await emails();
    const { email } = await me(owner);
    await server.visitor().post('/api/password/forgot', { email });
    const token = (await emails()).at(-1)?.token;
    passHours(1);
    for (const each of [token, verification?.token, 'none', '']) {
      const response = await server
        .visitor()
        .post('/api/password/reset', { token: each, password: 'a better horse' });
      expect([response.status, (response.body as { fields: object }).fields]).toEqual([
        422,
        { token: 'This link no longer works. Please request a new one.' },
      ]);
    }
  });
});

describe('PATCH /api/user/password', () => {
  it('changes it, ends the other sessions and revokes links to an address that is not verified', async () => {
    const { email } = await me(owner);
    const { client: elsewhere } = await logIn(email, 'correct horse');
    await server.visitor().post('/api/password/forgot', { email });
    const token = (await emails()).at(-1)?.token;
    const change = { currentPassword: 'correct horse', password: 'a better horse' };
    expect((await patch(owner, '/api/user/password', change)).status).toBe(204);
    expect((await owner.get('/api/user')).status).toBe(200);
    expect((await elsewhere.get('/api/user')).status).toBe(401);
    expect((await owner.post('/api/password/reset', { token, password: 'stolen horse' })).status).toBe(422);
  });

  it('leaves the links that were emailed to a verified address', async () => {
    await updateUser(server.context.db, owner.userId, { emailVerifiedAt: now });
    await server.visitor().post('/api/password/forgot', { email: (await me(owner)).email });
    const token = (await emails()).at(-1)?.token;
    const change = { currentPassword: 'correct horse', password: 'the thief’s horse' };
    expect((await patch(owner, '/api/user/password', change)).status).toBe(204);
    const { status } = await server
      .visitor()
      .post('/api/password/reset', { token, password: 'a better horse' });
    expect(status).toBe(200);
  });

  it('changes it once, of six requests at once with the same password', async () => {
    const responses = await Promise.all(
      [1, 2, 3, 4, 5, 6].map((n) =>
        patch(owner, '/api/user/password', { currentPassword: 'correct horse', password: `horse no. ${n}` }),
      ),
    );
    expect(responses.filter(({ status }) => status === 204)).toHaveLength(1);
  });

  it('requires the current password, with a rate limit', async () => {
    const guess = () =>
      patch(owner, '/api/user/password', { currentPassword: 'guess', password: 'a better horse' });
    const responses = [];
    for (let n = 0; n < 5; n++) responses.push((await guess()).status);
    expect(responses).toEqual([422, 422, 422, 422, 429]);
  });
});

describe('POST /api/logout/all', () => {
  it('ends every session of this user only', async () => {
    const [owner, other] = [await server.signUp(), await server.signUp()];
    const { client: elsewhere } = await logIn((await me(owner)).email, 'correct horse');
    expect((await owner.post('/api/logout/all')).status).toBe(204);
    const statuses = [];
    for (const client of [owner, elsewhere, other]) statuses.push((await client.get('/api/user')).status);
    expect(statuses).toEqual([401, 401, 200]);
  });
});

describe('PATCH /api/user', () => {
  it('changes names and username; absent fields are unchanged, an empty name becomes null', async () => {
    expect((await patch(owner, '/api/user', { firstName: ' Mara ', lastName: 'K' })).body).toMatchObject({
      firstName: 'Mara',
      lastName: 'K',
    });
    const changed = await patch(owner, '/api/user', { username: 'mara-k', lastName: '' });
    expect(changed.body).toMatchObject({ username: 'mara-k', firstName: 'Mara', lastName: null });
    expect(await me(owner)).toEqual(changed.body);
    expect((await patch(owner, '/api/user', {})).body).toEqual(changed.body);
  });

  it('rejects a username that is too short or taken, case-insensitively', async () => {
    const [owner, other] = [await server.signUp(), await server.signUp()];
    const { username } = await me(other);
    const responses = [];
    for (const each of [username.toUpperCase(), 'x'])
      responses.push(await patch(owner, '/api/user', { username: each }));
    expect(responses.map(({ status }) => status)).toEqual([409, 422]);
    expect(responses[0]?.body).toMatchObject({ fields: { username: 'This username is already taken' } });
  });
});

describe('password managers', () => {
  it.each(['GET', 'HEAD'])('find where a password is changed: %s', async (method) => {
    const response = await server.visitor().request(method, '/.well-known/change-password');
    expect([response.status, response.headers.get('Location')]).toEqual([302, '/account']);
  });

  it('learn that other well-known resources do not exist', async () => {
    const path = '/.well-known/resource-that-should-not-exist-whose-status-code-should-not-be-200';
    expect((await server.visitor().get(path)).status).toBe(404);
  });
});
