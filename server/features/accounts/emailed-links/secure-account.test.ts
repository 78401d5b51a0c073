import { beforeEach, describe, expect, it } from 'vitest';
import type { SecureAccountResponse } from '#shared/accounts/user';
import type { HeldMessage } from '#shared/transfers/inbound-email';
import { readOutbox } from '../../../testing/clients/dev-outbox.ts';
import { addTestPasskey } from '../../../testing/clients/passkey.ts';
import type { TestClient } from '../../../testing/clients/test-client.ts';
import { turnTotpOn } from '../../../testing/clients/totp.ts';
import { inboundEmailOf, pushEmail } from '../../../testing/data/inbound-email.ts';
import { file, multipart } from '../../../testing/data/mime.ts';
import { makePhoto } from '../../../testing/photos/photos.ts';
import { startTestServer } from '../../../testing/test-server.ts';
import { updateUser } from '../users/user-queries.ts';

let owner: TestClient & { userId: string };
let email: string;
let now = new Date('2026-06-01T12:00:00Z');
const passHours = (hours: number) => {
  now = new Date(now.getTime() + hours * 60 * 60 * 1000);
};

const server = await startTestServer({ overrides: { clock: { now: () => now } } });
beforeEach(async () => {
  owner = await server.signUp();
  email = ((await owner.get('/api/user')).body as { email: string }).email;
});

async function received() {
  await server.drainJobs();
  return (await readOutbox(server.dataDir)).filter(({ to }) => to === email);
}
/** The token of the last email with this subject. */
async function denial(subject: string): Promise<string> {
  const found = (await received()).findLast((each) => each.subject === subject);
  return /This was not me: \S+\/secure-account#([\w-]+)/.exec(found?.text ?? '')?.[1] ?? '';
}
const secure = (token: string) => server.visitor().post('/api/user/secure', { token });
const logIn = (password: string, client = server.visitor()) => client.post('/api/login', { email, password });
const reset = (token: string, password: string) =>
  server.visitor().post('/api/password/reset', { token, password });
const changePassword = (client: TestClient, currentPassword: string, password: string) =>
  client.request('PATCH', '/api/user/password', { json: { currentPassword, password } });

describe('"This was not me" in the email about a changed password', () => {
  it('ends all sessions and the thief’s ways in, and leads to a new password', async () => {
    const thief = server.visitor();
    await logIn('correct horse', thief);
    expect((await changePassword(thief, 'correct horse', 'the thief’s horse')).status).toBe(204);
    await addTestPasskey(thief, `http://localhost:${new URL(server.origin).port}`);
    await turnTotpOn(thief, now);
    const token = await denial('Your password was changed');
    const responses = await Promise.all([secure(token), secure(token)]);
    expect(responses.map(({ status }) => status).sort()).toEqual([200, 422]);
    expect((await thief.get('/api/user')).status).toBe(401);
    expect((await logIn('the thief’s horse')).status).toBe(401);
    const { resetToken } = responses.find(({ status }) => status === 200)?.body as SecureAccountResponse;
    expect((await reset(resetToken, 'a better horse')).status).toBe(200);
    const back = server.visitor();
    // Neither a code nor a passkey of the thief counts any longer.
    expect((await logIn('a better horse', back)).status).toBe(200);
    expect((await back.get('/api/user/passkeys')).body).toEqual([]);
    expect((await received()).map(({ subject }) => subject)).toContain('Every device was signed out');
  });

  it('works although the thief goes on changing the password, at most five times an hour', async () => {
    const thief = server.visitor();
    await logIn('correct horse', thief);
    const statuses = [];
    for (let n = 0; n < 6; n++) {
      const current = n === 0 ? 'correct horse' : `thief’s horse ${n - 1}`;
      statuses.push((await changePassword(thief, current, `thief’s horse ${n}`)).status);
    }
    expect(statuses).toEqual([204, 204, 204, 204, 204, 429]);
    expect((await secure(await denial('Your password was changed'))).status).toBe(200);
    expect((await thief.get('/api/user')).status).toBe(401);
  });

  it('keeps an authenticator app that the owner set up long before', async () => {
    await turnTotpOn(owner, now);
    passHours(49);
    await owner.post('/api/session/proof', { password: 'correct horse' });
    await changePassword(owner, 'correct horse', 'another horse');
    const { body } = await secure(await denial('Your password was changed'));
    await reset((body as SecureAccountResponse).resetToken, 'a better horse');
    expect((await logIn('a better horse')).status).toBe(202);
  });

  it('works for 48 hours, for the address that it was sent to only', async () => {
    await changePassword(owner, 'correct horse', 'another horse');
    const token = await denial('Your password was changed');
    passHours(48);
    expect((await secure(token)).status).toBe(422);
    await owner.post('/api/session/proof', { password: 'another horse' });
    await changePassword(owner, 'another horse', 'a third horse');
    const next = await denial('Your password was changed');
    await updateUser(server.context.db, owner.userId, { email: `moved-${email}` });
    await changePassword(owner, 'a third horse', 'a fourth horse');
    await updateUser(server.context.db, owner.userId, { email });
    // Sent after the address had changed: without a token.
    expect(await denial('Your password was changed')).toBe(next);
    expect((await secure('none')).status).toBe(422);
  });
});

describe('the same email is sent', () => {
  it('after each change of who may send photos, and of the address for them', async () => {
    const put = (...addresses: string[]) =>
      owner.request('PUT', '/api/user/allowed-senders', { json: { addresses } });
    await put('gran@family.example');
    await put('gran@family.example');
    await owner.post('/api/user/inbound-email/reset');
    const subjects = (await received()).map(({ subject }) => subject);
    expect(subjects.filter((each) => each === 'Who may send you photos was changed')).toHaveLength(1);
    expect(subjects.filter((each) => each === 'Your address for photos was replaced')).toHaveLength(1);
    expect((await secure(await denial('Who may send you photos was changed'))).status).toBe(200);
    expect((await owner.get('/api/user')).status).toBe(401);
  });

  it('after a sender was allowed with a held message, once', async () => {
    const raw = multipart('mixed', [file(await makePhoto())], { headers: { From: 'gran@else.example' } });
    await pushEmail(server, await inboundEmailOf(owner), raw);
    await server.drainJobs();
    const [held] = (await owner.get('/api/held-messages')).body as HeldMessage[];
    const accept = () => owner.post(`/api/held-messages/${held?.id ?? ''}/accept`, { allowSender: true });
    expect([(await accept()).status, (await accept()).status]).toEqual([202, 202]);
    const subjects = (await received()).map(({ subject }) => subject);
    expect(subjects.filter((each) => each === 'Who may send you photos was changed')).toHaveLength(1);
  });

  it('at most thirty times an hour', async () => {
    const statuses = [];
    for (let n = 0; n < 31; n++) statuses.push((await owner.post('/api/user/inbound-email/reset')).status);
    expect(statuses).toEqual([...Array<number>(30).fill(200), 429]);
  });
});
