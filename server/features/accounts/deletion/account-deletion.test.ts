import pg from 'pg';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import type { Activity } from '#shared/accounts/activity';
import { AdminUserList, type AdminUser } from '#shared/accounts/admin';
import type { Caricature, CaricatureOptions } from '#shared/album/caricature';
import { memoriesOf } from '../../../testing/clients/album.ts';
import { openEventStream } from '../../../testing/clients/event-stream.ts';
import { addContact, addMemory, addPasswordResetLink, addPet } from '../../../testing/data/factories.ts';
import { inboundEmailOf, newPhoto, pushEmail, signedEmail } from '../../../testing/data/inbound-email.ts';
import {
  repliesTo,
  signUpSmsOwner,
  startSmsServer,
  type SmsOwner,
} from '../../../testing/data/inbound-sms.ts';
import { createTestLog } from '../../../testing/environment/test-log.ts';
import { waitForBlockedConnection } from '../../../testing/timing/lock-waits.ts';
import { makePhoto } from '../../../testing/photos/photos.ts';
import { startSmtpServer } from '../../../testing/fakes/smtp-server.ts';
import type { TestClient, TestResponse } from '../../../testing/clients/test-client.ts';
import { totpCode, turnTotpOn } from '../../../testing/clients/totp.ts';
import { startTwilioServer } from '../../../testing/fakes/twilio-server.ts';
import { sendAccountEmailJob } from '../users/send-account-email-job.ts';
import { findUser, type UserRow } from '../users/user-queries.ts';
import { purgeAsleepUsersJob } from './purge-asleep-users-job.ts';

let owner: SmsOwner;
let user: UserRow;
let now = new Date('2026-06-01T12:00:00Z');
const log = createTestLog();

const MINUTE_MS = 60 * 1000;
const pass = (minutes: number) => {
  now = new Date(now.getTime() + minutes * MINUTE_MS);
};
/** With the hourly job at the end. */
async function passDays(days: number): Promise<void> {
  pass(days * 24 * 60);
  await purgeAsleepUsersJob.handle(server.context, {});
  await server.drainJobs();
}

const twilio = await startTwilioServer();
const smtp = await startSmtpServer();
const server = await startSmsServer(twilio, {
  env: {
    ...smtp.env,
    PUBLIC_URL: 'http://mems.localhost',
    INBOUND_MAIL_DOMAIN: 'in.mems.example',
    INBOUND_MAIL_SECRET: 'x'.repeat(32),
  },
  overrides: { clock: { now: () => now }, logger: log.logger },
});
const database = new pg.Client(server.databaseUrl);
await database.connect();
const admin = await server.signUpAdmin('keeper');
afterAll(() => database.end());
beforeEach(async () => {
  owner = await signUpSmsOwner(server, twilio);
  user = await storedUser(owner);
  await server.drainJobs();
  smtp.received.length = 0;
});

async function storedUser({ userId }: { userId: string }): Promise<UserRow> {
  const found = await findUser(server.context.db, userId);
  if (!found) throw new Error('This account was deleted');
  return found;
}

const requestDeletion = (client: TestClient, username = user.username) =>
  client.request('DELETE', '/api/user', { json: { username } });

async function putToSleep(): Promise<void> {
  expect((await requestDeletion(owner)).status).toBe(204);
}

const enterPassword = (client: TestClient, { email } = user, password = 'correct horse') =>
  client.post('/api/login', { email, password });

async function signIn(): Promise<TestClient> {
  const client = server.visitor();
  expect((await enterPassword(client)).status).toBe(200);
  return client;
}

const requestAsAdmin = (method: 'DELETE' | 'PATCH', json: object) =>
  admin.request(method, `/api/admin/users/${owner.userId}`, { json });
const deleteAsAdmin = () => requestAsAdmin('DELETE', { username: user.username });

async function listedUser(): Promise<AdminUser | undefined> {
  const { body } = await admin.get(`/api/admin/users?search=${user.username}`);
  return AdminUserList.parse(body).find(({ id }) => id === owner.userId);
}

