import { describe, expect, it } from 'vitest';
import { InvitationList, type CreatedInvitation } from '#shared/accounts/invitation';
import type { User } from '#shared/accounts/user';
import { readOutbox } from '../../../testing/clients/dev-outbox.ts';
import type { TestClient } from '../../../testing/clients/test-client.ts';
import { createTestLog } from '../../../testing/environment/test-log.ts';
import { startSmtpServer } from '../../../testing/fakes/smtp-server.ts';
import { startTestServer, type TestServer } from '../../../testing/test-server.ts';
import { findUser, updateUser } from '../users/user-queries.ts';
import { acceptInvitation, administratorInvitationUrl } from './accept-invitation.ts';

const DAY_MS = 24 * 60 * 60 * 1000;
const INVALID = { message: 'This invitation is no longer valid. Ask for a new one.', code: 'not-found' };

let now = new Date('2026-06-01T12:00:00Z');
const smtp = await startSmtpServer();

async function startWithAdmin(env: Record<string, string>) {
  const started = await startTestServer({
    overrides: { clock: { now: () => now } },
    env: { ...smtp.env, ADMIN_EMAIL: 'keeper@home.example', ...env },
  });
  const client = started.visitor();
  const invitationToken = tokenIn((await administratorInvitationUrl(started.context)) ?? '');
  const { body } = await register(started, 'keeper@home.example', invitationToken, client);
  return { server: started, admin: Object.assign(client, { userId: (body as User).id }) };
}

const tokenIn = (url: string) => /\/auth\?invite=([\w-]{43})$/.exec(url)?.[1] ?? '';

let names = 0;
function register(at: TestServer, email: string, invitationToken?: string, client = at.visitor()) {
  const account = { email, username: `person${++names}`, password: 'correct horse' };
  return client.post('/api/register', { ...account, ...(invitationToken && { invitationToken }) });
}

const { server, admin } = await startWithAdmin({ REGISTRATION: 'invite' });
const invite = async (email?: string, client: TestClient = admin) =>
  (await client.post('/api/admin/invitations', { email })).body as CreatedInvitation;
const preview = (token: string) => server.visitor().get(`/api/invitations/${token}`);

async function emailedToken(at: TestServer, address: string): Promise<string> {
  await at.drainJobs();
  const email = (await smtp.emails()).find(({ to }) => to === address);
  return tokenIn(/http:\S+/.exec(email?.text ?? '')?.[0] ?? '');
}

describe('REGISTRATION', () => {
  it.each([
    ['open', 201, null],
    ['invite', 403, 'Registration is by invitation here. Ask the person who runs it for one.'],
    ['closed', 403, 'Registration is closed here.'],
  ])('%s: strangers get %i; invitations always work', async (registration, status, message) => {
    const { server: at, admin: keeper } = await startWithAdmin({ REGISTRATION: registration });
    expect((await at.visitor().get('/api/config')).body).toMatchObject({ registration });
    for (const token of [undefined, 'x'.repeat(43)]) {
      const response = await register(at, `stranger${names}@else.example`, token);
      expect(response.status).toBe(status);
      if (message) expect(response.body).toEqual({ message, code: 'forbidden' });
    }
    const { url } = await invite(undefined, keeper);
    expect((await register(at, 'guest@home.example', tokenIn(url))).status).toBe(201);
  });

  it('invite: an exhausted limit for strangers does not stop invitations', async () => {
    const { server: at, admin: keeper } = await startWithAdmin({ REGISTRATIONS_PER_DAY: '1' });
    expect((await register(at, 'one@else.example')).status).toBe(201);
    expect((await register(at, 'two@else.example')).status).toBe(429);
    const { url } = await invite(undefined, keeper);
    expect((await register(at, 'three@else.example', tokenIn(url))).status).toBe(201);
  });

  it('closed: rejected attempts from an address do not stop an invitation that is used there', async () => {
    const { server: at, admin: keeper } = await startWithAdmin({
      REGISTRATION: 'closed',
      REGISTRATIONS_PER_ADDRESS: '2',
    });
    const rejected = await Promise.all(['a', 'b', 'c'].map((name) => register(at, `${name}@else.example`)));
    expect(rejected.map(({ status }) => status)).toEqual([403, 403, 403]);
    const { url } = await invite(undefined, keeper);
    expect((await register(at, 'd@else.example', tokenIn(url))).status).toBe(201);
  });
});

