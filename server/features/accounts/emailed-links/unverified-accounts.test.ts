import PostalMime from 'postal-mime';
import { beforeEach, describe, expect, it } from 'vitest';
import type { Contact } from '#shared/album/contact';
import type { CreatedInvitation } from '#shared/accounts/invitation';
import type { Memory } from '#shared/album/memory';
import { MAX_UPLOAD_BYTES } from '#shared/transfers/upload';
import type { User } from '#shared/accounts/user';
import { findUser, updateUser } from '../users/user-queries.ts';
import { createPasskey } from '../passkeys/passkey-queries.ts';
import { movePhoneNumber } from '../../phone-verification/phone-number-queries.ts';
import { addContact, addMemory, addPet, deleteMemory } from '../../../testing/data/factories.ts';
import { createTestLog } from '../../../testing/environment/test-log.ts';
import { holdUser, waitForBlockedConnection } from '../../../testing/timing/lock-waits.ts';
import { startSmtpServer } from '../../../testing/fakes/smtp-server.ts';
import type { TestClient } from '../../../testing/clients/test-client.ts';
import { startTestServer } from '../../../testing/test-server.ts';
import { turnTotpOn } from '../../../testing/clients/totp.ts';
import { claimShare } from '../../shares/share-queries.ts';
import { shareUrl } from '../../../platform/share-url.ts';
import { purgeUnverifiedUsersJob } from './purge-unverified-users-job.ts';
import { purgeExpiredRowsJob } from '../../../app/purge-expired-rows-job.ts';

type Owner = TestClient & { userId: string };

let now = new Date('2026-06-01T12:00:00Z');
const passDays = (days: number) => {
  now = new Date(now.getTime() + days * 24 * 60 * 60 * 1000);
};

const log = createTestLog();

const smtp = await startSmtpServer();
const server = await startTestServer({
  overrides: { clock: { now: () => now }, logger: log.logger },
  env: {
    ...smtp.env,
    LOGIN_ATTEMPTS_PER_ACCOUNT: '4',
    INBOUND_MAIL_DOMAIN: 'in.mems.example',
    INBOUND_MAIL_SECRET: 'a-secret-for-the-tests-of-inbound-email',
  },
});
beforeEach(async () => {
  await server.drainJobs();
  smtp.received.length = 0;
});

const emails = () => server.drainJobs().then(() => smtp.emails());
/** Of the last email to an account's own address. */
const lastToken = async () =>
  (await emails()).findLast(({ to }) => to.endsWith('@mems.example'))?.token ?? '';
const me = async (client: TestClient) => (await client.get('/api/user')).body as User;
const isAlive = async (client: TestClient) => (await client.get('/api/user')).status === 200;
const listOf = async (client: TestClient, path: string) => (await client.get(path)).body as unknown[];

async function logIn(email: string, password: string): Promise<TestClient> {
  const client = server.visitor();
  expect((await client.post('/api/login', { email, password })).status).toBe(200);
  return client;
}

/** A stranger registers somebody's address and prepares the account. */
async function prepareAccount(name: string): Promise<Owner & { email: string; shareUrl: string }> {
  const stranger = await server.signUp(name);
  await addContact(stranger, { name: 'Stranger', email: 'stranger@evil.example' });
  await stranger.request('PUT', '/api/user/allowed-senders', {
    json: { addresses: ['stranger@evil.example'] },
  });
  const { id } = await addMemory(stranger, { caption: 'Of the first registration' });
  const { db } = server.context;
  // Of an earlier release, which had links for unverified accounts.
  const share = { ownerId: stranger.userId, memoryId: id, contactId: null, createdAt: now };
  const url = shareUrl(server.context, await db.transaction((tx) => claimShare(tx, share)));
  await db.transaction((tx) => movePhoneNumber(tx, stranger.userId, '+12065550199', now));
  await updateUser(db, stranger.userId, { caricatureConsentAt: now });
  await turnTotpOn(stranger, now);
  await db.transaction((tx) =>
    createPasskey(tx, {
      ownerId: stranger.userId,
      credentialId: stranger.userId,
      publicKey: '',
      counter: 0,
      transports: [],
      name: 'Of the stranger',
      createdAt: now,
    }),
  );
  return Object.assign(stranger, { email: `${name}@mems.example`, shareUrl: url });
}