async function emails() {
  await server.drainJobs();
  return (await smtp.emails()).map((each) => ({ ...each, text: each.text.replace(/\s+/g, ' ') }));
}
const emailsToOwner = async () => (await emails()).filter(({ to }) => to === user.email);

/** All that its owner sees of an album. */
async function album(client: TestClient): Promise<unknown[]> {
  const paths = ['/api/memories', '/api/pets', '/api/contacts', '/api/memories/deleted', '/api/shares'];
  const responses = await Promise.all(paths.map((path) => client.get(path)));
  expect(responses.map(({ status }) => status)).toEqual(paths.map(() => 200));
  return responses.map(({ body }) => body);
}

const setsBackCookie = ({ headers }: TestResponse) =>
  headers.getSetCookie().some((cookie) => cookie.startsWith('mems.back='));

describe('an account that its owner asks to delete', () => {
  it('is signed out everywhere and closes its links, until a sign-in brings it back whole', async () => {
    const elsewhere = await signIn();
    const pet = await addPet(owner, {}, await makePhoto({ width: 90 }));
    const { id } = await addMemory(owner, { petId: pet.id });
    await addContact(owner);
    const { url } = (await owner.post(`/api/memories/${id}/share`)).body as { url: string };
    const openLink = async () => (await server.visitor().get(new URL(url).pathname)).status;
    const before = await album(owner);
    expect(await openLink()).toBe(200);

    const response = await requestDeletion(owner);
    expect([response.status, response.headers.get('Clear-Site-Data')]).toEqual([204, '"cache"']);
    const statuses = [owner, elsewhere].map(async (client) => (await client.get('/api/user')).status);
    expect(await Promise.all(statuses)).toEqual([401, 401]);
    expect(await openLink()).toBe(404);

    await passDays(13);
    const client = server.visitor();
    const back = await enterPassword(client);
    expect(back.status).toBe(200);
    expect(setsBackCookie(back)).toBe(true);
    expect(await album(client)).toEqual(before);
    expect(await openLink()).toBe(200);
    // The other device has to sign in again.
    expect((await elsewhere.get('/api/user')).status).toBe(401);
    expect(setsBackCookie(await enterPassword(client))).toBe(false);
    await passDays(30);
    expect(await album(await signIn())).toEqual(before);
  });

  it('needs a recent password and its username', async () => {
    expect((await requestDeletion(server.visitor())).status).toBe(401);
    const wrong = await requestDeletion(owner, user.username.toUpperCase());
    expect(wrong.status).toBe(422);
    expect(wrong.body).toMatchObject({ fields: { username: `Please type ${user.username} to confirm.` } });
    expect((await owner.request('DELETE', '/api/user', { json: {} })).status).toBe(422);
    pass(11);
    const unconfirmed = await requestDeletion(owner);
    expect([unconfirmed.status, unconfirmed.body]).toMatchObject([403, { code: 'identity-unconfirmed' }]);
    expect((await storedUser(owner)).deletionDueAt).toBeNull();
    await owner.post('/api/session/proof', { password: 'correct horse' });
    await putToSleep();
  });

  it('needs a code as well, with an authenticator app', async () => {
    const { secret, codes } = await turnTotpOn(owner, now);
    const ask = (code?: string, username = user.username) =>
      owner.request('DELETE', '/api/user', { json: { username, code } });
    const wrongName = await ask(codes[0], 'someone');
    expect(wrongName.body).toMatchObject({
      fields: { username: `Please type ${user.username} to confirm.` },
    });
    pass(1);
    const old = totpCode(secret, new Date(now.getTime() - 10 * MINUTE_MS));
    for (const [code, message] of [
      [undefined, 'Please enter your code'],
      [' ', 'Please enter your code'],
      [old, 'This code is wrong or has expired. Please enter the one that your app shows now.'],
      ['abcd-efgh-jkmn', 'This is not one of your recovery codes.'],
    ]) {
      const { status, body } = await ask(code);
      expect([status, body]).toMatchObject([422, { fields: { code: message } }]);
    }
    expect((await storedUser(owner)).deletionDueAt).toBeNull();
    expect((await ask(codes[0])).status).toBe(204);
    expect((await storedUser(owner)).deletionDueAt).not.toBeNull();
  });

  it('keeps the day of the first of two requests at once, and sends one email', async () => {
    const elsewhere = await signIn();
    await server.drainJobs();
    smtp.received.length = 0;
    const requests = await Promise.all([owner, elsewhere, owner].map((each) => requestDeletion(each)));
    const statuses = requests.map(({ status }) => status);
    expect(statuses).toContain(204);
    expect(statuses.every((status) => status === 204 || status === 401)).toBe(true);
    expect((await storedUser(owner)).deletionDueAt).toEqual(
      new Date(now.getTime() + 14 * 24 * 60 * MINUTE_MS),
    );
    expect(await emailsToOwner()).toHaveLength(1);
  });

  it('tells its open pages why they end', async () => {
    const stream = await openEventStream(owner, server.origin);
    await putToSleep();
    expect(await stream.next()).toEqual({ event: 'end', data: { reason: 'asleep' } });
  });

  it('emails its owner the day, a reminder two days before it, and that it is back', async () => {
    await putToSleep();
    expect(await emailsToOwner()).toMatchObject([{ subject: 'Your album will be deleted' }]);
    const { deletionDueAt } = await storedUser(owner);
    const day = new Intl.DateTimeFormat('en-US', { dateStyle: 'full', timeZone: 'UTC' }).format(
      deletionDueAt ?? 0,
    );
    const [requested] = await emailsToOwner();
    expect(requested?.text).toContain(`On ${day} it will be deleted for good`);
    expect(requested?.text).toContain('http://mems.localhost/auth');
    await passDays(11);
    expect(await emailsToOwner()).toHaveLength(1);
    await passDays(1);
    await passDays(1);
    expect(await emailsToOwner()).toMatchObject([{}, { subject: 'Your album will be deleted soon' }]);
    const client = await signIn();
    const subjects = (await emailsToOwner()).map(({ subject }) => subject);
    expect(subjects.slice(2).sort()).toEqual(['New sign-in to your album', 'Your album is back']);
    const { body } = await client.get('/api/user/activity');
    const kinds = (body as Activity[]).map(({ kind, isByAdmin }) => `${kind} ${isByAdmin}`);
    expect(kinds).toEqual(expect.arrayContaining(['deletion-requested false', 'deletion-cancelled false']));
  });

  it('emails its contacts nothing, and what waited once it is back', async () => {
    await addContact(owner);
    await addMemory(owner);
    await putToSleep();
    const subjects = async () =>
      (await emails()).filter(({ to }) => to === 'ingrid@family.example').map(({ subject }) => subject);
    expect(await subjects()).toEqual([]);
    await passDays(3);
    expect(await subjects()).toEqual([]);
    await signIn();
    expect(await subjects()).toHaveLength(2);
  });

  it('takes no photos by SMS, and answers once a day with the day', async () => {
    await putToSleep();
    await owner.sendSmsAndWait({ body: 'Snow', media: owner.photos(1) });
    await owner.sendSmsAndWait({ body: 'UNDO' });
    expect(repliesTo(twilio, owner.phone)).toEqual([
      expect.stringMatching(
        /^This album is asleep, so nothing was added. It will be deleted on \w+, \w+ \d+, 2026. To keep it, sign in at http:\/\/mems.localhost\/auth$/,
      ),
    ]);
    expect(await memoriesOf(await signIn())).toEqual([]);
  });

  it('adds photos of a text that was accepted before, without an answer', async () => {
    await owner.sendSms({ body: 'Snow', media: owner.photos(1) });
    await putToSleep();
    await server.drainJobs();
    expect(repliesTo(twilio, owner.phone)).toEqual([]);
    expect(await memoriesOf(await signIn())).toHaveLength(1);
  });

  it('bounces emails with photos', async () => {
    const to = await inboundEmailOf(owner);
    const raw = await signedEmail(server, { from: 'a@home.example', to, photos: [await newPhoto()] });
    const push = (address: string) =>
      pushEmail(server, address, raw, { Authorization: `Bearer ${'x'.repeat(32)}` });
    const unknown = await push(`${'0'.repeat(24)}@in.mems.example`);
    await putToSleep();
    expect((await push(to)).status).toBe(unknown.status);
    await signIn();
    expect((await push(to)).status).toBe(202);
  });

  it('ends and refunds a caricature that was not generated yet', async () => {
    const pet = await addPet(owner);
    const { imageUrl } = await addMemory(owner, { petId: pet.id });
    await server.drainJobs();
    await owner.post('/api/caricatures/consent');
    const options = async (client: TestClient) =>
      (await client.get('/api/caricatures/options')).body as CaricatureOptions;
    const { remaining } = await options(owner);
    const { status } = await owner.post('/api/caricatures/generate', { petId: pet.id, imageUrl });
    expect(status).toBe(202);
    await putToSleep();
    await server.drainJobs();
    const client = await signIn();
    const caricatures = (await client.get('/api/caricatures')).body as Caricature[];
    expect(caricatures).toMatchObject([{ status: 'failed' }]);
    expect((await options(client)).remaining).toBe(remaining);
  });

  it('comes back to an owner who first chooses a new password', async () => {
    await putToSleep();
    const { hash } = new URL(await addPasswordResetLink(server.context, owner.userId));
    const token = hash.slice(1);
    const password = 'muddy boots again';
    expect((await server.visitor().post('/api/password/reset', { token, password })).status).toBe(200);
    expect((await storedUser(owner)).deletionDueAt).not.toBeNull();
    expect((await enterPassword(server.visitor(), user, password)).status).toBe(200);
    expect((await storedUser(owner)).deletionDueAt).toBeNull();
  });
});

