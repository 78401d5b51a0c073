import { beforeEach, describe, expect, it } from 'vitest';
import type { Activity } from '#shared/accounts/activity';
import { movePhoneNumber } from '../../phone-verification/phone-number-queries.ts';
import { addPasswordResetLink } from '../../../testing/data/factories.ts';
import { startSmtpServer } from '../../../testing/fakes/smtp-server.ts';
import type { TestClient } from '../../../testing/clients/test-client.ts';
import { startTestServer } from '../../../testing/test-server.ts';
import { updateUser } from './user-queries.ts';

type Owner = TestClient & { userId: string; name: string };

let owner: Owner;
let accounts = 0;

const smtp = await startSmtpServer();
const server = await startTestServer({
  env: { ...smtp.env, ACCOUNT_MAILS_PER_HOUR: '3' },
});
await server.signUp('first');
beforeEach(async () => {
  const name = `owner${++accounts}`;
  owner = Object.assign(await server.signUp(name), { name });
  await updateUser(server.context.db, owner.userId, { emailVerifiedAt: new Date() });
  await server.drainJobs();
  smtp.received.length = 0;
});

async function received() {
  await server.drainJobs();
  return (await smtp.emails()).map((each) => ({ ...each, text: each.text.replaceAll('\u2060', '') }));
}
const subjects = async () => (await received()).map(({ subject }) => subject);

async function logIn(client = server.visitor(), headers: Record<string, string> = {}): Promise<TestClient> {
  const login = { email: `${owner.name}@mems.example`, password: 'correct horse' };
  expect((await client.post('/api/login', login, headers)).status).toBe(200);
  return client;
}

describe('the owner is told by email', () => {
  it('of a sign-in on a new device, with what to do, and not again on the same one', async () => {
    await owner.get('/api/user', { 'X-Time-Zone': 'America/New_York' });
    const browser = await logIn(server.visitor(), {
      'User-Agent': 'Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:140.0) Gecko/20100101 Firefox/140.0',
    });
    await browser.post('/api/logout');
    await logIn(browser);
    const [email, ...others] = await received();
    expect(others).toEqual([]);
    expect(email).toMatchObject({ to: `${owner.name}@mems.example`, subject: 'New sign-in to your album' });
    expect(email?.text).toMatch(/E[SD]T, Firefox on Windows, 127\.0\.0\.0\/24/);
    expect(email?.text).toMatch(/This was not me: http:\/\/mems\.example\/secure-account#[\w-]{43}\n/);
  });

  it('not of the registration itself, nor of the next sign-in at that browser', async () => {
    await owner.post('/api/logout');
    await logIn(owner);
    expect(await subjects()).toEqual([]);
  });

  it('of new devices some times an hour at most', async () => {
    for (let n = 0; n < 5; n++) await logIn();
    expect(await subjects()).toHaveLength(3);
  });

  it('not of wrong passwords, which could flood them', async () => {
    for (let n = 0; n < 3; n++)
      await server.visitor().post('/api/login', { email: `${owner.name}@mems.example`, password: 'a guess' });
    expect(await subjects()).toEqual([]);
  });

  it('of a changed password, by themselves or by a link', async () => {
    const json = { currentPassword: 'correct horse', password: 'a better horse' };
    await owner.request('PATCH', '/api/user/password', { json });
    expect(await subjects()).toEqual(['Your password was changed']);
    const token = (await addPasswordResetLink(server.context, owner.userId)).split('#')[1];
    await server.visitor().post('/api/password/reset', { token, password: 'the best horse' });
    expect((await subjects()).sort()).toEqual([
      'A link for a new password was made',
      'Your password was changed',
      'Your password was changed by a link',
    ]);
  });

  it('of what a reset of the password ends, before it and in its link', async () => {
    const email = `${owner.name}@mems.example`;
    await server.visitor().post('/api/password/forgot', { email });
    const [asked] = await received();
    expect(asked?.text).toContain('passkeys and connected sign-ins are removed');
    await logIn();
    const notice = (await received()).find(({ subject }) => subject === 'New sign-in to your album');
    expect(notice?.text).toContain(
      'open this link within 48 hours: it signs out every device, removes all passkeys',
    );
  });

  it('of a removed phone number, once', async () => {
    const { db } = server.context;
    await db.transaction((tx) => movePhoneNumber(tx, owner.userId, '+12065550177', new Date()));
    await owner.request('DELETE', '/api/sms/number');
    await owner.request('DELETE', '/api/sms/number');
    expect(await subjects()).toEqual(['Your phone number was removed']);
    const activity = (await owner.get('/api/user/activity')).body as Activity[];
    expect(activity.filter(({ kind }) => kind === 'phone-removed')).toHaveLength(1);
  });

  it('of nothing, at an address that was never verified', async () => {
    const stranger = await server.signUp(`unverified${accounts}`);
    await server.drainJobs();
    smtp.received.length = 0;
    const json = { currentPassword: 'correct horse', password: 'a better horse' };
    await stranger.request('PATCH', '/api/user/password', { json });
    const login = { email: `unverified${accounts}@mems.example`, password: 'a better horse' };
    expect((await server.visitor().post('/api/login', login)).status).toBe(200);
    expect(await subjects()).toEqual([]);
  });
});