async function expectNoSetup(owner: TestClient, before: { inboundEmail: string | null; shareUrl: string }) {
  expect(await listOf(owner, '/api/contacts')).toEqual([]);
  expect((await owner.get('/api/user/allowed-senders')).body).toEqual({ addresses: [] });
  expect(await listOf(owner, '/api/user/passkeys')).toEqual([]);
  expect((await owner.get('/api/user/second-factor')).body).toEqual({
    totpSince: null,
    recoveryCodesLeft: 0,
  });
  const user = await me(owner);
  expect(user).toMatchObject({ emailVerified: true, phoneNumber: null, phoneVerified: false });
  expect(user.inboundEmail).not.toBe(before.inboundEmail);
  expect((await server.visitor().get(new URL(before.shareUrl).pathname)).status).toBe(404);
  await addMemory(owner);
  expect((await emails()).map(({ to }) => to)).not.toContain('stranger@evil.example');
}

describe('an account whose address is not verified', () => {
  const askForUrl = (client: TestClient) =>
    client.post('/api/objects/upload', { contentType: 'image/jpeg', size: MAX_UPLOAD_BYTES });

  it('holds 100 MB, which confirming the address lifts', async () => {
    const owner = await server.signUp('much');
    const token = await lastToken();
    for (let n = 0; n < 10; n++) expect((await askForUrl(owner)).status).toBe(200);
    const rejected = await askForUrl(owner);
    expect([rejected.status, rejected.body]).toEqual([
      413,
      {
        message:
          'Your album is full: it holds 100 MB until you confirm your email address. Please confirm it to add more.',
        code: 'album-full',
      },
    ]);
    expect((await owner.post('/api/user/verify-email', { token })).status).toBe(204);
    expect((await askForUrl(owner)).status).toBe(200);
  });

  it('has no public links', async () => {
    const owner = await server.signUp('sharer');
    const token = await lastToken();
    const { id } = await addMemory(owner);
    const share = () => owner.post(`/api/memories/${id}/share`);
    const rejected = await share();
    expect([rejected.status, rejected.body]).toMatchObject([403, { code: 'email-unverified' }]);
    expect((await owner.get(`/api/memories/${id}/share`)).body).toEqual({ url: null });
    expect((await owner.post('/api/user/verify-email', { token })).status).toBe(204);
    expect((await share()).status).toBe(200);
  });

  it('has no name in the emails to the address, which may be somebody else’s', async () => {
    const account = { email: 'victim@else.example', username: 'Win a prize', password: 'correct horse' };
    const stranger = server.visitor();
    await stranger.post('/api/register', { ...account, firstName: 'Call 555', lastName: 'now' });
    await server.visitor().post('/api/password/forgot', { email: account.email });
    await server.visitor().post('/api/register', { ...account, username: 'another' });
    await server.drainJobs();
    const sent = smtp.received.filter(({ to }) => to[0] === account.email);
    expect(sent).toHaveLength(3);
    for (const { mime } of sent) {
      const { html = '', text = '', to } = await PostalMime.parse(mime);
      expect(text).toContain('Hello,\n');
      expect(`${html} ${text} ${JSON.stringify(to)}`).not.toMatch(/Win a prize|Call 555|now,|another/);
    }
  });

  it('loses the names with the reset of the password', async () => {
    const stranger = server.visitor();
    const account = { email: 'named@mems.example', username: 'rude name', password: 'correct horse' };
    await stranger.post('/api/register', { ...account, firstName: 'Rude', lastName: 'Name' });
    await server.visitor().post('/api/password/forgot', { email: account.email });
    const token = await lastToken();
    expect(
      (await server.visitor().post('/api/password/reset', { token, password: 'a better horse' })).status,
    ).toBe(200);
    expect(await me(await logIn(account.email, 'a better horse'))).toMatchObject({
      username: expect.stringMatching(/^album-[0-9a-f]{12}$/) as string,
      firstName: null,
      lastName: null,
    });
  });
});

