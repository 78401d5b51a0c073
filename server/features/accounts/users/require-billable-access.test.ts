import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import type { CreatedInvitation } from '#shared/accounts/invitation';
import type { User } from '#shared/accounts/user';
import { askForCaricature, openaiSettings, signUpWithPet } from '../../../testing/data/caricatures.ts';
import { postSms } from '../../../testing/data/inbound-sms.ts';
import { startOpenaiServer } from '../../../testing/fakes/openai-server.ts';
import { startSmtpServer } from '../../../testing/fakes/smtp-server.ts';
import type { TestClient } from '../../../testing/clients/test-client.ts';
import { startTestServer } from '../../../testing/test-server.ts';
import { startTwilioServer, TWILIO_ACCOUNT } from '../../../testing/fakes/twilio-server.ts';
import { describeAccess } from '../../../app/describe-access.ts';
import { updateUser } from './user-queries.ts';

const REJECTED = [
  403,
  { message: expect.stringContaining('confirm your email address') as string, code: 'email-unverified' },
];

/** Settings of what costs money. */
const paidServices = () => ({
  ...openaiSettings(openai),
  TWILIO_ACCOUNT_SID: TWILIO_ACCOUNT.sid,
  TWILIO_AUTH_TOKEN: TWILIO_ACCOUNT.authToken,
  TWILIO_PHONE_NUMBER: '+12025550100',
  TWILIO_API_URL: twilio.url,
});

const smtp = await startSmtpServer();
const twilio = await startTwilioServer();
const openai = await startOpenaiServer();
const free = await startTestServer({ env: smtp.env });
const paid = await startTestServer({ env: { ...smtp.env, ...paidServices() } });
afterAll(() => openai.close());
beforeEach(() => {
  twilio.received.length = 0;
});

const confirm = (userId: string) => updateUser(paid.context.db, userId, { emailVerifiedAt: new Date() });

describe('what costs money', () => {
  it('a text is only sent for an account with a confirmed address', async () => {
    const owner = await paid.signUp();
    expect(((await owner.get('/api/user')).body as User).emailVerified).toBe(false);
    const send = () => owner.post('/api/sms/send-verification', { phoneNumber: '+12065550123' });
    const rejected = await send();
    expect([rejected.status, rejected.body]).toMatchObject(REJECTED);
    expect(twilio.received).toEqual([]);
    await confirm(owner.userId);
    expect((await send()).status).toBe(200);
    expect(twilio.received).toHaveLength(1);
  });

  it('a caricature by the paid service is only started for an account with a confirmed address', async () => {
    const owner = await signUpWithPet(paid);
    const rejected = await askForCaricature(owner);
    expect([rejected.status, rejected.body]).toMatchObject(REJECTED);
    const options = (await owner.get('/api/caricatures/options')).body as {
      remaining: number;
      limit: number;
    };
    expect(options.remaining).toBe(options.limit);
    await confirm(owner.userId);
    expect((await askForCaricature(owner)).status).toBe(202);
  });
});

describe('what costs money, without a mail server', () => {
  const text = (client: TestClient, headers?: Record<string, string>) =>
    client.post('/api/sms/send-verification', { phoneNumber: '+12065550123' }, headers);
  const OFF =
    'Twilio and OpenAI are off: anyone can create an account here, and no address is verified. Set SMTP_URL, or REGISTRATION=invite.';
  const NO_MAIL_SERVER = { message: expect.stringContaining('SMTP_URL') as string, code: 'forbidden' };

  it('is off where strangers can register beyond this machine, and that is said', async () => {
    const open = await startTestServer({ env: { ...paidServices(), PUBLIC_URL: 'http://mems.example' } });
    const admin = await open.signUpAdmin('admin');
    expect(await describeAccess(open.context)).toContain(OFF);
    expect((await open.visitor().get('/api/health/ready')).body).toMatchObject({
      warnings: expect.arrayContaining([OFF]) as string[],
    });
    expect((await admin.get('/api/admin/warnings')).body).toMatchObject({
      warnings: expect.arrayContaining([OFF]) as string[],
    });
    const stranger = await signUpWithPet(open);
    await updateUser(open.context.db, stranger.userId, { emailVerifiedAt: new Date() });
    // The dev outbox and the cartoon filter take their place.
    expect((await text(stranger)).status).toBe(200);
    expect((await askForCaricature(stranger)).status).toBe(202);
    await open.drainJobs();
    expect([twilio.received, openai.received.length]).toEqual([[], 0]);
    expect((await postSms(open, { from: '+12065550123', body: 'Hello' })).status).toBe(403);
  });

  it.each(['invite', 'closed'])(
    'with %s is for administrators and whom they invited',
    async (REGISTRATION) => {
      const shared = {
        PUBLIC_URL: 'http://mems.example',
        SESSION_SECRET: 'the same one at both of the servers',
      };
      const before = await startTestServer({ env: shared });
      const ids = { stranger: '', admin: '' };
      ids.stranger = (await before.signUp('stranger')).userId;
      ids.admin = (await before.signUpAdmin('admin')).userId;
      const env = { ...paidServices(), ...shared, REGISTRATION, DATABASE_URL: before.databaseUrl };
      const invitationsOnly = await startTestServer({ env });
      const signInWithPet = (name: keyof typeof ids) =>
        signUpWithPet({
          async signUp() {
            const client = invitationsOnly.visitor();
            await client.post('/api/login', { email: `${name}@mems.example`, password: 'correct horse' });
            return Object.assign(client, { userId: ids[name] });
          },
        });
      const stranger = await signInWithPet('stranger');
      for (const rejected of [await text(stranger), await askForCaricature(stranger)])
        expect([rejected.status, rejected.body]).toEqual([403, NO_MAIL_SERVER]);
      expect(twilio.received).toEqual([]);
      const admin = await signInWithPet('admin');
      expect((await text(admin)).status).toBe(200);
      expect((await askForCaricature(admin)).status).toBe(202);
      const { url } = (await admin.post('/api/admin/invitations', {})).body as CreatedInvitation;
      const account = { email: 'oma@family.example', username: 'oma', password: 'correct horse' };
      const invited = invitationsOnly.visitor();
      await invited.post('/api/register', { ...account, invitationToken: url.split('invite=')[1] });
      expect((await text(invited)).status).toBe(200);
      expect(twilio.received).toHaveLength(2);
    },
  );

  it('works for everyone at an own machine, but not through a proxy or tunnel', async () => {
    const local = await startTestServer({ env: paidServices() });
    await local.signUp('administrator');
    const person = await signUpWithPet(local);
    expect((await text(person, { 'X-Forwarded-For': '203.0.113.7' })).status).toBe(403);
    expect((await text(person)).status).toBe(200);
    expect((await askForCaricature(person)).status).toBe(202);
  });
});

describe('what is free', () => {
  it('needs no confirmed address: the cartoon filter, and codes in the dev outbox', async () => {
    const owner = await signUpWithPet(free, { agrees: false });
    expect(((await owner.get('/api/user')).body as User).emailVerified).toBe(false);
    expect((await askForCaricature(owner)).status).toBe(202);
    const code = await owner.post('/api/sms/send-verification', { phoneNumber: '+12065550123' });
    expect(code.status).toBe(200);
  });
});