describe('an invitation', () => {
  it('tells only a few times that an address is taken', async () => {
    const { server: at, admin: keeper } = await startWithAdmin({
      REGISTRATIONS_PER_ADDRESS: '3',
      TRUST_PROXY: '1',
    });
    const { url } = await invite(undefined, keeper);
    const from = (ip: string) => ({ 'X-Forwarded-For': ip, 'X-Forwarded-Host': 'mems.example' });
    const account = { username: 'collector', password: 'correct horse', invitationToken: tokenIn(url) };
    const tryTaken = (ip: string) =>
      at.visitor().post('/api/register', { ...account, email: 'keeper@home.example' }, from(ip));
    const statuses = [];
    for (let n = 0; n < 4; n++) statuses.push((await tryTaken('203.0.113.1')).status);
    expect(statuses).toEqual([409, 409, 409, 429]);
    // The person it was meant for is elsewhere, and still gets in.
    expect((await tryTaken('198.51.100.1')).status).toBe(409);
    // Another invitation is not affected.
    const other = await invite(undefined, keeper);
    expect((await register(at, 'guest@home.example', tokenIn(other.url))).status).toBe(201);
  });

  it('works once, also of concurrent registrations', async () => {
    const { url } = await invite();
    const token = tokenIn(url);
    expect((await preview(token)).body).toEqual({
      email: null,
      expiresAt: new Date(now.getTime() + 14 * DAY_MS).toISOString(),
      isForAdministrator: false,
    });
    const attempts = ['a', 'b', 'c'].map((name) => register(server, `${name}@once.example`, token));
    expect((await Promise.all(attempts)).map(({ status }) => status).sort()).toEqual([201, 403, 403]);
    const registered = await admin.get('/api/admin/users?search=once.example');
    expect(registered.body).toHaveLength(1);
    const used = await preview(token);
    expect([used.status, used.body]).toEqual([404, INVALID]);
  });

  it('works once with REGISTRATION=open, too', async () => {
    const { server: at, admin: keeper } = await startWithAdmin({ REGISTRATION: 'open' });
    const { url, expiresAt } = await invite(undefined, keeper);
    const found = {
      kind: 'stored',
      id: null,
      token: tokenIn(url),
      email: null,
      expiresAt: new Date(expiresAt),
    } as const;
    // As two registrations that found it before either used it.
    const accept = () => at.context.db.transaction((tx) => acceptInvitation(at.context, tx, found));
    expect(await accept()).toMatchObject({ isInvited: true });
    await expect(accept()).rejects.toMatchObject({ status: 403 });
  });

  it('stays open when its registration fails', async () => {
    const { url } = await invite();
    expect((await register(server, 'keeper@home.example', tokenIn(url))).status).toBe(409);
    expect((await preview(tokenIn(url))).status).toBe(200);
  });

  it('for an address registers only that one, and verifies it only by the emailed link', async () => {
    const first = await invite('Ada@family.example');
    expect(first).toMatchObject({ email: 'Ada@family.example', isEmailed: true });
    const other = await register(server, 'eve@family.example', tokenIn(first.url));
    expect([other.status, other.body]).toEqual([
      422,
      {
        message: 'This invitation is for Ada@family.example.',
        code: 'invalid',
        fields: { email: 'This invitation is for Ada@family.example.' },
      },
    ]);
    // The administrator has seen this link: a person who uses it verifies the address as others do.
    const handedOver = await register(server, 'ada@family.example', tokenIn(first.url));
    expect([handedOver.status, handedOver.body]).toMatchObject([
      201,
      // Someone invited stays, also without verifying it.
      { emailVerified: false, verifyEmailBy: null },
    ]);
    await invite('bea@family.example');
    const token = await emailedToken(server, 'bea@family.example');
    expect((await preview(token)).body).toMatchObject({ email: 'bea@family.example' });
    expect((await register(server, 'bea@family.example', token)).body).toMatchObject({
      emailVerified: true,
      verifyEmailBy: null,
      isAdmin: false,
    });
  });

  it('ends when it is revoked, expires, or its creator is no administrator', async () => {
    const tokens = async () => tokenIn((await invite()).url);
    const isRejected = async (token: string) => {
      expect((await preview(token)).status).toBe(404);
      expect((await register(server, `late${names}@else.example`, token)).status).toBe(403);
    };
    const revoked = await invite();
    const revoke = (id: string) => admin.request('DELETE', `/api/admin/invitations/${id}`);
    expect((await revoke(revoked.id)).status).toBe(204);
    expect((await revoke(revoked.id)).status).toBe(404);
    await isRejected(tokenIn(revoked.url));

    const expired = await tokens();
    now = new Date(now.getTime() + 14 * DAY_MS);
    await isRejected(expired);

    const { db } = server.context;
    const { body: second } = await register(server, 'second@home.example', await tokens());
    const other = server.visitor();
    await updateUser(db, (second as User).id, { isAdmin: true });
    await other.post('/api/login', { email: 'second@home.example', password: 'correct horse' });
    const orphaned = tokenIn((await invite(undefined, other)).url);
    expect((await preview(orphaned)).status).toBe(200);
    await updateUser(db, (second as User).id, { isAdmin: false });
    await isRejected(orphaned);
  });

  it.each([
    ['demoted', { isAdmin: false }, { isAdmin: true }],
    ['disabled', { isDisabled: true }, { isDisabled: false }],
  ])('does not come back with the role of its creator, who was %s', async (_how, ending, returning) => {
    const other = server.visitor();
    const email = `other${names}@home.example`;
    const { body } = await register(server, email, tokenIn((await invite()).url), other);
    const { id } = body as User;
    await updateUser(server.context.db, id, { emailVerifiedAt: now, isAdmin: true });
    const token = tokenIn((await invite(undefined, other)).url);
    expect((await preview(token)).status).toBe(200);
    await admin.post('/api/session/proof', { password: 'correct horse' });
    for (const change of [ending, returning])
      expect((await admin.request('PATCH', `/api/admin/users/${id}`, { json: change })).status).toBe(200);
    expect((await preview(token)).status).toBe(404);
    expect((await admin.get('/api/admin/invitations')).text).not.toContain(token);
    expect((await register(server, `guest${names}@home.example`, token)).status).toBe(403);
  });

  it('of an email that waited is not sent after it was revoked', async () => {
    const { id } = await invite('never@family.example');
    await admin.request('DELETE', `/api/admin/invitations/${id}`);
    await server.drainJobs();
    expect(smtp.received.filter(({ to }) => to[0] === 'never@family.example')).toEqual([]);
  });

  it('is listed with its link and the first name of its creator until it is used', async () => {
    await updateUser(server.context.db, admin.userId, { firstName: 'Mara' });
    const created = await invite('listed@family.example');
    const open = InvitationList.parse((await admin.get('/api/admin/invitations')).body);
    expect(open[0]).toMatchObject({
      id: created.id,
      email: 'listed@family.example',
      url: created.url,
      createdBy: 'Mara',
      expiresAt: created.expiresAt,
    });
    await register(server, 'listed@family.example', tokenIn(created.url));
    const left = InvitationList.parse((await admin.get('/api/admin/invitations')).body);
    expect(left.map(({ id }) => id)).not.toContain(created.id);
  });

  it('can be created by administrators only, for a valid address', async () => {
    const guest = server.visitor();
    await register(server, 'guest@home.example', tokenIn((await invite()).url), guest);
    expect((await guest.post('/api/admin/invitations', {})).status).toBe(403);
    expect((await admin.post('/api/admin/invitations', { email: 'nobody' })).status).toBe(422);
    expect((await admin.post('/api/admin/invitations', { email: '' })).status).toBe(201);
  });

  it('cannot be guessed without end', async () => {
    const { server: at, admin: keeper } = await startWithAdmin({});
    const { url } = await invite(undefined, keeper);
    // Right ones do not count.
    for (let n = 0; n < 5; n++)
      expect((await at.visitor().get(`/api/invitations/${tokenIn(url)}`)).status).toBe(200);
    const guess = () => at.visitor().get(`/api/invitations/${'x'.repeat(43)}`);
    const statuses = await Promise.all(Array.from({ length: 101 }, async () => (await guess()).status));
    expect(statuses.filter((status) => status === 429)).toHaveLength(1);
    expect((await register(at, 'guest@else.example', 'x'.repeat(43))).status).toBe(429);
    expect((await register(at, 'guest@else.example')).status).toBe(201);
  });

  it('without a mail server says that it was not emailed', async () => {
    const local = await startTestServer();
    const keeper = await local.signUpAdmin();
    const { isEmailed } = await invite('ada@family.example', keeper);
    expect(isEmailed).toBe(false);
    await local.drainJobs();
    const [email] = await readOutbox(local.dataDir);
    expect(email).toMatchObject({ to: 'ada@family.example', subject: 'You are invited' });
  });
});

