import { once } from 'node:events';
import { readdir, readFile } from 'node:fs/promises';
import { request, type IncomingMessage } from 'node:http';
import { join } from 'node:path';
import { pino } from 'pino';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import type { CreatedInvitation } from '#shared/accounts/invitation';
import { readOutbox } from '../../testing/clients/dev-outbox.ts';
import { completeUpload, putPhoto } from '../../testing/data/factories.ts';
import { signUpSmsOwner, startSmsServer } from '../../testing/data/inbound-sms.ts';
import { connectSmtp } from '../../testing/clients/smtp-client.ts';
import { addTestPasskey, signInByPasskey } from '../../testing/clients/passkey.ts';
import type { TestClient } from '../../testing/clients/test-client.ts';
import { startTestServer } from '../../testing/test-server.ts';
import { turnTotpOn } from '../../testing/clients/totp.ts';
import { startTwilioServer } from '../../testing/fakes/twilio-server.ts';
import { startSmtpReceiver } from '../../features/inbound-email/receiving/smtp-receiver.ts';
import { updateUser } from '../../features/accounts/users/user-queries.ts';
import type { SecurityRecord } from './security-log.ts';

type Line = { level: number; security?: SecurityRecord };

const lines: Line[] = [];
const logger = pino({ level: 'info', base: null }, { write: (line) => lines.push(JSON.parse(line) as Line) });
const recorded = () => lines.flatMap((line) => line.security ?? []);
const REQUEST_ID = expect.stringMatching(/^[0-9a-f-]{36}$/) as string;
const SESSION_HASH = expect.stringMatching(/^[\w-]{43}$/) as string;

const passkeyOrigin = () => `http://localhost:${new URL(server.origin).port}`;
const server = await startTestServer({
  overrides: { logger },
  env: {
    LOGIN_ATTEMPTS_PER_ACCOUNT: '2',
    INBOUND_MAIL_DOMAIN: 'in.mems.example',
    INBOUND_MAIL_SECRET: 'a secret of the mail server for this test',
    INBOUND_SMTP_PORT: '0',
    INBOUND_SMTP_HOST: '127.0.0.1',
  },
});
beforeEach(() => void (lines.length = 0));