describe('a confirmation link', () => {
  it('does not verify the account of a stranger who registered the address', async () => {
    const stranger = await server.signUp();
    const token = await lastToken();
    const { email } = await me(stranger);
    const visitor = server.visitor();
    const rejected = await visitor.post('/api/user/verify-email', { token });
    expect(rejected.status).toBe(403);
    expect(rejected.body).toMatchObject({ code: 'password-needed', email });
    const other = await server.signUp();
    expect((await other.post('/api/user/verify-email', { token })).status).toBe(403);
    expect((await me(stranger)).emailVerified).toBe(false);
    expect((await me(other)).emailVerified).toBe(false);
  });

  it('works with the account’s session or password, with a limit of guesses', async () => {
    const [owner, elsewhere] = [await server.signUp(), await server.signUp()];
    const [ownToken = '', otherToken = ''] = (await emails()).map(({ token }) => token);
    expect((await owner.post('/api/user/verify-email', { token: ownToken })).status).toBe(204);
    expect((await me(owner)).emailVerified).toBe(true);
    const verify = (password: string) =>
      server.visitor().post('/api/user/verify-email', { token: otherToken, password });
    const wrong = await verify('wrong one');
    expect([wrong.status, wrong.body]).toMatchObject([
      422,
      { fields: { password: 'This is not the password of this account' } },
    ]);
    expect((await verify('correct horse')).status).toBe(204);
    expect((await me(elsewhere)).emailVerified).toBe(true);
    const guessed = await server.signUp();
    const token = await lastToken();
    const statuses = [];
    for (let n = 0; n < 5; n++) {
      const guess = { token, password: `guess ${n}` };
      statuses.push((await server.visitor().post('/api/user/verify-email', guess)).status);
    }
    expect(statuses).toEqual([422, 422, 422, 422, 429]);
    expect((await me(guessed)).emailVerified).toBe(false);
    const login = { email: (await me(guessed)).email, password: 'correct horse' };
    expect((await server.visitor().post('/api/login', login)).status).toBe(429);
  });

  it('does not work for a disabled account', async () => {
    const disabled = await server.signUp();
    const token = await lastToken();
    await updateUser(server.context.db, disabled.userId, { disabledAt: new Date() });
    const request = { token, password: 'correct horse' };
    expect((await server.visitor().post('/api/user/verify-email', request)).status).toBe(403);
  });
});

describe('“This was not me”', () => {
  it('deletes the unverified account with its sessions, and tells a used link from a valid one', async () => {
    const stranger = await prepareAccount('not-me');
    const email = (await emails()).find(({ to }) => to === stranger.email);
    expect(email?.text).toContain(`http://mems.example/not-me#${email?.token}`);
    const disown = () => server.visitor().post('/api/user/disown', { token: email?.token });
    // Only a POST does it: programs that check links open them.
    expect((await server.visitor().get(`/api/user/disown?token=${email?.token}`)).status).toBe(404);
    expect(await isAlive(stranger)).toBe(true);
    const responses = await Promise.all([disown(), disown()]);
    expect(responses.map(({ status }) => status).sort()).toEqual([204, 422]);
    expect(await isAlive(stranger)).toBe(false);
    const account = { email: stranger.email, username: 'real-owner', password: 'correct horse' };
    expect((await server.visitor().post('/api/register', account)).status).toBe(201);
  });

  it('works after the confirmation link has expired, and never for a verified account', async () => {
    const [late, owner] = [await server.signUp(), await server.signUp()];
    const [lateToken, ownToken] = (await emails()).map(({ token }) => token);
    expect((await owner.post('/api/user/verify-email', { token: ownToken })).status).toBe(204);
    passDays(6);
    await purgeExpiredRowsJob.handle(server.context, {});
    const disown = (token?: string) => server.visitor().post('/api/user/disown', { token });
    expect((await disown(ownToken)).status).toBe(422);
    expect((await disown('none')).status).toBe(422);
    expect(await isAlive(owner)).toBe(true);
    expect((await disown(lateToken)).status).toBe(204);
    expect(await isAlive(late)).toBe(false);
  });
});

