import { describe, expect, it } from 'vitest';
import { AdminUserList, type AdminUser, type PasswordResetLink } from '#shared/accounts/admin';
import type { CreatedInvitation } from '#shared/accounts/invitation';
import type { User } from '#shared/accounts/user';
import { readOutbox } from '../../../testing/clients/dev-outbox.ts';
import { openEventStream } from '../../../testing/clients/event-stream.ts';
import { readPages } from '../../../testing/clients/read-pages.ts';
import type { TestClient } from '../../../testing/clients/test-client.ts';
import { addPasswordResetLink, addMemory, putPhoto } from '../../../testing/data/factories.ts';
import { createTestLog } from '../../../testing/environment/test-log.ts';
import { startSmtpServer } from '../../../testing/fakes/smtp-server.ts';
import { makePhoto } from '../../../testing/photos/photos.ts';
import { startTestServer } from '../../../testing/test-server.ts';
import { findStoredBytes } from '../../storage/storage-usage-queries.ts';
import { findUser, updateUser } from '../users/user-queries.ts';

const SESSION_SECRET = 'the same one at both of the servers';
const GIBIBYTE = 1024 ** 3;

let now = new Date('2026-06-01T12:00:00Z');
const log = createTestLog();

const server = await startTestServer({
  env: { SESSION_SECRET },
  overrides: { clock: { now: () => now }, logger: log.logger },
});
const admin = await server.signUpAdmin('keeper');

const me = async (client: TestClient) => (await client.get('/api/user')).body as User;
const list = async (query = '') => AdminUserList.parse((await admin.get(`/api/admin/users${query}`)).body);
const find = async (id: string) => (await list()).find((user) => user.id === id);
const edit = (client: TestClient, id: string, changes: object) =>
  client.request('PATCH', `/api/admin/users/${id}`, { json: changes });
const remove = (client: TestClient, id: string, username: string) =>
  client.request('DELETE', `/api/admin/users/${id}`, { json: { username } });
const resetLink = async (id: string) =>
  (await admin.post(`/api/admin/users/${id}/password-reset`)).body as PasswordResetLink;
const confirm = (client: TestClient) => client.post('/api/session/proof', { password: 'correct horse' });
const logIn = (name: string, password = 'correct horse', at = server) =>
  at.visitor().post('/api/login', { email: `${name}@mems.example`, password });

describe('GET /api/admin/users', () => {
  it('lists people with last seen and storage, and nothing of their albums', async () => {
    const guest = await server.signUp('guest');
    const photo = await makePhoto();
    await addMemory(guest, { caption: 'A secret caption', photo });
    const { body, text } = await admin.get('/api/admin/users?search=GUEST');
    expect((body as AdminUser[])[0]?.storageBytes).toBeGreaterThan(photo.length);
    expect(body).toEqual([
      {
        id: guest.userId,
        username: 'guest',
        email: 'guest@mems.example',
        firstName: null,
        lastName: null,
        isAdmin: false,
        isDisabled: false,
        deletionDueAt: null,
        isLastAdmin: false,
        isTotpOn: false,
        emailVerified: true,
        createdAt: (await me(guest)).createdAt,
        lastSeenAt: now.toISOString(),
        storageBytes: (await findStoredBytes(server.context.db, guest.userId)).bytes,
        storageLimitBytes: 10 * GIBIBYTE,
        hasOwnStorageLimit: false,
      },
    ]);
    expect(text).not.toContain('secret');
  });

  it('is paged, newest first, and searches names and addresses literally', async () => {
    for (const name of ['page1', 'page2', 'page3']) await server.signUp(name);
    const pages = await readPages(admin, '/api/admin/users?search=page&limit=2');
    const names = pages.map((page) => (page as AdminUser[]).map(({ username }) => username));
    expect(names).toEqual([['page3', 'page2'], ['page1']]);
    expect(await list('?search=page2%40mems')).toHaveLength(1);
    expect(await list('?search=%25')).toEqual([]);
    expect((await admin.get(`/api/admin/users?search=${'x'.repeat(300)}`)).status).toBe(422);
    expect((await admin.get('/api/admin/users?cursor=other')).status).toBe(422);
  });

  it('is denied to others from the moment the role ends', async () => {
    const guest = await server.signUp();
    const rejected = await guest.get('/api/admin/users');
    expect([rejected.status, rejected.body]).toEqual([
      403,
      { message: 'Only administrators may do this', code: 'forbidden' },
    ]);
    expect((await server.visitor().get('/api/admin/users')).status).toBe(401);
    expect((await edit(admin, guest.userId, { isAdmin: true })).body).toMatchObject({ isAdmin: true });
    expect((await guest.get('/api/admin/users')).status).toBe(200);
    await edit(admin, guest.userId, { isAdmin: false });
    expect((await guest.get('/api/admin/users')).status).toBe(403);
  });
});