describe('the end of the sleep', () => {
  it('waits until its owner was reminded a day ago, however late that is', async () => {
    await putToSleep();
    await passDays(20);
    expect(await emailsToOwner()).toHaveLength(2);
    expect((await emailsToOwner())[1]?.subject).toBe('Your album will be deleted soon');
    pass(23 * 60);
    await passDays(0);
    expect(await findUser(server.context.db, owner.userId)).not.toBeNull();
    pass(60);
    log.lines.length = 0;
    await passDays(0);
    expect(await findUser(server.context.db, owner.userId)).toBeNull();
    const events = log.securityEvents();
    expect(events.filter(({ userId }) => userId === owner.userId)).toMatchObject([
      { event: 'account-deleted', outcome: 'success', actorId: null, details: { reason: 'requested' } },
    ]);
  });

  it('waits for a running job of the account, whose row would stay', async () => {
    await putToSleep();
    await passDays(13);
    const { db, jobs } = server.context;
    await db.transaction((tx) =>
      jobs.enqueue(tx, sendAccountEmailJob, {
        userId: owner.userId,
        purpose: 'reset-password',
        emailId: crypto.randomUUID(),
      }),
    );
    const setState = (state: string) =>
      database.query(`update pgboss.job set state = '${state}' where state in ('created', 'active')`);
    await setState('active');
    await passDays(2);
    expect(await findUser(db, owner.userId)).not.toBeNull();
    await setState('completed');
    await passDays(0);
    expect(await findUser(db, owner.userId)).toBeNull();
  });

  it('rejects a sign-in that checked the password just before it', async () => {
    await putToSleep();
    await passDays(13);
    await database.query('begin');
    await database.query('delete from users where id = $1', [owner.userId]);
    const entered = enterPassword(server.visitor());
    await waitForBlockedConnection(server.databaseUrl);
    await database.query('commit');
    expect((await entered).status).toBe(401);
  });

  it('does not come when the owner signs in at its very moment', async () => {
    await putToSleep();
    await passDays(13);
    pass(2 * 24 * 60);
    // Another transaction holds the user; the sign-in waits for it before the purge does. The recorder of the activity, which
    // locks the user's key, does not wait.
    await database.query('begin');
    await database.query('select id from users where id = $1 for no key update', [owner.userId]);
    const entered = enterPassword(server.visitor());
    await waitForBlockedConnection(server.databaseUrl);
    const purged = purgeAsleepUsersJob.handle(server.context, {});
    await waitForBlockedConnection(server.databaseUrl, 2);
    await database.query('commit');
    expect((await entered).status).toBe(200);
    await purged;
    expect((await storedUser(owner)).deletionDueAt).toBeNull();
  });
});