describe('“This was not me” and a confirmation at once', () => {
  type Act = (owner: Owner, token: string) => Promise<{ status: number }>;
  const confirm: Act = (owner, token) => owner.post('/api/user/verify-email', { token });
  const confirmByPassword: Act = (_owner, token) =>
    server.visitor().post('/api/user/verify-email', { token, password: 'correct horse' });
  const disown: Act = (_owner, token) => server.visitor().post('/api/user/disown', { token });

  it.each<[string, Act, Act]>([
    ['confirmed first', confirm, disown],
    ['confirmed first by the password', confirmByPassword, disown],
    ['disowned first', disown, confirm],
    ['disowned first, before the password', disown, confirmByPassword],
  ])('let one win: %s', async (_name, first, second) => {
    const owner = await server.signUp();
    const token = await lastToken();
    const holder = await holdUser(server.databaseUrl, owner.userId);
    const winning = first(owner, token);
    await waitForBlockedConnection(server.databaseUrl, 1);
    const losing = second(owner, token);
    await waitForBlockedConnection(server.databaseUrl, 2);
    await holder.commit();
    expect([(await winning).status, (await losing).status]).toEqual([204, 422]);
    expect(await isAlive(owner)).toBe(first !== disown);
  });
});

describe('an administrator whose address is not verified', () => {
  it('cannot be deleted by the links in emails', async () => {
    const keeper = await server.signUp('unverified-keeper');
    await updateUser(server.context.db, keeper.userId, { isAdmin: true });
    const disowned = await server.visitor().post('/api/user/disown', { token: await lastToken() });
    expect(disowned.status).toBe(422);
    const account = { username: 'unverified', password: 'a better horse' };
    await server.visitor().post('/api/register', { ...account, email: 'unverified-keeper@mems.example' });
    const token = await lastToken();
    const start = (keepsPhotos: boolean) =>
      server.visitor().post('/api/register/again', { ...account, token, keepsPhotos });
    const empty = await start(false);
    const message = 'This account runs the album, so it cannot start empty. Please keep its pets and photos.';
    expect([empty.status, empty.body]).toEqual([
      409,
      { message, code: 'conflict', fields: { keepsPhotos: message } },
    ]);
    expect(await isAlive(keeper)).toBe(true);
    // The link still works.
    const kept = await start(true);
    expect([kept.status, kept.body]).toMatchObject([201, { id: keeper.userId, isAdmin: true }]);
  });
});

describe('a disabled account whose address is not verified', () => {
  it('is neither disowned nor purged', async () => {
    const disabled = await server.signUp('disabled-unverified');
    const token = await lastToken();
    const { db } = server.context;
    await updateUser(db, disabled.userId, { disabledAt: now });
    expect((await server.visitor().post('/api/user/disown', { token })).status).toBe(422);
    for (const days of [5, 3, 3]) {
      passDays(days);
      await purgeUnverifiedUsersJob.handle(server.context, {});
      await server.drainJobs();
    }
    expect((await findUser(db, disabled.userId))?.deletionWarnedAt).toBeNull();
  });
});