describe('last seen', () => {
  it('is written at most every ten minutes, and not for an open page', async () => {
    const guest = await server.signUp();
    const lastSeen = async () => (await find(guest.userId))?.lastSeenAt;
    await guest.get('/api/user');
    const first = now.toISOString();
    expect(await lastSeen()).toBe(first);
    now = new Date(now.getTime() + 9 * 60_000);
    await guest.get('/api/user');
    expect(await lastSeen()).toBe(first);
    now = new Date(now.getTime() + 60_000);
    const events = await openEventStream(guest, server.origin);
    await events.stop();
    expect(await lastSeen()).toBe(first);
    await Promise.all([guest.get('/api/user'), guest.get('/api/pets')]);
    expect(await lastSeen()).toBe(now.toISOString());
  });
});

describe('disabling an account', () => {
  it('ends its sessions and open pages in every process, and rejects the next sign-in', async () => {
    const there = await startTestServer({ env: { SESSION_SECRET, DATABASE_URL: server.databaseUrl } });
    const guest = await server.signUp('leaving');
    const events = await openEventStream(guest, there.origin);
    expect((await edit(admin, guest.userId, { isDisabled: true })).body).toMatchObject({ isDisabled: true });
    expect([await events.next(), await events.next()]).toEqual([
      { event: 'end', data: { reason: 'disabled' } },
      null,
    ]);
    expect((await guest.get('/api/user')).status).toBe(401);
    const rejected = await logIn('leaving');
    const message = 'This account is disabled. Ask the person who runs this album.';
    expect([rejected.status, rejected.body]).toEqual([403, { message, code: 'forbidden' }]);
    // Others do not learn that there is such an account.
    expect((await logIn('leaving', 'wrong one')).status).toBe(401);
    await edit(admin, guest.userId, { isDisabled: false });
    expect((await logIn('leaving')).status).toBe(200);
    expect((await guest.get('/api/user')).status).toBe(401);
  });

  it('holds for a session that was stored after it', async () => {
    const guest = await server.signUp();
    await updateUser(server.context.db, guest.userId, { disabledAt: new Date() });
    expect((await guest.get('/api/user')).status).toBe(401);
    await edit(admin, guest.userId, { isDisabled: false });
    expect((await guest.get('/api/user')).status).toBe(401);
  });

  it('is 404 for an unknown person and 422 for a wrong value', async () => {
    const unknown = '00000000-0000-7000-8000-000000000000';
    expect((await edit(admin, unknown, { isDisabled: true })).status).toBe(404);
    expect((await edit(admin, 'no-uuid', { isDisabled: true })).status).toBe(404);
    const { userId } = await server.signUp();
    expect((await edit(admin, userId, { isDisabled: 'yes' })).status).toBe(422);
    expect((await edit(admin, userId, {})).status).toBe(200);
  });
});

describe('the last administrator', () => {
  it('cannot be disabled, deleted or lose the role', async () => {
    const rejections = [
      await edit(admin, admin.userId, { isDisabled: true }),
      await edit(admin, admin.userId, { isAdmin: false }),
      await remove(admin, admin.userId, 'keeper'),
    ];
    for (const { status, body } of rejections)
      expect([status, body]).toEqual([
        409,
        { message: 'Make someone else an administrator first.', code: 'conflict' },
      ]);
    expect((await me(admin)).isAdmin).toBe(true);
  });

  it('remains when two disable each other at once, ten times', async () => {
    const alone = await startTestServer();
    const both = [await alone.signUpAdmin('ada'), await alone.signUp('bea')] as const;
    for (let round = 0; round < 10; round++) {
      for (const { userId } of both)
        await updateUser(alone.context.db, userId, { isAdmin: true, disabledAt: null });
      const clients = await Promise.all(
        (['ada', 'bea'] as const).map(async (name) => {
          const client = alone.visitor();
          await client.post('/api/login', { email: `${name}@mems.example`, password: 'correct horse' });
          return client;
        }),
      );
      const responses = await Promise.all([
        edit(clients[0]!, both[1].userId, { isDisabled: true }),
        edit(clients[1]!, both[0].userId, { isDisabled: true }),
      ]);
      const statuses = responses.map(({ status }) => status).sort();
      expect(statuses[0]).toBe(200);
      expect([401, 403]).toContain(statuses[1]);
      const rows = await Promise.all(both.map(({ userId }) => findUser(alone.context.db, userId)));
      expect(rows.filter((row) => row?.disabledAt === null)).toHaveLength(1);
    }
  });
});

