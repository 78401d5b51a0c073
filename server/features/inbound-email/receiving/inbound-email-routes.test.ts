import { connect, type Socket } from 'node:net';
import { PassThrough } from 'node:stream';
import { text } from 'node:stream/consumers';
import { gzipSync } from 'node:zlib';
import { afterEach, describe, expect, it } from 'vitest';
import type { User } from '#shared/accounts/user';
import { memoriesOf } from '../../../testing/clients/album.ts';
import { waitForArriving } from '../../../testing/data/inbound-email.ts';
import {
  inboundEmailOf,
  sendEmailAndWait,
  newPhoto,
  pushEmail,
  signUpEmailOwner,
  storedEmails,
} from '../../../testing/data/inbound-email.ts';
import { file, mime, multipart } from '../../../testing/data/mime.ts';
import { startTestServer } from '../../../testing/test-server.ts';
import { inboundEmailSecret } from '../local-dkim-key.ts';
import { purgeInboundEmailsJob } from '../purge-inbound-emails-job.ts';
import { receiveEmail } from './receive-email.ts';

let now = new Date();

const server = await startTestServer({ overrides: { clock: { now: () => now } } });
// Each test starts without stored email.
afterEach(() => server.drainJobs());

const CHUNKED = 'Transfer-Encoding: chunked';

/** Sends the headers; the caller writes the body. */
function beginPush(to: string, length: string): Socket {
  const head = [
    'POST /api/email/incoming HTTP/1.1',
    'Host: mems.localhost',
    `Authorization: Bearer ${inboundEmailSecret(null, server.context.keyedHash)}`,
    `X-Original-To: ${to}`,
    length,
  ];
  const socket = connect(Number(new URL(server.origin).port), '127.0.0.1');
  socket.write(`${head.join('\r\n')}\r\n\r\n`);
  return socket;
}

