import { randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, it } from 'vitest';
import type { Activity } from '#shared/accounts/activity';
import type { RecoveryCodes } from '#shared/accounts/second-factor';
import type { PendingEmailChange, UndoEmailChangeResponse, User } from '#shared/accounts/user';
import { holdLocks, holdUser, waitForBlockedConnection } from '../../../testing/timing/lock-waits.ts';
import { startSmtpServer } from '../../../testing/fakes/smtp-server.ts';
import type { TestClient, TestResponse } from '../../../testing/clients/test-client.ts';
import { startTestServer } from '../../../testing/test-server.ts';
import { totpCode, turnTotpOn } from '../../../testing/clients/totp.ts';
import { insertIdentity, listIdentities } from '../oidc/oidc-queries.ts';
import { createPasskey, listPasskeys } from '../passkeys/passkey-queries.ts';
import { purgeExpiredRowsJob } from '../../../app/purge-expired-rows-job.ts';
import { updateUser } from '../users/user-queries.ts';

type Owner = TestClient & { userId: string; email: string; newEmail: string };

let owner: Owner;
let now = new Date('2026-06-01T12:00:00Z');
let accounts = 0;
const passHours = (hours: number) => {
  now = new Date(now.getTime() + hours * 60 * 60 * 1000);
};

const smtp = await startSmtpServer();
const server = await startTestServer({
  overrides: { clock: { now: () => now } },
  env: {
    ...smtp.env,
    INBOUND_MAIL_DOMAIN: 'in.mems.example',
    INBOUND_MAIL_SECRET: 'a-secret-for-the-tests-of-inbound-email',
  },
});
await server.signUp('first');
beforeEach(async () => {
  owner = await signUpVerified();
  await server.drainJobs();
  smtp.received.length = 0;
});

async function signUpVerified(): Promise<Owner> {
  const name = `mover${++accounts}`;
  const client = await server.signUp(name);
  await updateUser(server.context.db, client.userId, { emailVerifiedAt: now, verifyEmailBy: null });
  return Object.assign(client, { email: `${name}@mems.example`, newEmail: `${name}@new.example` });
}

const emails = () => server.drainJobs().then(() => smtp.emails());
const recipients = async () => (await emails()).map(({ to, subject }) => `${to}: ${subject}`).sort();
const tokenFor = async (to: string, subject: string) =>
  (await emails()).findLast((each) => each.to === to && each.subject === subject)?.token ?? '';
const confirmToken = (to: string) => tokenFor(to, 'Confirm your new email address');
const undoToken = (to: string) => tokenFor(to, 'Your email address was changed');

const change = (client: TestClient, email: string) =>
  client.request('PATCH', '/api/user/email', { json: { email } });
const confirm = (client: TestClient, token: string) => client.post('/api/user/email/confirm', { token });
const undo = (token: string) => server.visitor().post('/api/user/email/undo', { token });
const me = async (client: TestClient) => (await client.get('/api/user')).body as User;
const pending = async (client: TestClient) =>
  ((await client.get('/api/user/email/change')).body as PendingEmailChange).pending;

/** In the database: these tests' address is plain http, where browsers have no passkeys. */
const addPasskey = ({ userId: ownerId }: Owner) =>
  server.context.db.transaction((tx) =>
    createPasskey(tx, {
      ownerId,
      credentialId: randomUUID(),
      publicKey: '',
      counter: 0,
      transports: [],
      name: 'A passkey',
      createdAt: now,
    }),
  );

const addIdentity = ({ userId }: Owner) =>
  server.context.db.transaction((tx) =>
    insertIdentity(tx, userId, { issuer: 'https://issuer.example', subject: randomUUID(), label: null }, now),
  );

const confirmIdentity = async (client: TestClient) =>
  expect((await client.post('/api/session/proof', { password: 'correct horse' })).status).toBe(204);

async function chooseNewPassword({ resetToken: token }: UndoEmailChangeResponse): Promise<void> {
  const reset = await server.visitor().post('/api/password/reset', { token, password: 'a better horse' });
  expect(reset.status).toBe(200);
}

async function logIn(email: string, password = 'correct horse'): Promise<number> {
  return (await server.visitor().post('/api/login', { email, password })).status;
}