describe('a password reset of an unverified account', () => {
  it('removes what was set up before, and keeps the photos', async () => {
    const stranger = await prepareAccount('prepared');
    const before = await me(stranger);
    await server.visitor().post('/api/password/forgot', { email: stranger.email });
    const token = await lastToken();
    const reset = await server.visitor().post('/api/password/reset', { token, password: 'a better horse' });
    expect([reset.status, reset.body]).toEqual([200, { isSetupRemoved: true }]);
    expect(await isAlive(stranger)).toBe(false);
    const owner = await logIn(stranger.email, 'a better horse');
    expect(await listOf(owner, '/api/memories')).toHaveLength(1);
    await expectNoSetup(owner, { ...before, shareUrl: stranger.shareUrl });
  });

  it('keeps everything of a verified account', async () => {
    const owner = await server.signUp('verified-before');
    await owner.post('/api/user/verify-email', { token: await lastToken() });
    await addContact(owner);
    await server.visitor().post('/api/password/forgot', { email: 'verified-before@mems.example' });
    const token = await lastToken();
    const reset = await server.visitor().post('/api/password/reset', { token, password: 'a better horse' });
    expect(reset.body).toEqual({ isSetupRemoved: false });
    const client = await logIn('verified-before@mems.example', 'a better horse');
    expect(await listOf(client, '/api/contacts')).toHaveLength(1);
  });
});