describe('POST /api/email/incoming', () => {
  it('requires the secret, an envelope and a message', async () => {
    const { inboundEmail: to } = await signUpEmailOwner(server);
    const push = (headers: Record<string, string>, body = Buffer.from('From: x\r\n\r\n')) =>
      pushEmail(server, to, body, headers);
    expect((await push({ Authorization: 'Bearer wrong' })).status).toBe(401);
    expect((await push({ Authorization: '' })).status).toBe(401);
    expect((await push({ 'X-Original-To': '' })).status).toBe(400);
    expect((await push({ 'X-Original-To': 'unknown@in.mems.localhost' })).status).toBe(404);
    expect((await push({ 'X-Original-To': to.replace('@', '@not.') })).status).toBe(404);
    expect((await push({}, Buffer.alloc(0))).status).toBe(400);
    expect((await push({ 'Content-Encoding': 'gzip' }, gzipSync('From: x\r\n\r\n'))).status).toBe(415);
    expect((await push({ 'Sec-Fetch-Site': 'cross-site' })).status).toBe(202);
  });

  it('accepts up to 40 MB', async () => {
    const owner = await signUpEmailOwner(server);
    const head = Buffer.from(`From: ${owner.email}\r\nMessage-ID: <large@x>\r\n\r\n`);
    const mail = Buffer.concat([head, Buffer.alloc(40 * 1024 * 1024 - head.length, `${'a'.repeat(76)}\r\n`)]);
    expect((await pushEmail(server, owner.inboundEmail, mail)).status).toBe(202);
    await server.drainJobs();
    const larger = Buffer.concat([mail, Buffer.from('x')]);
    expect((await pushEmail(server, owner.inboundEmail, larger)).status).toBe(413);
    const streamed = await fetch(`${server.origin}/api/email/incoming`, {
      method: 'POST',
      headers: { Authorization: 'Bearer none', 'X-Original-To': owner.inboundEmail },
      body: new Blob([new Uint8Array(1000)]).stream(),
      duplex: 'half',
    });
    expect(streamed.status).toBe(401);
    expect(await storedEmails(server)).toEqual([]);
  });

  it('rejects email with headers that are too large', async () => {
    const owner = await signUpEmailOwner(server);
    for (const headers of [
      { To: 'oma@family.example, '.repeat(15_000) },
      { 'X-Line': Array(2_001).fill('x') },
    ]) {
      const mail = mime({ From: owner.email, ...headers });
      const rejected = await pushEmail(server, owner.inboundEmail, mail);
      expect([rejected.status, rejected.text]).toEqual([413, expect.stringContaining('headers')]);
    }
    expect(await storedEmails(server)).toEqual([]);
  });

  it('accepts an email to many recipients', async () => {
    const { inboundEmail } = await signUpEmailOwner(server);
    const others = Array.from({ length: 99 }, (_, n) => `${n}@in.mems.localhost`);
    const to = [...others, inboundEmail].join(',');
    expect((await pushEmail(server, to, mime({ Subject: 'x' }))).status).toBe(202);
  });

  it.each([
    ['the address is unknown', { status: 404, megabytes: 20, isUnknown: true, isChunked: false }],
    ['the email is too large', { status: 413, megabytes: 41, isUnknown: false, isChunked: false }],
    [
      'the mail is too large, which it did not say',
      { status: 413, megabytes: 60, isUnknown: false, isChunked: true },
    ],
  ])('responds after the whole body was sent if %s', async (_name, mail) => {
    const { status, megabytes, isUnknown, isChunked } = mail;
    const { inboundEmail } = await signUpEmailOwner(server);
    const body = Buffer.alloc(megabytes * 1024 * 1024, 'a\r\n');
    const socket = beginPush(
      isUnknown ? 'unknown@in.mems.localhost' : inboundEmail,
      isChunked ? CHUNKED : `Content-Length: ${body.length}`,
    );
    if (isChunked) socket.write(`${body.length.toString(16)}\r\n`);
    socket.write(body);
    const end = isChunked ? '\r\n0\r\n\r\n' : '';
    await new Promise<void>((done, fail) => socket.write(end, (error) => (error ? fail(error) : done())));
    expect(await text(socket)).toMatch(new RegExp(`^HTTP/1.1 ${status} `));
    expect(await storedEmails(server)).toEqual([]);
  });

  it('stores nothing of an interrupted email', async () => {
    const { inboundEmail } = await signUpEmailOwner(server);
    const socket = beginPush(inboundEmail, CHUNKED);
    socket.write('7\r\nFrom: x\r\n');
    await waitForArriving(server, 1);
    socket.destroy();
    await waitForArriving(server, 0);
    expect(await storedEmails(server)).toEqual([]);
  });

  it('does not acknowledge an email that was purged while arriving', async () => {
    const owner = await signUpEmailOwner(server);
    const body = new PassThrough();
    const receiving = receiveEmail(server.context, [owner.userId], {
      body,
      envelopeSender: null,
      spfDomain: null,
    }).then(
      () => 'acknowledged',
      () => 'rejected',
    );
    body.write(mime({ From: owner.email }));
    await waitForArriving(server, 1);
    const before = now;
    now = new Date(now.getTime() + 2 * 60 * 60 * 1000);
    await purgeInboundEmailsJob.handle(server.context, {});
    now = before;
    await waitForArriving(server, 0);
    body.end('the rest');
    expect(await receiving).toBe('rejected');
    expect(await storedEmails(server)).toEqual([]);
  });

  it('rate limits pushed email', async () => {
    const few = await startTestServer({ env: { INBOUND_MAILS_PER_HOUR: '1' } });
    const to = await inboundEmailOf(await few.signUp());
    const push = (text: string) => pushEmail(few, to, mime({ Subject: text }));
    expect((await push('1')).status).toBe(202);
    const rejected = await push('2');
    expect([rejected.status, rejected.headers.get('Retry-After')]).toEqual([429, expect.any(String)]);
  });

  it('is 404 while inbound email is off, and accounts have no address', async () => {
    const off = await startTestServer({ env: { PUBLIC_URL: 'https://mems.example' } });
    const client = await off.signUp();
    expect(((await client.get('/api/user')).body as User).inboundEmail).toBeNull();
    expect((await client.get('/api/config')).body).toMatchObject({ inboundEmailEnabled: false });
    expect((await pushEmail(off, 'x@in.mems.localhost', Buffer.from('x'))).status).toBe(404);
    expect((await client.post('/api/user/inbound-email/reset')).status).toBe(404);
  });

  it('uses the configured provider’s headers, secret and results', async () => {
    const secret = 'a secret of more than thirty-two characters';
    const open = await startTestServer({
      env: {
        PUBLIC_URL: 'https://mems.example',
        INBOUND_MAIL_DOMAIN: 'in.mems.example',
        INBOUND_MAIL_SECRET: secret,
        INBOUND_MAIL_PROVIDER: 'postfix',
        INBOUND_MAIL_AUTHSERV_ID: 'mx.provider.example',
      },
      overrides: {
        dns: { resolve: () => Promise.reject(Object.assign(new Error(), { code: 'ENOTFOUND' })) },
      },
    });
    const client = await open.signUp();
    const { inboundEmail: to, email } = (await client.get('/api/user')).body as User;
    expect(to).toMatch(/^[0-9a-f]{24}@in\.mems\.example$/);
    const headers = { Authorization: `Bearer ${secret}`, 'X-Original-To': to ?? '' };
    const results =
      'mx.provider.example; spf=fail; dkim=pass header.i=@mems.example; dmarc=pass header.from=mems.example';
    const raw = multipart('mixed', [file((await newPhoto()).bytes)], {
      headers: { 'Authentication-Results': results, From: email, 'Message-ID': '<1@x>' },
    });
    expect((await pushEmail(open, '', raw)).status).toBe(401);
    expect((await pushEmail(open, '', raw, headers)).status).toBe(202);
    await open.drainJobs();
    expect(await memoriesOf(client)).toHaveLength(1);
  });
});