describe('the security log', () => {
  it('records a sign-in with its user, session, address and request', async () => {
    const { userId } = await server.signUp('owner');
    lines.length = 0;
    const client = server.visitor();
    const login = { email: 'owner@mems.example', password: 'correct horse' };
    const response = await client.post('/api/login', login);
    expect(recorded()).toEqual([
      {
        event: 'sign-in',
        outcome: 'success',
        userId,
        actorId: null,
        sessionHash: SESSION_HASH,
        ip: '127.0.0.1',
        requestId: response.headers.get('X-Request-Id'),
        details: {},
      },
    ]);
    const [sid = ''] = decodeURIComponent(client.cookie()).replace('mems.sid=s:', '').split('.');
    expect(sid).not.toBe('');
    expect(JSON.stringify(lines)).not.toContain(sid);
  });

  it('records the sign-in of a disabled account with its user, however it is tried', async () => {
    const owner = await server.signUp('disabled');
    const passkey = await addTestPasskey(owner, passkeyOrigin());
    const withCode = await server.signUp('disabled-code');
    const { codes } = await turnTotpOn(withCode, new Date());
    const atCode = server.visitor();
    const login = (name: string) => ({ email: `${name}@mems.example`, password: 'correct horse' });
    expect((await atCode.post('/api/login', login('disabled-code'))).status).toBe(202);
    for (const { userId } of [owner, withCode])
      await updateUser(server.context.db, userId, { disabledAt: new Date() });
    lines.length = 0;
    const responses = [
      await server.visitor().post('/api/login', login('disabled')),
      await signInByPasskey(server.visitor(), passkey),
      await atCode.post('/api/login/code', { code: codes[0] }),
    ];
    expect(responses.map(({ status }) => status)).toEqual([403, 403, 403]);
    const rejected = {
      event: 'sign-in',
      outcome: 'refused',
      sessionHash: null,
      details: { reason: 'disabled' },
    };
    expect(recorded()).toMatchObject([
      { ...rejected, userId: owner.userId },
      { ...rejected, userId: owner.userId },
      { ...rejected, userId: withCode.userId },
    ]);
  });

  it('records answers of passkeys that are wrong or come twice', async () => {
    const passkey = await addTestPasskey(await server.signUp('replayed'), passkeyOrigin());
    const { body } = await server.visitor().post('/api/login/passkey/options');
    const assertion = passkey.sign(body as { challenge: string; rpId: string });
    lines.length = 0;
    for (let n = 0; n < 2; n++) await server.visitor().post('/api/login/passkey', assertion);
    await signInByPasskey(server.visitor(), passkey, { isVerified: false });
    expect(recorded().map(({ event, outcome }) => [event, outcome])).toEqual([
      ['sign-in', 'success'],
      ['passkey-check', 'failure'],
      ['passkey-check', 'failure'],
    ]);
  });

  it('records what an owner does to the account', async () => {
    const client = await server.signUp('changer');
    const { userId } = client;
    const email = 'changer@mems.example';
    await server.visitor().post('/api/register', { email, username: 'changer2', password: 'correct horse' });
    const change = (currentPassword: string) =>
      client.request('PATCH', '/api/user/password', {
        json: { currentPassword, password: 'battery staple' },
      });
    await change('wrong guess');
    await change('correct horse');
    await client.request('PUT', '/api/user/allowed-senders', { json: { addresses: ['oma@family.example'] } });
    await client.post('/api/user/inbound-email/reset');
    await client.post('/api/logout');
    await server.visitor().post('/api/password/forgot', { email });
    await server.visitor().post('/api/password/forgot', { email: 'nobody@mems.example' });
    await server.drainJobs();
    const token = await resetToken(email);
    await server.visitor().post('/api/password/reset', { token, password: 'correct horse' });
    await server.visitor().post('/api/password/reset', { token, password: 'correct horse' });
    const again = server.visitor();
    await again.post('/api/login', { email, password: 'correct horse' });
    await again.post('/api/logout/all');
    const signedIn = { userId, sessionHash: SESSION_HASH };
    const visitor = { sessionHash: null, ip: '127.0.0.1' };
    expect(recorded()).toMatchObject([
      { event: 'registration', outcome: 'success', ...signedIn },
      { event: 'registration', outcome: 'failure', userId: null, ...visitor, details: { status: 409 } },
      { event: 'password-change', outcome: 'failure', ...signedIn },
      { event: 'password-change', outcome: 'success', ...signedIn },
      { event: 'allowed-senders-change', outcome: 'success', ...signedIn },
      { event: 'inbound-address-change', outcome: 'success', ...signedIn },
      { event: 'sign-out', outcome: 'success', ...signedIn },
      { event: 'password-reset-request', outcome: 'success', userId, ...visitor },
      { event: 'password-reset-request', outcome: 'success', userId: null, ...visitor },
      { event: 'password-reset', outcome: 'success', userId, ...visitor },
      { event: 'password-reset', outcome: 'failure', userId: null, ...visitor },
      { event: 'sign-in', outcome: 'success', ...signedIn },
      { event: 'sign-out-everywhere', outcome: 'success', ...signedIn },
    ]);
    const hashes = new Set(recorded().flatMap(({ sessionHash }) => sessionHash ?? []));
    expect(hashes.size).toBe(2);
  });

  it('records phone codes, numbers and the account that loses a number', async () => {
    const [first, second] = [await server.signUp('first'), await server.signUp('second')];
    const phoneNumber = '+12065550199';
    lines.length = 0;
    const verify = (client: TestClient, code: string) =>
      client.post('/api/sms/verify', { phoneNumber, code });
    for (const client of [first, second]) {
      await client.post('/api/sms/send-verification', { phoneNumber });
      const code = await smsCode();
      await verify(client, code === '000000' ? '000001' : '000000');
      await verify(client, code);
    }
    await second.request('DELETE', '/api/sms/number');
    expect(recorded().map(({ event, outcome, userId }) => [event, outcome, userId])).toEqual([
      ['phone-code', 'success', first.userId],
      ['phone-change', 'failure', first.userId],
      ['phone-change', 'success', first.userId],
      ['phone-code', 'success', second.userId],
      ['phone-change', 'failure', second.userId],
      ['phone-removal', 'success', first.userId],
      ['phone-change', 'success', second.userId],
      ['phone-removal', 'success', second.userId],
    ]);
    expect(JSON.stringify(lines)).not.toContain('2065550199');
  });

  it('records forged signatures, rejected origins and unknown links', async () => {
    const visitor = server.visitor();
    const foreign = { 'Sec-Fetch-Site': 'cross-site', Origin: 'https://evil.example' };
    await visitor.post('/api/login', { email: 'owner@mems.example', password: 'x' }, foreign);
    const form = { 'Content-Type': 'application/x-www-form-urlencoded', 'X-Twilio-Signature': 'forged' };
    await visitor.request('POST', '/api/sms/incoming', { body: 'Body=Hi', headers: form });
    await visitor.post('/api/email/incoming', {}, { Authorization: 'Bearer forged' });
    const upload = '0197f0a0-0000-7000-8000-000000000000';
    await visitor.request('PUT', `/uploads/${upload}?signature=forged`, { body: 'x' });
    await visitor.get('/p/unknown');
    await visitor.get('/p/unknown/photo.jpg');
    await visitor.get('/unsubscribe/unknown');
    await visitor.get('/preferences/unknown');
    const invitationToken = 'x'.repeat(43);
    await visitor.get(`/api/invitations/${invitationToken}`);
    const account = {
      email: 'eve@mems.example',
      username: 'eve',
      password: 'correct horse',
      invitationToken,
    };
    await visitor.post('/api/register', account);
    expect(recorded().map(({ event, outcome, details }) => [event, outcome, details['of']])).toEqual([
      ['refused-origin', 'refused', undefined],
      ['forged-signature', 'refused', 'sms'],
      ['forged-signature', 'refused', 'email'],
      ['forged-signature', 'refused', 'upload'],
      ['unknown-link', 'failure', 'share'],
      ['unknown-link', 'failure', 'share'],
      ['unknown-link', 'failure', 'subscription'],
      ['unknown-link', 'failure', 'subscription'],
      ['unknown-link', 'failure', 'invitation'],
      ['unknown-link', 'failure', 'invitation'],
      ['registration', 'success', undefined],
    ]);
    expect(recorded().every(({ ip, requestId }) => ip === '127.0.0.1' && requestId)).toBe(true);
  });

  it('records rejected registrations', async () => {
    const closed = await startTestServer({
      overrides: { logger },
      env: { PUBLIC_URL: 'https://mems.example', REGISTRATION: 'closed' },
    });
    const account = { email: 'eve@mems.example', username: 'eve', password: 'correct horse' };
    expect((await closed.visitor().post('/api/register', account)).status).toBe(403);
    expect(recorded()).toMatchObject([{ event: 'registration', outcome: 'refused' }]);
  });

  it('records hosts that are rejected', async () => {
    const named = await startTestServer({
      overrides: { logger },
      env: { PUBLIC_URL: 'https://mems.example', TRUST_PROXY: '1' },
    });
    const response = await named.visitor().get('/api/config', { 'X-Forwarded-Host': 'evil.example' });
    expect(response.status).toBe(421);
    // Not alone: fetch sends a request with this status once more.
    expect(recorded()[0]).toMatchObject({ event: 'refused-host', outcome: 'refused' });
  });

  it('records rejected photos and their senders', async () => {
    const owner = await server.signUp('sender');
    const noPhoto = Buffer.from('no photo');
    lines.length = 0;
    const uploadURL = await putPhoto(owner, noPhoto);
    const upload = await completeUpload(owner, { uploadURL });
    const form = new FormData();
    form.set('name', 'Rex');
    form.set('species', 'dog');
    form.set('profileImage', new Blob([noPhoto], { type: 'image/jpeg' }), 'rex.jpg');
    const pet = await owner.request('POST', '/api/pets', { body: form });
    expect([upload.status, pet.status]).toEqual([415, 415]);
    const rejected = {
      event: 'refused-photo',
      outcome: 'refused',
      userId: owner.userId,
      ip: '127.0.0.1',
      details: { reason: 'not-a-photo' },
    };
    expect(recorded()).toMatchObject(
      [upload, pet].map(({ headers }) => ({ ...rejected, requestId: headers.get('X-Request-Id') })),
    );
  });

  it('records rejected photos of text messages', async () => {
    const twilio = await startTwilioServer();
    const texts = await startSmsServer(twilio, { overrides: { logger } });
    const owner = await signUpSmsOwner(texts, twilio);
    lines.length = 0;
    const media = [twilio.media.attach(Buffer.from('no photo'), 'image/jpeg')];
    await owner.sendSmsAndWait({ body: 'Rex: Snow', media });
    expect(recorded()).toMatchObject([
      {
        event: 'refused-photo',
        outcome: 'refused',
        userId: owner.userId,
        details: { of: 'mms', reason: 'not-a-photo' },
      },
    ]);
  });

  it('records rejected requests for photos from elsewhere, with the addresses of websockets, too', async () => {
    const app = await startTestServer({
      overrides: { logger },
      env: { REMOTE_LINKS: 'true', PUBLIC_URL: 'http://mems.example', TRUST_PROXY: '1' },
    });
    const headers = { 'X-Forwarded-Host': 'mems.example', 'X-Forwarded-For': '203.0.113.7' };
    const visitor = app.visitor();
    const account = { email: 'remote@mems.example', username: 'remote', password: 'correct horse' };
    expect((await visitor.post('/api/register', account, headers)).status).toBe(201);
    lines.length = 0;
    const url = 'http://127.0.0.1/photo.jpg';
    const foreign = { ...headers, 'Sec-Fetch-Site': 'cross-site' };
    await visitor.post('/companion/url/meta', { url }, foreign);
    await visitor.post('/companion/url/meta', { url }, headers);
    await visitor.get('/companion/s3/params', headers);
    const path = '/companion/api/0197f0a0-0000-7000-8000-000000000000';
    await openWebsocket(app.origin, path, { ...headers, Origin: 'https://evil.example' });
    await openWebsocket(app.origin, path, { ...headers, 'X-Forwarded-Host': 'evil.example' });
    const REJECTED = { outcome: 'refused', ip: '203.0.113.7', requestId: REQUEST_ID };
    expect(recorded()).toMatchObject([
      { ...REJECTED, event: 'refused-origin' },
      { ...REJECTED, event: 'refused-address' },
      { ...REJECTED, event: 'access-denied', details: { of: 'companion-s3' } },
      { ...REJECTED, event: 'refused-origin', details: { of: 'websocket' } },
      { ...REJECTED, event: 'refused-host', details: { of: 'websocket' } },
    ]);
  });

  it('records which invitation was used', async () => {
    const admin = await server.signUp('inviter');
    await updateUser(server.context.db, admin.userId, { isAdmin: true });
    const { body } = await admin.post('/api/admin/invitations', {});
    const { id, url } = body as CreatedInvitation;
    const invitationToken = new URL(url).searchParams.get('invite');
    lines.length = 0;
    const guest = {
      email: 'guest@mems.example',
      username: 'guest',
      password: 'correct horse',
      invitationToken,
    };
    expect((await server.visitor().post('/api/register', guest)).status).toBe(201);
    expect(recorded().filter(({ event }) => event === 'invitation-used')).toMatchObject([
      { outcome: 'success', ip: '127.0.0.1', requestId: REQUEST_ID, details: { invitationId: id } },
    ]);
    expect(JSON.stringify(lines)).not.toContain(invitationToken);
  });

  it('records limits of the SMTP receiver with the address', async () => {
    const receiver = await startSmtpReceiver(server.context);
    afterAll(() => receiver?.close());
    const client = await connectSmtp(receiver?.port ?? 0);
    await client.say('EHLO mail.home.example');
    await client.say('MAIL FROM:<a@mems.example>');
    for (let i = 0; i < 6; i++) await client.say(`RCPT TO:<unknown${i}@in.mems.example>`);
    await client.end();
    expect(recorded()).toMatchObject([
      { event: 'rate-limit', outcome: 'refused', ip: '127.0.0.1', requestId: null },
    ]);
  });

  it('records wrong passwords and the limit that they reach', async () => {
    const { userId } = await server.signUp('target');
    lines.length = 0;
    const guess = (email: string) => server.visitor().post('/api/login', { email, password: 'a guess' });
    await guess('target@mems.example');
    await guess('unknown@mems.example');
    await guess('target@mems.example');
    const limited = await guess('target@mems.example');
    expect(limited.status).toBe(429);
    const failure = { event: 'sign-in', outcome: 'failure', sessionHash: null, ip: '127.0.0.1' };
    expect(recorded()).toMatchObject([
      { ...failure, userId, requestId: REQUEST_ID },
      { ...failure, userId: null },
      { ...failure, userId },
      { event: 'rate-limit', outcome: 'refused', details: { limit: 'loginPerUser' } },
    ]);
    expect(lines.find((line) => line.security)?.level).toBe(40);
    expect(JSON.stringify(lines)).not.toMatch(/a guess|mems\.example/);
  });
});

/** Ends with the rejection. */
async function openWebsocket(origin: string, path: string, headers: Record<string, string>): Promise<void> {
  const asked = request(new URL(path, origin), {
    headers: { ...headers, Connection: 'Upgrade', Upgrade: 'websocket' },
  });
  asked.end();
  const [response] = (await once(asked, 'response')) as [IncomingMessage];
  response.resume();
  await once(response, 'end');
}

async function resetToken(email: string): Promise<string> {
  const mails = (await readOutbox(server.dataDir)).filter(({ to }) => to === email);
  const tokens = mails.flatMap(({ text }) => /reset-password#([\w-]+)/.exec(text)?.[1] ?? []);
  return tokens.at(-1) ?? '';
}

async function smsCode(): Promise<string> {
  const folder = join(server.dataDir, 'outbox');
  const names = (await readdir(folder)).filter((name) => name.endsWith('.sms.json')).sort();
  return /\b\d{6}\b/.exec(await readFile(join(folder, names.at(-1) ?? ''), 'utf8'))?.[0] ?? '';
}