describe('registering an address again that was never verified', () => {
  const again = (email: string, username: string) =>
    server.visitor().post('/api/register', { email, username, password: 'a better horse' });
  const start = (client: TestClient, token: string, json: object) =>
    client.post('/api/register/again', {
      token,
      username: 'mara',
      password: 'a better horse',
      firstName: 'Mara',
      keepsPhotos: false,
      ...json,
    });

  it('changes nothing in the first account until the emailed link is used', async () => {
    const honest = await server.signUp('honest');
    await addMemory(honest);
    await addContact(honest);
    const response = await again('HONEST@mems.example', 'stranger');
    expect([response.status, response.body]).toMatchObject([
      409,
      { code: 'link-sent', fields: { email: expect.stringContaining('We sent it a link') as string } },
    ]);
    const [, link] = (await emails()).filter(({ to }) => to === 'honest@mems.example');
    expect(link).toMatchObject({ subject: 'Start your album' });
    expect(link?.text).toContain('http://mems.example/start-again#');
    expect(await isAlive(honest)).toBe(true);
    expect(await listOf(honest, '/api/memories')).toHaveLength(1);
    expect(await listOf(honest, '/api/contacts')).toHaveLength(1);
    // The confirmation of the first registration still works, and ends the second one.
    const { token } = (await emails())[0] ?? { token: '' };
    expect((await honest.post('/api/user/verify-email', { token })).status).toBe(204);
    expect((await start(server.visitor(), link?.token ?? '', {})).status).toBe(422);
    expect((await again('honest@mems.example', 'stranger')).body).toMatchObject({
      fields: { email: 'An account with this email address already exists' },
    });
  });

  it('starts with an empty album, in which nothing of the first account is left', async () => {
    const stranger = await prepareAccount('reused');
    const before = await me(stranger);
    await again(stranger.email, 'mara');
    const token = await lastToken();
    await deleteMemory(stranger, (await addMemory(stranger)).id);
    await addPet(stranger);
    const preview = (of: string) => server.visitor().post('/api/register/again/preview', { token: of });
    expect((await preview(token)).body).toEqual({ photoCount: 2, petCount: 1 });
    log.lines.length = 0;
    expect((await preview('unknown')).status).toBe(422);
    expect(log.securityEvents()).toMatchObject([
      { event: 'unknown-link', outcome: 'failure', details: { of: 'start-again' } },
    ]);
    const owner = server.visitor();
    const started = await start(owner, token, {});
    expect([started.status, started.body]).toMatchObject([
      201,
      { email: stranger.email, username: 'mara', firstName: 'Mara', emailVerified: true },
    ]);
    expect((started.body as User).id).not.toBe(stranger.userId);
    expect(await isAlive(stranger)).toBe(false);
    expect(await listOf(owner, '/api/memories')).toEqual([]);
    await expectNoSetup(owner, { ...before, shareUrl: stranger.shareUrl });
    expect((await start(server.visitor(), token, {})).status).toBe(422);
    expect((await preview(token)).status).toBe(422);
  });

  it('keeps pets and photos on request, and nothing else', async () => {
    const first = await prepareAccount('forgot-it');
    await addPet(first);
    const before = await me(first);
    await again(first.email, 'forgot-it');
    const token = await lastToken();
    const owner = server.visitor();
    const started = await start(owner, token, { username: 'forgot-it', keepsPhotos: true });
    expect([started.status, started.body]).toMatchObject([201, { username: 'forgot-it' }]);
    const [memory] = (await listOf(owner, '/api/memories')) as Memory[];
    expect(memory).toMatchObject({ caption: 'Of the first registration' });
    expect(await listOf(owner, '/api/pets')).toHaveLength(1);
    expect(await isAlive(first)).toBe(false);
    await expectNoSetup(owner, { ...before, shareUrl: first.shareUrl });
  });

  it('works once, also for two clicks at once, and for 24 hours', async () => {
    await server.signUp('clicked-twice');
    await again('clicked-twice@mems.example', 'mara-again');
    const token = await lastToken();
    const responses = await Promise.all(
      ['mara-once', 'mara-twice'].map((username) => start(server.visitor(), token, { username })),
    );
    expect(responses.map(({ status }) => status).sort()).toEqual([201, 422]);
    const late = await server.signUp('late-reader');
    await again('late-reader@mems.example', 'mara-late');
    const lateToken = await lastToken();
    passDays(1);
    expect((await start(server.visitor(), lateToken, { username: 'mara-late' })).status).toBe(422);
    expect(await isAlive(late)).toBe(true);
  });

  it('leaves link and account usable after a taken username or a common password', async () => {
    await server.signUp('taken');
    const first = await server.signUp('twice-used');
    await again('twice-used@mems.example', 'taken');
    const token = await lastToken();
    const taken = await start(server.visitor(), token, { username: 'Taken' });
    expect([taken.status, taken.body]).toMatchObject([
      409,
      { fields: { username: 'This username is already taken' } },
    ]);
    expect((await start(server.visitor(), token, { password: '123456' })).status).toBe(422);
    expect(await isAlive(first)).toBe(true);
    const responses = await Promise.all([
      start(server.visitor(), token, { username: 'lena' }),
      start(server.visitor(), token, { username: 'lena' }),
    ]);
    expect(responses.map(({ status }) => status).sort()).toEqual([201, 422]);
  });

  it('is limited per address', async () => {
    await server.signUp('flooded');
    const statuses = [];
    for (let n = 0; n < 6; n++) statuses.push((await again('flooded@mems.example', `flood-${n}`)).status);
    expect(statuses).toEqual([409, 409, 409, 409, 409, 429]);
  });

  it('counts as a taken address, also when the emails to it are limited', async () => {
    const limited = await startTestServer({
      env: { ...smtp.env, REGISTRATIONS_PER_ADDRESS: '4', ACCOUNT_MAILS_PER_HOUR: '1' },
    });
    await limited.signUp('unverified');
    const register = (name: string, username: string) => {
      const account = { email: `${name}@mems.example`, username, password: 'a better horse' };
      return limited.visitor().post('/api/register', account);
    };
    const statuses = [];
    for (let n = 0; n < 3; n++) statuses.push((await register('unverified', `other${n}`)).status);
    expect(statuses).toEqual([409, 429, 429]);
    const last = await register('new', 'new');
    expect([last.status, last.body]).toMatchObject([
      429,
      { message: expect.stringMatching(/^Too many new accounts\./) as string },
    ]);
  });
});