/** Sends the requests in this order, each when the one before it waits for the user's row. */
async function queueAtUserRow(
  { userId }: Owner,
  requests: (() => Promise<TestResponse>)[],
): Promise<TestResponse[]> {
  const holder = await holdUser(server.databaseUrl, userId);
  const responses: Promise<TestResponse>[] = [];
  for (const send of requests) {
    responses.push(send());
    await waitForBlockedConnection(server.databaseUrl, responses.length);
  }
  await holder.commit();
  return Promise.all(responses);
}

/** The owner, at another browser. */
async function signInAgain(password = 'correct horse'): Promise<TestClient> {
  const browser = server.visitor();
  expect((await browser.post('/api/login', { email: owner.email, password })).status).toBe(200);
  return browser;
}

/** The owner's address is changed, perhaps by a thief with the session and the password. */
async function changeTo(client: TestClient, email: string): Promise<void> {
  expect((await change(client, email)).status).toBe(202);
  expect((await confirm(client, await confirmToken(email))).status).toBe(204);
}

describe('changing the email address', () => {
  it('happens when the new address confirms it, and both addresses are told', async () => {
    expect((await change(owner, owner.newEmail)).status).toBe(202);
    expect((await me(owner)).email).toBe(owner.email);
    expect(await pending(owner)).toEqual({
      email: owner.newEmail,
      expiresAt: new Date(now.getTime() + 24 * 60 * 60 * 1000).toISOString(),
    });
    expect(await recipients()).toEqual([
      `${owner.email}: Your email address is about to change`,
      `${owner.newEmail}: Confirm your new email address`,
    ]);
    const token = await confirmToken(owner.newEmail);
    smtp.received.length = 0;
    expect((await confirm(owner, token)).status).toBe(204);
    expect(await me(owner)).toMatchObject({ email: owner.newEmail, emailVerified: true });
    expect(await pending(owner)).toBeNull();
    expect(await recipients()).toEqual([
      `${owner.email}: Your email address was changed`,
      `${owner.newEmail}: This is your new email address`,
    ]);
    expect([await logIn(owner.email), await logIn(owner.newEmail)]).toEqual([401, 200]);
  });

  it('says what, when in the owner’s time zone, and on which device', async () => {
    await owner.get('/api/user', { 'X-Time-Zone': 'Europe/Vienna' });
    const headers = {
      'User-Agent': 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0',
    };
    await owner.request('PATCH', '/api/user/email', { json: { email: owner.newEmail }, headers });
    const told = (await emails()).find(({ to }) => to === owner.email);
    const text = told?.text.replaceAll('\u2060', '');
    expect(text).toContain(`change the email address of your account to ${owner.newEmail}`);
    expect(text).toMatch(/June \d, 2026 at \d+:\d\d\s[AP]M GMT\+2, Firefox on Linux, 127\.0\.0\.0\/24/);
    expect(text).toMatch(/This was not me: http:\/\/mems\.example\/undo-email#[\w-]{43}/);
  });

  it('needs a session of the account, not only the link and the password', async () => {
    await change(owner, owner.newEmail);
    const token = await confirmToken(owner.newEmail);
    const withPassword = { token, password: 'correct horse' };
    expect((await server.visitor().post('/api/user/email/confirm', withPassword)).status).toBe(401);
    const rejected = await confirm(await server.signUp(), token);
    expect([rejected.status, rejected.body]).toMatchObject([
      403,
      { message: expect.stringContaining(owner.email) as string },
    ]);
    expect((await me(owner)).email).toBe(owner.email);
    expect((await confirm(await signInAgain(), token)).status).toBe(204);
    expect((await me(owner)).email).toBe(owner.newEmail);
  });

  it('works once, also for two clicks at once', async () => {
    await change(owner, owner.newEmail);
    const token = await confirmToken(owner.newEmail);
    const statuses = (await Promise.all([confirm(owner, token), confirm(owner, token)])).map(
      (each) => each.status,
    );
    expect(statuses.sort()).toEqual([204, 422]);
    expect((await confirm(owner, token)).status).toBe(422);
    expect(
      (await emails()).filter(({ subject }) => subject === 'Your email address was changed'),
    ).toHaveLength(1);
  });

  it('is not possible by a link after 24 hours', async () => {
    await change(owner, owner.newEmail);
    const token = await confirmToken(owner.newEmail);
    passHours(24);
    expect((await confirm(owner, token)).status).toBe(422);
    expect(await pending(owner)).toBeNull();
    expect((await me(owner)).email).toBe(owner.email);
  });

  it('is possible by the latest link only', async () => {
    await change(owner, owner.newEmail);
    const earlier = await confirmToken(owner.newEmail);
    await change(owner, `other-${owner.newEmail}`);
    expect((await confirm(owner, earlier)).status).toBe(422);
    expect((await confirm(owner, await confirmToken(`other-${owner.newEmail}`))).status).toBe(204);
    expect((await me(owner)).email).toBe(`other-${owner.newEmail}`);
  });

  it('leaves one link for two requests at once', async () => {
    const targets = [`a-${owner.newEmail}`, `b-${owner.newEmail}`];
    await Promise.all(targets.map((email) => change(owner, email)));
    const tokens = [];
    // One after the other: jobs that one drain runs are none for another.
    for (const target of targets) tokens.push(await confirmToken(target));
    expect(tokens).not.toContain('');
    const statuses = [];
    for (const token of tokens) statuses.push((await confirm(owner, token)).status);
    expect(statuses.sort()).toEqual([204, 422]);
  });

  it('is not possible once another account has the address', async () => {
    await change(owner, owner.newEmail);
    const token = await confirmToken(owner.newEmail);
    const { status } = await server
      .visitor()
      .post('/api/register', { email: owner.newEmail, username: 'quicker', password: 'correct horse' });
    expect(status).toBe(201);
    expect((await confirm(owner, token)).status).toBe(409);
    expect((await me(owner)).email).toBe(owner.email);
    const taken = await change(owner, owner.newEmail.toUpperCase());
    expect([taken.status, (taken.body as { fields: object }).fields]).toEqual([
      409,
      { email: 'An account with this email address already exists' },
    ]);
  });

  it('gives an address to one of two accounts that confirm it at once', async () => {
    const rival = await signUpVerified();
    await change(owner, 'shared@new.example');
    const mine = await confirmToken('shared@new.example');
    smtp.received.length = 0;
    await change(rival, 'shared@new.example');
    const theirs = await confirmToken('shared@new.example');
    const statuses = (await Promise.all([confirm(owner, mine), confirm(rival, theirs)])).map(
      (each) => each.status,
    );
    expect(statuses.sort()).toEqual([204, 409]);
  });

  it('can be cancelled', async () => {
    await change(owner, owner.newEmail);
    expect((await owner.request('DELETE', '/api/user/email/change')).status).toBe(204);
    expect(await pending(owner)).toBeNull();
    expect((await confirm(owner, await confirmToken(owner.newEmail))).status).toBe(422);
    expect((await owner.request('DELETE', '/api/user/email/change')).status).toBe(204);
    const activity = (await owner.get('/api/user/activity')).body as Activity[];
    expect(activity.filter(({ kind }) => kind === 'email-change-cancelled')).toHaveLength(1);
  });

  it('is not requested after a reset of the password that came first', async () => {
    await server.visitor().post('/api/password/forgot', { email: owner.email });
    const token = await tokenFor(owner.email, 'Choose a new password');
    const responses = await queueAtUserRow(owner, [
      () => server.visitor().post('/api/password/reset', { token, password: 'a better horse' }),
      () => change(owner, owner.newEmail),
    ]);
    expect(responses.map(({ status }) => status)).toEqual([200, 401]);
    expect(await pending(await signInAgain('a better horse'))).toBeNull();
  });

  it('does not outlive a changed password, nor a reset one', async () => {
    await change(owner, owner.newEmail);
    const json = { currentPassword: 'correct horse', password: 'a better horse' };
    expect((await owner.request('PATCH', '/api/user/password', { json })).status).toBe(204);
    expect((await confirm(owner, await confirmToken(owner.newEmail))).status).toBe(422);

    await change(owner, owner.newEmail);
    const latest = await confirmToken(owner.newEmail);
    const visitor = server.visitor();
    await visitor.post('/api/password/forgot', { email: owner.email });
    const token = await tokenFor(owner.email, 'Choose a new password');
    expect((await visitor.post('/api/password/reset', { token, password: 'the best horse' })).status).toBe(
      200,
    );
    expect((await confirm(await signInAgain('the best horse'), latest)).status).toBe(422);
  });

  it.each(['change', 'new password'])(
    'and a concurrent reset of the password: the %s counts if it is first',
    async (first) => {
      await change(owner, owner.newEmail);
      const changeToken = await confirmToken(owner.newEmail);
      await server.visitor().post('/api/password/forgot', { email: owner.email });
      const token = await tokenFor(owner.email, 'Choose a new password');
      const attempts = [
        () => confirm(owner, changeToken),
        () => server.visitor().post('/api/password/reset', { token, password: 'a better horse' }),
      ];
      if (first === 'new password') attempts.reverse();
      const statuses = (await queueAtUserRow(owner, attempts)).map(({ status }) => status);
      // A new password ends the session, too.
      expect(statuses).toEqual(first === 'change' ? [204, 422] : [200, 401]);
      const expected = first === 'change' ? [401, 200] : [401, 401];
      expect([await logIn(owner.email), await logIn(owner.newEmail)]).toEqual(expected);
      expect(await logIn(owner.email, 'a better horse')).toBe(first === 'change' ? 401 : 200);
    },
  );

  it('rejects the same address, those of this installation, and what is none', async () => {
    for (const email of [owner.email.toUpperCase(), 'x@in.mems.example', 'album@mems.example', 'nonsense', 7])
      expect((await owner.request('PATCH', '/api/user/email', { json: { email } })).status).toBe(422);
    expect(await emails()).toEqual([]);
  });

  it('is limited to some emails per hour', async () => {
    for (let n = 0; n < 5; n++) expect((await change(owner, `${n}-${owner.newEmail}`)).status).toBe(202);
    expect((await change(owner, owner.newEmail)).status).toBe(429);
  });

  it('ends the links that were sent to the old address', async () => {
    await server.visitor().post('/api/password/forgot', { email: owner.email });
    const token = await tokenFor(owner.email, 'Choose a new password');
    expect(token).not.toBe('');
    await changeTo(owner, owner.newEmail);
    expect(
      (await server.visitor().post('/api/password/reset', { token, password: 'a new horse' })).status,
    ).toBe(422);
  });

  it('of an account that was never verified tells the old address nothing, and is not undone', async () => {
    const typo = await server.signUp('typo');
    await server.drainJobs();
    smtp.received.length = 0;
    await changeTo(typo, 'right@new.example');
    expect(await me(typo)).toMatchObject({ email: 'right@new.example', emailVerified: true });
    expect((await emails()).filter(({ to }) => to !== 'right@new.example')).toEqual([]);
  });
});

describe('undoing a change of the email address', () => {
  it('puts the old address back, signs out every device, and leads to a new password', async () => {
    await changeTo(owner, owner.newEmail);
    const undone = await undo(await undoToken(owner.email));
    expect(undone.status).toBe(200);
    expect((await owner.get('/api/user')).status).toBe(401);
    // The person who changed it may know the password.
    expect([await logIn(owner.email), await logIn(owner.newEmail)]).toEqual([401, 401]);
    const { resetToken: token } = undone.body as UndoEmailChangeResponse;
    const reset = await server.visitor().post('/api/password/reset', { token, password: 'a better horse' });
    expect(reset.status).toBe(200);
    const again = server.visitor();
    await again.post('/api/login', { email: owner.email, password: 'a better horse' });
    expect(await me(again)).toMatchObject({ id: owner.userId, email: owner.email, emailVerified: true });
    expect(await recipients()).toContain(`${owner.email}: This is your email address again`);
  });

  it('removes all passkeys and connected sign-ins, and an authenticator app that was set up since', async () => {
    await addPasskey(owner);
    await addIdentity(owner);
    await changeTo(owner, owner.newEmail);
    await turnTotpOn(owner, now);
    await addPasskey(owner);
    const told = (await emails()).find(({ subject }) => subject === 'Your email address was changed');
    expect(told?.text).toContain('an authenticator app set up in the last days are removed');
    const undone = await undo(await undoToken(owner.email));
    expect(await listPasskeys(server.context.db, owner.userId)).toEqual([]);
    expect(await listIdentities(server.context.db, owner.userId)).toEqual([]);
    await chooseNewPassword(undone.body as UndoEmailChangeResponse);
    expect(await logIn(owner.email, 'a better horse')).toBe(200);
  });

  it.each([
    ['removes', 47, 200],
    ['keeps', 49, 202],
  ])('%s an authenticator app that was set up %d hours before', async (_verb, hours, status) => {
    await turnTotpOn(owner, now);
    passHours(hours);
    await confirmIdentity(owner);
    await changeTo(owner, owner.newEmail);
    const undone = await undo(await undoToken(owner.email));
    await chooseNewPassword(undone.body as UndoEmailChangeResponse);
    expect(await logIn(owner.email, 'a better horse')).toBe(status);
  });

  it('removes recovery codes that were renewed since, and keeps the app', async () => {
    const { secret } = await turnTotpOn(owner, now);
    passHours(49);
    await confirmIdentity(owner);
    const renewed = await owner.post('/api/user/recovery-codes');
    const [code] = (renewed.body as RecoveryCodes).codes;
    await changeTo(owner, owner.newEmail);
    const undone = await undo(await undoToken(owner.email));
    await chooseNewPassword(undone.body as UndoEmailChangeResponse);
    const browser = server.visitor();
    await browser.post('/api/login', { email: owner.email, password: 'a better horse' });
    expect((await browser.post('/api/login/code', { code })).status).toBe(422);
    expect((await browser.post('/api/login/code', { code: totpCode(secret, now) })).status).toBe(200);
  });

  it('also ends a change that waits for its confirmation', async () => {
    await change(owner, owner.newEmail);
    const token = await confirmToken(owner.newEmail);
    const undone = await undo(await tokenFor(owner.email, 'Your email address is about to change'));
    expect(undone.status).toBe(200);
    await chooseNewPassword(undone.body as UndoEmailChangeResponse);
    expect((await confirm(await signInAgain('a better horse'), token)).status).toBe(422);
    expect(await logIn(owner.email)).toBe(401);
  });

  it.each(['confirmation', 'undoing'])(
    'leaves the old address when the change is confirmed at once: first the %s',
    async (first) => {
      await change(owner, owner.newEmail);
      const confirmation = await confirmToken(owner.newEmail);
      const undoing = await tokenFor(owner.email, 'Your email address is about to change');
      const attempts = [() => confirm(owner, confirmation), () => undo(undoing)];
      if (first === 'undoing') attempts.reverse();
      const statuses = (await queueAtUserRow(owner, attempts)).map(({ status }) => status);
      expect(statuses).toEqual(first === 'confirmation' ? [204, 200] : [200, 401]);
      expect([await logIn(owner.email), await logIn(owner.newEmail)]).toEqual([401, 401]);
      const [email] = (
        await server.context.db.execute(`select email from users where id = '${owner.userId}'`)
      ).rows;
      expect(email).toEqual({ email: owner.email });
    },
  );

  it('works while the account is asleep, and a sign-in with the new password brings it back', async () => {
    const { username } = await me(owner);
    await changeTo(owner, owner.newEmail);
    expect((await owner.request('DELETE', '/api/user', { json: { username } })).status).toBe(204);
    const undone = await undo(await undoToken(owner.email));
    await chooseNewPassword(undone.body as UndoEmailChangeResponse);
    expect((await me(await signInAgain('a better horse'))).email).toBe(owner.email);
  });

  it('works once, also for two clicks at once', async () => {
    await changeTo(owner, owner.newEmail);
    const token = await undoToken(owner.email);
    const responses = await Promise.all([undo(token), undo(token)]);
    expect(responses.map(({ status }) => status).sort()).toEqual([200, 422]);
    expect((await undo(token)).status).toBe(422);
  });

  it('works for 48 hours after the change', async () => {
    await change(owner, owner.newEmail);
    passHours(20);
    await confirm(owner, await confirmToken(owner.newEmail));
    const late = await signUpVerified();
    await changeTo(late, late.newEmail);
    passHours(47);
    expect((await undo(await undoToken(owner.email))).status).toBe(200);
    passHours(1);
    expect((await undo(await undoToken(late.email))).status).toBe(422);
  });

  it('wins against links to a new password that the new address has, used or not', async () => {
    await changeTo(owner, owner.newEmail);
    const visitor = server.visitor();
    await visitor.post('/api/password/forgot', { email: owner.newEmail });
    const used = await tokenFor(owner.newEmail, 'Choose a new password');
    await visitor.post('/api/password/reset', { token: used, password: 'the thief’s horse' });
    await visitor.post('/api/password/forgot', { email: owner.newEmail });
    const unused = await tokenFor(owner.newEmail, 'Choose a new password');
    expect(unused).not.toBe(used);
    // Requested, but sent after the change was undone.
    await visitor.post('/api/password/forgot', { email: owner.newEmail });
    expect((await undo(await undoToken(owner.email))).status).toBe(200);
    expect((await visitor.post('/api/password/reset', { token: unused, password: 'mine now' })).status).toBe(
      422,
    );
    expect(await logIn(owner.email, 'the thief’s horse')).toBe(401);
  });

  it('leaves no link that was being sent to the new address', async () => {
    await changeTo(owner, owner.newEmail);
    await server.drainJobs();
    smtp.received.length = 0;
    await server.visitor().post('/api/password/forgot', { email: owner.newEmail });
    const undoing = await holdLocks(server.databaseUrl, 'update users set email = $1 where id = $2', [
      owner.email,
      owner.userId,
    ]);
    const sending = server.drainJobs();
    await waitForBlockedConnection(server.databaseUrl);
    await undoing.commit();
    await sending;
    expect(await recipients()).toEqual([`${owner.email}: Choose a new password`]);
  });

  it('wins against a concurrent reset of the password by the new address', async () => {
    await changeTo(owner, owner.newEmail);
    await server.visitor().post('/api/password/forgot', { email: owner.newEmail });
    const token = await tokenFor(owner.newEmail, 'Choose a new password');
    const thief = () =>
      server.visitor().post('/api/password/reset', { token, password: 'the thief’s horse' });
    const [undone] = await Promise.all([undo(await undoToken(owner.email)), thief()]);
    expect(undone.status).toBe(200);
    expect(await logIn(owner.email, 'the thief’s horse')).toBe(401);
    expect(await logIn(owner.newEmail, 'the thief’s horse')).toBe(401);
  });

  it('wins against later changes, whose links give nothing back', async () => {
    await changeTo(owner, owner.newEmail);
    const oldest = await undoToken(owner.email);
    passHours(1);
    await owner.post('/api/session/proof', { password: 'correct horse' });
    await changeTo(owner, 'thief@evil.example');
    const later = await undoToken(owner.newEmail);
    await change(owner, 'thief2@evil.example');
    const waiting = await confirmToken('thief2@evil.example');
    const undone = await undo(oldest);
    expect(undone.status).toBe(200);
    const { resetToken: token } = undone.body as UndoEmailChangeResponse;
    await server.visitor().post('/api/password/reset', { token, password: 'a better horse' });
    expect((await undo(later)).status).toBe(422);
    expect((await confirm(await signInAgain('a better horse'), waiting)).status).toBe(422);
    expect(await logIn(owner.email, 'a better horse')).toBe(200);
  });

  it('always finds the old address free: until then it can’t be registered or taken', async () => {
    await changeTo(owner, owner.newEmail);
    const squatter = { email: owner.email, username: 'squatter', password: 'correct horse' };
    expect((await server.visitor().post('/api/register', squatter)).status).toBe(409);
    const rival = await signUpVerified();
    expect((await change(rival, owner.email)).status).toBe(409);
    expect((await undo(await undoToken(owner.email))).status).toBe(200);
  });

  it('frees the old address after 48 hours', async () => {
    await changeTo(owner, owner.newEmail);
    passHours(48);
    const next = {
      email: owner.email,
      username: `next-of-${owner.userId.slice(-8)}`,
      password: 'correct horse',
    };
    expect((await server.visitor().post('/api/register', next)).status).toBe(201);
    expect((await undo(await undoToken(owner.email))).status).toBe(422);
  });

  it('lets the owner change back, which the address in between cannot undo', async () => {
    await changeTo(owner, owner.newEmail);
    await changeTo(owner, owner.email);
    expect((await me(owner)).email).toBe(owner.email);
    expect(await undoToken(owner.newEmail)).toBe('');
    expect(await tokenFor(owner.newEmail, 'Your email address is about to change')).toBe('');
  });

  it('stores no token, and forgets changes after two weeks', async () => {
    await changeTo(owner, owner.newEmail);
    const tokens = [await confirmToken(owner.newEmail), await undoToken(owner.email)];
    const rows = async () =>
      (await server.context.db.execute(`select * from email_changes where owner_id = '${owner.userId}'`))
        .rows;
    for (const token of tokens) expect(JSON.stringify(await rows())).not.toContain(token);
    passHours(15 * 24);
    await purgeExpiredRowsJob.handle(server.context, {});
    expect(await rows()).toHaveLength(1);
    passHours(2 * 24);
    await purgeExpiredRowsJob.handle(server.context, {});
    expect(await rows()).toEqual([]);
  });
});