describe('an account that an administrator deletes', () => {
  it('is asleep, too: its owner is told, and brings it back', async () => {
    expect((await deleteAsAdmin()).status).toBe(204);
    expect((await owner.get('/api/user')).status).toBe(401);
    const [told] = await emailsToOwner();
    expect(told?.text).toContain('The person who runs this album asked us to delete your account.');
    expect((await listedUser())?.deletionDueAt).toBe(
      new Date(now.getTime() + 14 * 24 * 60 * MINUTE_MS).toISOString(),
    );
    const client = await signIn();
    expect((await listedUser())?.deletionDueAt).toBeNull();
    const { body } = await client.get('/api/user/activity');
    const requested = (body as Activity[]).find(({ kind }) => kind === 'deletion-requested');
    expect(requested).toMatchObject({ isByAdmin: true, device: null, network: null });
  });

  it('is brought back by the administrator, too', async () => {
    await deleteAsAdmin();
    const kept = await requestAsAdmin('PATCH', { isAsleep: false });
    expect([kept.status, kept.body]).toMatchObject([200, { deletionDueAt: null }]);
    expect((await emailsToOwner()).at(-1)?.text).toContain('The person who runs this album brought it back');
    await passDays(15);
    expect((await (await signIn()).get('/api/user')).status).toBe(200);
    expect((await requestAsAdmin('PATCH', { isAsleep: true })).status).toBe(422);
  });

  it('is not brought back by its owner while it is disabled', async () => {
    await deleteAsAdmin();
    expect((await requestAsAdmin('PATCH', { isDisabled: true })).status).toBe(200);
    expect((await enterPassword(server.visitor())).status).toBe(403);
    expect((await listedUser())?.deletionDueAt).not.toBeNull();
    await passDays(12);
    await passDays(2);
    expect(await listedUser()).toBeUndefined();
  });

  it('needs its username', async () => {
    const wrong = await requestAsAdmin('DELETE', { username: 'someone' });
    expect([wrong.status, wrong.body]).toMatchObject([
      422,
      { fields: { username: `Please type ${user.username} to confirm.` } },
    ]);
    expect((await requestAsAdmin('DELETE', {})).status).toBe(422);
    expect((await listedUser())?.deletionDueAt).toBeNull();
  });
});