describe('an account whose address is not verified', () => {
  const purge = async () => {
    await purgeUnverifiedUsersJob.handle(server.context, {});
    await server.drainJobs();
  };

  it('is deleted after 7 days, announced by one email', async () => {
    const owner = await server.signUp('never-verified');
    const verified = await server.signUp('in-time');
    await verified.post('/api/user/verify-email', { token: await lastToken() });
    const memory = await addMemory(owner);
    expect((await me(owner)).verifyEmailBy).toBe(new Date(now.getTime() + 7 * 86_400_000).toISOString());
    expect((await me(verified)).verifyEmailBy).toBeNull();
    await emails();
    smtp.received.length = 0;
    const warningsOf = async () => (await emails()).filter(({ to }) => to === 'never-verified@mems.example');
    passDays(3);
    await purge();
    expect(await warningsOf()).toEqual([]);
    passDays(2);
    await purge();
    await purge();
    const warnings = await warningsOf();
    expect(warnings).toMatchObject([
      { to: 'never-verified@mems.example', subject: 'Confirm your address to keep your album' },
    ]);
    expect(warnings[0]?.text).toMatch(/will be deleted\. That will be on \w+day, June \d+, 2026\./);
    expect(await isAlive(owner)).toBe(true);
    passDays(2.1);
    log.lines.length = 0;
    await purge();
    expect(await isAlive(owner)).toBe(false);
    const events = log.securityEvents();
    expect(events.filter(({ userId }) => userId === owner.userId)).toMatchObject([
      { event: 'account-deleted', outcome: 'success', details: { reason: 'email-unverified' } },
    ]);
    expect((await verified.get('/api/user')).status).toBe(200);
    const { storage } = server.context;
    expect(await storage.sizeOf(`originals/${memory.imageUrl.split('/').at(-1)}`)).toBeNull();
  });

  it('stays when it is verified by the link of the warning', async () => {
    const owner = await server.signUp('late');
    passDays(5);
    await purge();
    const token = await lastToken();
    expect((await owner.post('/api/user/verify-email', { token })).status).toBe(204);
    passDays(10);
    await purge();
    expect(await isAlive(owner)).toBe(true);
  });

  it('stays until two days after the warning, however late that is', async () => {
    const owner = await server.signUp('warned-late');
    await emails();
    passDays(30);
    smtp.rejectNext('451 Come back later');
    await purgeUnverifiedUsersJob.handle(server.context, {});
    await server.drainJobs().catch(() => undefined);
    expect(await isAlive(owner)).toBe(true);
    await purge();
    passDays(1.9);
    await purge();
    expect(await isAlive(owner)).toBe(true);
    passDays(0.2);
    await purge();
    expect(await isAlive(owner)).toBe(false);
  });

  it('stays if an administrator invited its owner', async () => {
    const admin = await server.signUpAdmin('inviting-admin');
    const { url } = (await admin.post('/api/admin/invitations', {})).body as CreatedInvitation;
    const guest = server.visitor();
    const account = { email: 'invited@mems.example', username: 'invited', password: 'correct horse' };
    const invitationToken = url.split('invite=')[1];
    expect((await guest.post('/api/register', { ...account, invitationToken })).status).toBe(201);
    expect((await me(guest)).emailVerified).toBe(false);
    for (const days of [5, 3, 3]) {
      passDays(days);
      await purge();
    }
    expect(await isAlive(guest)).toBe(true);
  });

  it('stays if it was used without a mail server', async () => {
    const local = await startTestServer({ overrides: { clock: { now: () => now } } });
    const [first, second] = [await local.signUp(), await local.signUp()];
    for (const each of [first, second]) expect((await me(each)).verifyEmailBy).toBeNull();
    passDays(60);
    // The same installation, with a mail server from now on.
    const { mailer } = server.context;
    const withMail = { ...local.context, mailer };
    await purgeUnverifiedUsersJob.handle(withMail, {});
    passDays(3);
    await purgeUnverifiedUsersJob.handle(withMail, {});
    for (const each of [first, second]) expect(await isAlive(each)).toBe(true);
  });
});

it('sends nothing to contacts before the address is verified', async () => {
  const owner = await server.signUp('silent');
  const { email } = (await addContact(owner, { email: 'oma@family.example' })) satisfies Contact;
  await addMemory(owner);
  expect((await emails()).map(({ to }) => to)).not.toContain(email);
  const [{ token } = { token: '' }] = (await emails()).filter(({ to }) => to === 'silent@mems.example');
  await owner.post('/api/user/verify-email', { token });
  expect((await emails()).map(({ to }) => to)).toContain(email);
});