describe('an account whose address is not verified', () => {
  it('does not become an administrator', async () => {
    const smtp = await startSmtpServer();
    const at = await startTestServer({ env: smtp.env });
    const keeper = await at.signUp('keeper');
    await updateUser(at.context.db, keeper.userId, { isAdmin: true });
    const guest = await at.signUp('guest');
    const rejected = await edit(keeper, guest.userId, { isAdmin: true, storageLimitBytes: GIBIBYTE });
    expect([rejected.status, rejected.body]).toEqual([
      409,
      { message: 'Their email address is not verified yet.', code: 'conflict' },
    ]);
    expect(await findUser(at.context.db, guest.userId)).toMatchObject({
      isAdmin: false,
      storageLimitBytes: null,
    });
    // Who is one already stays one.
    expect((await edit(keeper, keeper.userId, { isAdmin: true })).status).toBe(200);
    await updateUser(at.context.db, guest.userId, { emailVerifiedAt: now });
    expect((await edit(keeper, guest.userId, { isAdmin: true })).body).toMatchObject({ isAdmin: true });
  });
});

describe('POST /api/admin/users/:id/password-reset', () => {
  const reset = (url: string | null, at = server) =>
    at.visitor().post('/api/password/reset', { token: url?.split('#')[1], password: 'another horse' });

  it('without a mail server returns a link that works once and does not verify the address', async () => {
    const guest = await server.signUp('forgetful');
    const { url } = await resetLink(guest.userId);
    expect(url).toMatch(new RegExp(`^${server.origin}/reset-password#[\\w-]{43}$`));
    const responses = await Promise.all([reset(url), reset(url)]);
    expect(responses.map(({ status }) => status).sort()).toEqual([200, 422]);
    expect((await guest.get('/api/user')).status).toBe(401);
    expect((await logIn('forgetful', 'another horse')).status).toBe(200);
    expect((await findUser(server.context.db, guest.userId))?.emailVerifiedAt).toBeNull();
    await server.drainJobs();
    const emails = (await readOutbox(server.dataDir)).filter(({ to }) => to === 'forgetful@mems.example');
    expect(emails.map(({ subject }) => subject)).toEqual([
      'A link for a new password was made',
      'Your password was changed by a link',
      'New sign-in to your album',
    ]);
    const unknown = '00000000-0000-7000-8000-000000000000';
    expect((await admin.post(`/api/admin/users/${unknown}/password-reset`)).status).toBe(404);
  });

  it('ends the earlier links, and each link ends with a change of the password and after an hour', async () => {
    const guest = await server.signUp('asks-often');
    const links = await Promise.all([1, 2, 3].map(() => resetLink(guest.userId)));
    const last = await resetLink(guest.userId);
    for (const { url } of links) expect((await reset(url)).status).toBe(422);
    const json = { currentPassword: 'correct horse', password: 'a better horse' };
    expect((await guest.request('PATCH', '/api/user/password', { json })).status).toBe(204);
    expect((await reset(last.url)).status).toBe(422);
    const expired = await resetLink(guest.userId);
    now = new Date(now.getTime() + 60 * 60 * 1000);
    expect((await reset(expired.url)).status).toBe(422);
    await confirm(admin);
    expect((await reset((await resetLink(guest.userId)).url)).status).toBe(200);
  });

  it('ends with the role of its maker, in whichever way, and does not come back with it', async () => {
    const { db } = server.context;
    const ends: [string, (id: string) => Promise<{ status: number }>][] = [
      ['demoted', (id) => edit(admin, id, { isAdmin: false })],
      ['disabled', (id) => edit(admin, id, { isDisabled: true })],
      ['asleep', async (id) => remove(admin, id, (await findUser(db, id))?.username ?? '')],
    ];
    for (const [name, end] of ends) {
      const maker = await server.signUp(`maker-${name}`);
      await edit(admin, maker.userId, { isAdmin: true });
      const guest = await server.signUp(`guest-of-${name}`);
      const links = [];
      for (const _ of [1, 2])
        links.push((await maker.post(`/api/admin/users/${guest.userId}/password-reset`)).body);
      const { url } = links[1] as PasswordResetLink;
      expect((await end(maker.userId)).status).toBeLessThan(300);
      expect({ name, status: (await reset(url)).status }).toEqual({ name, status: 422 });
      await updateUser(db, maker.userId, { isAdmin: true, disabledAt: null, deletionDueAt: null });
      expect({ name, status: (await reset(url)).status }).toEqual({ name, status: 422 });
    }
  });

  it('ends with a role that was taken away without the app, and with the account of its maker', async () => {
    const { db } = server.context;
    for (const name of ['by-sql', 'deleted']) {
      const maker = await server.signUp(`maker-${name}`);
      await edit(admin, maker.userId, { isAdmin: true });
      const guest = await server.signUp(`guest-of-${name}`);
      const made = await maker.post(`/api/admin/users/${guest.userId}/password-reset`);
      if (name === 'by-sql') await updateUser(db, maker.userId, { isAdmin: false });
      else await db.execute(`delete from users where id = '${maker.userId}'`);
      expect((await reset((made.body as PasswordResetLink).url)).status).toBe(422);
    }
  });

  it('is never for another administrator, also one who became it since', async () => {
    const other = await server.signUp('second-keeper');
    const { url } = await resetLink(other.userId);
    await edit(admin, other.userId, { isAdmin: true });
    expect((await reset(url)).status).toBe(422);
    const rejected = await admin.post(`/api/admin/users/${other.userId}/password-reset`);
    expect([rejected.status, rejected.body]).toEqual([
      409,
      {
        message: 'Administrators use “Forgot password?”, or npm run admin at the machine.',
        code: 'conflict',
      },
    ]);
    await edit(admin, other.userId, { isAdmin: false });
    expect((await reset(url)).status).toBe(422);
  });

  it('leaves the links that the owner asked for', async () => {
    const guest = await server.signUp('asks-both');
    await server.visitor().post('/api/password/forgot', { email: 'asks-both@mems.example' });
    await server.drainJobs();
    const [own] = (await readOutbox(server.dataDir)).filter(({ to }) => to === 'asks-both@mems.example');
    await resetLink(guest.userId);
    expect((await reset(/http\S+#[\w-]+/.exec(own?.text ?? '')?.[0] ?? '')).status).toBe(200);
  });

  it('is made twenty times a day by one administrator', async () => {
    const alone = await startTestServer();
    const keeper = await alone.signUpAdmin('keeper');
    const guest = await alone.signUp('guest');
    const statuses = [];
    for (let n = 0; n < 21; n++)
      statuses.push((await keeper.post(`/api/admin/users/${guest.userId}/password-reset`)).status);
    expect(statuses).toEqual([...Array<number>(20).fill(200), 429]);
  });

  it('is told apart in the security log when it is used', async () => {
    const kinds = async (url: string | null) => {
      log.lines.length = 0;
      expect((await reset(url)).status).toBe(200);
      return log.securityEvents();
    };
    const guest = await server.signUp('three-links');
    const email = 'three-links@mems.example';
    const event = { event: 'password-reset', outcome: 'success', userId: guest.userId };
    const { url } = await resetLink(guest.userId);
    expect(await kinds(url)).toContainEqual(
      expect.objectContaining({ ...event, details: { link: 'administrator' } }),
    );
    expect(await kinds(await addPasswordResetLink(server.context, guest.userId))).toContainEqual(
      expect.objectContaining({ ...event, details: { link: 'command' } }),
    );
    await server.visitor().post('/api/password/forgot', { email });
    await server.drainJobs();
    const emails = (await readOutbox(server.dataDir)).filter(({ to }) => to === email);
    const own = emails.find(({ subject }) => subject === 'Choose a new password');
    expect(await kinds(/http\S+#[\w-]+/.exec(own?.text ?? '')?.[0] ?? '')).toContainEqual(
      expect.objectContaining({ ...event, details: { link: 'own' } }),
    );
    await server.drainJobs();
    const subjects = (await readOutbox(server.dataDir)).filter(({ to }) => to === email);
    expect(subjects.filter((each) => each.subject === 'Your password was changed by a link')).toHaveLength(2);
  });

  it('with a mail server emails the link to the owner at once, and shows it to no one else', async () => {
    const smtp = await startSmtpServer();
    const at = await startTestServer({ env: smtp.env, overrides: { logger: log.logger } });
    const keeper = await at.signUp('keeper');
    await updateUser(at.context.db, keeper.userId, { isAdmin: true });
    const guest = await at.signUp('forgetful');
    const earlier = await addPasswordResetLink(at.context, guest.userId);
    await at.drainJobs();
    smtp.received.length = 0;
    log.lines.length = 0;
    const ask = () => keeper.post(`/api/admin/users/${guest.userId}/password-reset`);
    const response = await ask();
    expect([response.status, response.body]).toEqual([200, { url: null }]);
    await at.drainJobs();
    expect(smtp.received.map(({ to }) => to)).toEqual([['forgetful@mems.example']]);
    const [email] = await smtp.emails();
    expect(email?.subject).toBe('Choose a new password');
    expect(email?.text).toContain('If you did not ask for it, ignore this email.');
    expect((await reset(earlier, at)).status).toBe(422);
    expect((await reset(/http\S+#[\w-]+/.exec(email?.text ?? '')?.[0] ?? '', at)).status).toBe(200);
    expect(log.securityEvents()).toContainEqual(
      expect.objectContaining({ event: 'reset-link-created', details: { isEmailed: true } }),
    );
    const statuses = [];
    for (let n = 0; n < 5; n++) statuses.push((await ask()).status);
    expect(statuses).toEqual([200, 200, 200, 200, 429]);
  });
});

describe('a link for a new password, and the role of an administrator', () => {
  it('need a confirmed identity', async () => {
    const [guest, forgetful] = [await server.signUp('wanted'), await server.signUp('unconfirmed')];
    const acts = () => [
      admin.post(`/api/admin/users/${forgetful.userId}/password-reset`),
      edit(admin, guest.userId, { isAdmin: true }),
      edit(admin, guest.userId, { isAdmin: false, storageLimitBytes: null }),
    ];
    now = new Date(now.getTime() + 11 * 60 * 1000);
    for (const { status, body } of await Promise.all(acts()))
      expect([status, body]).toMatchObject([403, { code: 'identity-unconfirmed' }]);
    expect((await edit(admin, guest.userId, { storageLimitBytes: null })).status).toBe(200);
    await confirm(admin);
    for (const act of acts()) expect((await act).status).toBe(200);
  });
});

describe('a storage limit', () => {
  it('of an account counts instead of the installation’s', async () => {
    const guest = await server.signUp();
    const photo = await makePhoto();
    const limit = (storageLimitBytes: unknown) => edit(admin, guest.userId, { storageLimitBytes });
    const storageLimitBytes = 2 * GIBIBYTE;
    expect((await limit(storageLimitBytes)).body).toMatchObject({
      storageLimitBytes,
      hasOwnStorageLimit: true,
    });
    await addMemory(guest, { photo });
    await limit(photo.length);
    const rejected = await guest.post('/api/objects/upload', {
      contentType: 'image/jpeg',
      size: photo.length,
    });
    expect([rejected.status, (rejected.body as { message: string }).message]).toEqual([
      413,
      expect.stringContaining('Your album is full') as string,
    ]);
    await limit(null);
    expect(await find(guest.userId)).toMatchObject({ hasOwnStorageLimit: false });
    await putPhoto(guest, photo);
    for (const wrong of [-1, 1.5, 'much', 2 ** 60]) expect((await limit(wrong)).status).toBe(422);
  });
});

describe('the log', () => {
  it('has every act with who did it to whom', async () => {
    const guest = await server.signUp('logged');
    log.lines.length = 0;
    await edit(admin, guest.userId, { isDisabled: true });
    await resetLink(guest.userId);
    const invitation = (await admin.post('/api/admin/invitations', {})).body as CreatedInvitation;
    await admin.request('DELETE', `/api/admin/invitations/${invitation.id}`);
    await remove(admin, guest.userId, 'logged');
    const acts = log.securityEvents();
    expect(
      acts.map(({ event, actorId, userId, details }) => ({
        event,
        by: actorId ?? userId,
        on: details['invitationId'] ?? userId,
      })),
    ).toEqual(
      [
        ['account-edited', guest.userId],
        ['reset-link-created', guest.userId],
        ['invitation-created', invitation.id],
        ['invitation-revoked', invitation.id],
        ['deletion-requested', guest.userId],
      ].map(([event, on]) => ({ event, by: admin.userId, on })),
    );
    expect(acts[0]?.details).toEqual({ isDisabled: true });
    expect(JSON.stringify(log.lines)).not.toContain(invitation.url.split('=')[1]);
  });
});

describe('another administrator', () => {
  it('can disable the first, whose acts then end', async () => {
    const alone = await startTestServer();
    const first = await alone.signUpAdmin('ada');
    const second = await alone.signUp('bea');
    await updateUser(alone.context.db, second.userId, { isAdmin: true });
    expect((await edit(second, first.userId, { isDisabled: true })).status).toBe(200);
    expect((await first.get('/api/admin/users')).status).toBe(401);
    expect((await edit(second, second.userId, { isAdmin: false })).status).toBe(409);
  });
});