describe('the address for photos', () => {
  it('is unique per account, and invalid after a reset', async () => {
    const [owner, other] = [await signUpEmailOwner(server), await signUpEmailOwner(server)];
    expect(owner.inboundEmail).toMatch(/^[0-9a-f]{24}@in\.mems\.localhost$/);
    expect(other.inboundEmail).not.toBe(owner.inboundEmail);
    const reset = (await owner.post('/api/user/inbound-email/reset')).body as User;
    expect(reset.inboundEmail).not.toBe(owner.inboundEmail);
    expect((await pushEmail(server, owner.inboundEmail, mime({ Subject: 'x' }))).status).toBe(404);
    expect((await pushEmail(server, reset.inboundEmail ?? '', mime({ Subject: 'x' }))).status).toBe(202);
  });

  it('accepts email from allowed senders', async () => {
    const owner = await signUpEmailOwner(server);
    const put = (addresses: unknown) =>
      owner.request('PUT', '/api/user/allowed-senders', { json: { addresses } });
    const allowed = await put([' Oma@Family.example ', 'oma@family.example', 'jo@family.example']);
    expect(allowed.body).toEqual({ addresses: ['jo@family.example', 'oma@family.example'] });
    await sendEmailAndWait(server, owner, { from: 'oma@family.example' });
    expect(await memoriesOf(owner)).toHaveLength(1);
    await put([]);
    await sendEmailAndWait(server, owner, { from: 'oma@family.example' });
    expect(await memoriesOf(owner)).toHaveLength(1);
    expect((await put(['unknown'])).status).toBe(422);
    expect((await put('oma@family.example')).status).toBe(422);
    expect((await put(Array.from({ length: 51 }, (_, n) => `${n}@x.example`))).status).toBe(422);
  });
});