describe('ADMIN_EMAIL', () => {
  it('registers by the link that the start prints, once and in every mode', async () => {
    const { server: at, admin: keeper } = await startWithAdmin({ REGISTRATION: 'closed' });
    expect((await keeper.get('/api/user')).body).toMatchObject({ isAdmin: true, emailVerified: false });
    expect(await administratorInvitationUrl(at.context)).toBeNull();
  });

  it('has no link while there is an administrator, and one printed earlier is worn out', async () => {
    const at = await startTestServer({
      env: { PUBLIC_URL: 'http://mems.example', ADMIN_EMAIL: 'late@home.example', REGISTRATION: 'open' },
    });
    const printed = tokenIn((await administratorInvitationUrl(at.context)) ?? '');
    const other = await at.signUp('named-first');
    expect((await at.visitor().get(`/api/invitations/${printed}`)).status).toBe(200);
    await updateUser(at.context.db, other.userId, { isAdmin: true });
    expect(await administratorInvitationUrl(at.context)).toBeNull();
    expect((await at.visitor().get(`/api/invitations/${printed}`)).status).toBe(404);
    expect((await register(at, 'late@home.example', printed)).body).toMatchObject({ isAdmin: false });
  });

  it('is an administrator only once the address is verified', async () => {
    const at = await startTestServer({ env: { ...smtp.env, ADMIN_EMAIL: 'Keeper@home.example' } });
    const keeper = at.visitor();
    const { body } = await register(at, 'keeper@home.example', undefined, keeper);
    expect(body).toMatchObject({ isAdmin: false });
    smtp.received.length = 0;
    await at.drainJobs();
    const token = (await smtp.emails()).at(-1)?.token;
    expect((await keeper.post('/api/user/verify-email', { token })).status).toBe(204);
    expect((await keeper.get('/api/user')).body).toMatchObject({ isAdmin: true });
  });

  it('is made an administrator at the start if the address was verified before', async () => {
    const at = await startTestServer({ env: { PUBLIC_URL: 'http://mems.example' } });
    const verified = await at.signUp('verified');
    const other = await at.signUp('other');
    await updateUser(at.context.db, verified.userId, { emailVerifiedAt: new Date() });
    const log = createTestLog();
    const restart = (name: string) =>
      startTestServer({
        env: { DATABASE_URL: at.databaseUrl, ADMIN_EMAIL: `${name}@mems.example` },
        overrides: { logger: log.logger },
      });
    await restart('other');
    await (await restart('verified')).drainJobs();
    expect((await verified.get('/api/user')).body).toMatchObject({ isAdmin: true });
    expect((await other.get('/api/user')).body).toMatchObject({ isAdmin: false });
    expect(log.securityEvents()).toMatchObject([
      {
        event: 'account-edited',
        userId: verified.userId,
        details: { isAdmin: true, by: 'ADMIN_EMAIL' },
      },
    ]);
  });

  it('does not get back the role by verifying the address after others took it away', async () => {
    smtp.received.length = 0;
    const { server: at, admin: keeper } = await startWithAdmin({});
    const { db } = at.context;
    await at.drainJobs();
    const token = (await smtp.emails()).at(-1)?.token;
    await updateUser(db, (await at.signUp('other')).userId, { isAdmin: true });
    await updateUser(db, keeper.userId, { isAdmin: false });
    expect((await keeper.post('/api/user/verify-email', { token })).status).toBe(204);
    expect((await keeper.get('/api/user')).body).toMatchObject({ emailVerified: true, isAdmin: false });
  });

  it('does not get back the role that others took away, at a start or by a password reset', async () => {
    const { server: at, admin: keeper } = await startWithAdmin({});
    const { db } = at.context;
    await updateUser(db, (await at.signUp('other')).userId, { isAdmin: true });
    await updateUser(db, keeper.userId, { emailVerifiedAt: now, isAdmin: false });
    const isAdmin = async () => (await findUser(db, keeper.userId))?.isAdmin;
    await startTestServer({ env: { DATABASE_URL: at.databaseUrl, ADMIN_EMAIL: 'keeper@home.example' } });
    expect(await isAdmin()).toBe(false);
    await at.drainJobs();
    smtp.received.length = 0;
    await at.visitor().post('/api/password/forgot', { email: 'keeper@home.example' });
    await at.drainJobs();
    const change = { token: (await smtp.emails()).at(-1)?.token, password: 'a better horse' };
    expect((await at.visitor().post('/api/password/reset', change)).status).toBe(200);
    expect(await isAdmin()).toBe(false);
  });
});