describe('the last administrator', () => {
  it('cannot delete the own account, also when two do it at once', async () => {
    const lonely = await requestDeletion(admin, 'keeper');
    expect([lonely.status, lonely.body]).toMatchObject([403, {}]);
    await admin.post('/api/session/proof', { password: 'correct horse' });
    const rejected = await requestDeletion(admin, 'keeper');
    expect([rejected.status, rejected.body]).toMatchObject([
      409,
      { message: 'Make someone else an administrator first.' },
    ]);
    await requestAsAdmin('PATCH', { isAdmin: true });
    const responses = await Promise.all([requestDeletion(admin, 'keeper'), requestDeletion(owner)]);
    expect(responses.map(({ status }) => status).sort()).toEqual([204, 409]);
    const isKeeperAsleep = responses[0].status === 204;
    if (isKeeperAsleep) expect((await enterPassword(admin, await storedUser(admin))).status).toBe(200);
    else expect((await enterPassword(owner)).status).toBe(200);
    await requestAsAdmin('PATCH', { isAdmin: false });
  });

  it('is not one who is asleep', async () => {
    await requestAsAdmin('PATCH', { isAdmin: true });
    await putToSleep();
    const { body } = await admin.get('/api/admin/users?search=keeper');
    expect(body).toMatchObject([{ isLastAdmin: true }]);
    const demoted = await admin.request('PATCH', `/api/admin/users/${admin.userId}`, {
      json: { isAdmin: false },
    });
    expect(demoted.status).toBe(409);
    await requestAsAdmin('PATCH', { isAdmin: false });
    const promoted = await requestAsAdmin('PATCH', { isAdmin: true });
    expect([promoted.status, promoted.body]).toMatchObject([
      409,
      { message: 'Their account is asleep. Bring it back first.' },
    ]);
  });
});
