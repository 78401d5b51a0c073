import { connect } from 'node:net';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { memoriesOf } from '../../../testing/clients/album.ts';
import { connectSmtp, type SmtpClient } from '../../../testing/clients/smtp-client.ts';
import type { TestClient } from '../../../testing/clients/test-client.ts';
import { waitForArriving } from '../../../testing/data/inbound-email.ts';
import {
  heldMessagesOf,
  inboundEmailOf,
  newPhoto,
  storedEmails,
} from '../../../testing/data/inbound-email.ts';
import { file, mime, multipart } from '../../../testing/data/mime.ts';
import { startTestServer, type TestServer } from '../../../testing/test-server.ts';
import { TIMEOUT } from '../../../testing/timing/timeout.ts';
import { startSmtpReceiver, type SmtpReceiver } from './smtp-receiver.ts';

const SPF: Record<string, string> = {
  'mems.example': 'v=spf1 ip4:127.0.0.1 -all',
  'else.example': 'v=spf1 ip4:192.0.2.1 -all',
};
const ENV = {
  INBOUND_MAIL_DOMAIN: 'in.mems.example',
  INBOUND_SMTP_PORT: '0',
  INBOUND_SMTP_HOST: '127.0.0.1',
};

let server: TestServer;
let receiver: SmtpReceiver;
let owner: TestClient;
let address: string;

async function start(env: Record<string, string> = {}): Promise<[TestServer, SmtpReceiver]> {
  const started = await startTestServer({
    env: { ...ENV, ...env },
    overrides: {
      dns: {
        resolve(name, type) {
          const record = type === 'TXT' && SPF[name];
          if (record) return Promise.resolve([[record]]);
          return Promise.reject(Object.assign(new Error(name), { code: 'ENOTFOUND' }));
        },
      },
    },
  });
  const smtp = await startSmtpReceiver(started.context);
  if (!smtp) throw new Error('No mail is received');
  afterAll(() => smtp.close());
  return [started, smtp];
}

beforeAll(async () => {
  [server, receiver] = await start();
  owner = await server.signUp('mara');
  address = await inboundEmailOf(owner);
});

const codes = (replies: string[]) => replies.map((each) => each.slice(0, 3));
const aMail = async (from = 'mara@mems.example', subject = 'At sea') =>
  multipart('mixed', [file((await newPhoto()).bytes)], {
    headers: { From: from, Subject: subject },
  });

describe('the SMTP receiver', () => {
  it('accepts email verified by SPF, with lines that start with dots', async () => {
    const client = await connectSmtp(receiver.port);
    expect(client.greeting).toMatch(/^220 in\.mems\.example /);
    const body = Buffer.concat([await aMail(), Buffer.from('\r\n.\r\n..\r\n')]);
    const replies = await client.send({ from: 'bounces@mems.example', to: [address], body });
    expect(codes(replies)).toEqual(['250', '250', '250', '250']);
    await server.drainJobs();
    expect((await memoriesOf(owner)).map(({ caption, source }) => [caption, source])).toEqual([
      ['At sea', 'email'],
    ]);
    await client.end();
  });

  it('holds email if SPF fails or passes for another domain', async () => {
    const client = await connectSmtp(receiver.port);
    await client.send({
      from: 'x@else.example',
      to: [address],
      body: await aMail('mara@mems.example', 'forged'),
    });
    await client.send({
      from: 'x@mems.example',
      to: [address],
      body: await aMail('jo@else.example', 'another'),
    });
    await client.send({ from: '', to: [address], body: await aMail('mara@mems.example', 'unknown') });
    await server.drainJobs();
    expect((await heldMessagesOf(owner)).map(({ subject }) => subject).sort()).toEqual([
      'another',
      'forged',
      'unknown',
    ]);
    expect(await memoriesOf(owner)).toHaveLength(1);
    await client.end();
  });

  it('ignores forged Authentication-Results of the configured server', async () => {
    const [both, smtp] = await start({ INBOUND_MAIL_AUTHSERV_ID: 'mx.mems.example' });
    const ingrid = await both.signUp('ingrid');
    const client = await connectSmtp(smtp.port);
    const body = Buffer.concat([
      Buffer.from('Authentication-Results: mx.mems.example; dkim=pass header.d=mems.example\r\n'),
      await aMail('ingrid@mems.example'),
    ]);
    await client.send({ from: 'x@else.example', to: [await inboundEmailOf(ingrid)], body });
    await both.drainJobs();
    expect((await ingrid.get('/api/held-messages')).body).toHaveLength(1);
    expect((await ingrid.get('/api/memories')).body).toEqual([]);
    await client.end();
  });

  it('supports STARTTLS with a self-signed certificate', async () => {
    const client = await connectSmtp(receiver.port);
    expect(await client.say('EHLO mail.home.example')).toContain('STARTTLS');
    expect(await client.startTls()).toBe(address.split('@')[1]);
    const replies = await client.send({
      from: 'x@mems.example',
      to: [address],
      body: await aMail(undefined, 'secret'),
    });
    expect(codes(replies)).toEqual(['250', '250', '250', '250']);
    await server.drainJobs();
    expect((await memoriesOf(owner))[0]?.caption).toBe('secret');
    await client.end();
  });

  it('rejects unknown addresses, and limits guessing', async () => {
    const client = await connectSmtp(receiver.port);
    await client.say('EHLO x');
    expect(await client.say('AUTH PLAIN AHgAeQ==')).toMatch(/^5/);
    await client.say('MAIL FROM:<x@else.example>');
    expect(await client.say(`RCPT TO:<${address.toUpperCase()}>`)).toMatch(/^250/);
    for (const to of [
      'a@in.mems.example',
      'b@in.mems.example',
      'c@else.example',
      'd@x',
      address.replace('@', '@not.'),
    ])
      expect(await client.say(`RCPT TO:<${to}>`)).toMatch(/^550/);
    expect(await client.say('RCPT TO:<e@in.mems.example>')).toMatch(/^421/);
    await client.end();
  });

  it('rejects more than 40 MB, declared or not, and headers that are too large', async () => {
    const client = await connectSmtp(receiver.port);
    expect(await client.say('EHLO x')).toContain('SIZE 41943040');
    expect(await client.say('MAIL FROM:<x@mems.example> SIZE=41943041')).toMatch(/^552/);
    const body = Buffer.concat([
      mime({ From: 'mara@mems.example' }),
      Buffer.alloc(40 * 1024 * 1024, 'abcdefg\r\n'),
    ]);
    const send = async (mail: Buffer) =>
      (await client.send({ from: 'x@mems.example', to: [address], body: mail })).at(-1);
    expect(await send(body)).toMatch(/^552 .*40 MB/);
    expect(await send(mime({ 'X-Long': 'x'.repeat(300_000) }))).toMatch(/^552 .*headers/);
    expect(await send(await aMail())).toMatch(/^250/);
    await server.drainJobs();
    await client.end();
  });

  it('stores nothing of an email whose connection broke', async () => {
    const before = await memoriesOf(owner);
    const client = await connectSmtp(receiver.port);
    for (const line of ['EHLO x', 'MAIL FROM:<x@mems.example>', `RCPT TO:<${address}>`, 'DATA'])
      await client.say(line);
    client.write((await aMail()).subarray(0, 500));
    await waitForArriving(server, 1);
    await client.end();
    await waitForArriving(server, 0);
    await server.drainJobs();
    expect(await memoriesOf(owner)).toEqual(before);
    expect(await storedEmails(server)).toHaveLength((await heldMessagesOf(owner)).length);
  });

  it('looks up the addresses again at DATA', async () => {
    const jo = await server.signUp('joseph');
    const begin = async (...to: string[]) => {
      const client = await connectSmtp(receiver.port);
      for (const line of ['EHLO x', 'MAIL FROM:<x@mems.example>', ...to.map((each) => `RCPT TO:<${each}>`)])
        expect(await client.say(line)).toMatch(/^250/);
      return client;
    };
    const finish = async (client: SmtpClient, subject: string) => {
      expect(await client.say('DATA')).toMatch(/^354/);
      const reply = await client.say(`${(await aMail(undefined, subject)).toString('latin1')}\r\n.`);
      await client.end();
      return reply;
    };
    const joAddress = await inboundEmailOf(jo);
    const [toJo, toBoth] = [await begin(joAddress), await begin(joAddress, address)];
    await jo.post('/api/user/inbound-email/reset');
    expect(await finish(toJo, 'too late')).toMatch(/^550/);
    expect(await finish(toBoth, 'to one of two')).toMatch(/^250/);
    const renewed = await begin(address);
    await owner.post('/api/user/inbound-email/reset');
    address = await inboundEmailOf(owner);
    expect(await renewed.say(`RCPT TO:<${address}>`)).toMatch(/^250/);
    expect(await finish(renewed, 'to the new address')).toMatch(/^250/);
    await server.drainJobs();
    expect((await memoriesOf(owner)).map(({ caption }) => caption)).toEqual(
      expect.arrayContaining(['to one of two', 'to the new address']),
    );
    expect([(await jo.get('/api/memories')).body, (await jo.get('/api/held-messages')).body]).toEqual([
      [],
      [],
    ]);
  });

  it('limits connections per IP address to ten, and frees them on disconnect', async () => {
    const [, smtp] = await start();
    const connect = (from?: string) => connectSmtp(smtp.port, from);
    const greetings = async (many: number) => {
      const clients = await Promise.all(Array.from({ length: many }, () => connect()));
      return codes(clients.map(({ greeting }) => greeting)).sort();
    };
    const [one, other, ...rest] = await Promise.all(Array.from({ length: 10 }, () => connect()));
    expect(codes([one, other, ...rest].map((each) => each?.greeting ?? ''))).toEqual(Array(10).fill('220'));
    for (const _ of [1, 2]) expect(await greetings(2)).toEqual(['421', '421']);
    const elsewhere = await connect('127.0.0.2');
    expect(elsewhere.greeting).toMatch(/^220/);
    // One connection breaks, one quits: exactly two become available.
    await one?.end();
    expect(await other?.say('QUIT')).toMatch(/^221/);
    for (const _ of [1, 2])
      await vi.waitUntil(async () => (await connect()).greeting.startsWith('220'), TIMEOUT);
    expect(await greetings(3)).toEqual(['421', '421', '421']);
  });

  it('limits the duration of a connection', async () => {
    const brief = await startSmtpReceiver(server.context, 500);
    const socket = connect({ port: brief?.port ?? 0, host: '127.0.0.1' });
    socket.on('data', () => socket.write('NOOP\r\n'));
    const gone = await new Promise((resolve) =>
      socket.on('error', () => undefined).on('close', () => resolve(true)),
    );
    expect(gone).toBe(true);
    await brief?.close();
  });

  it('answers temporary errors with 4xx', async () => {
    const [few, smtp] = await start({ INBOUND_MAILS_PER_HOUR: '1', INBOUND_MAILS_PER_ADDRESS: '2' });
    const to = [await inboundEmailOf(await few.signUp())];
    const client = await connectSmtp(smtp.port);
    expect(codes(await client.send({ from: '', to, body: await aMail() }))).toEqual([
      '250',
      '250',
      '250',
      '250',
    ]);
    expect(codes(await client.send({ from: '', to, body: await aMail() })).slice(0, 3)).toEqual([
      '250',
      '250',
      '450',
    ]);
    await client.end();
    await (await connectSmtp(smtp.port)).end();
    expect((await connectSmtp(smtp.port)).greeting).toMatch(/^450/);
  });

  it('is off without a port', async () => {
    const off = await startTestServer();
    expect(await startSmtpReceiver(off.context)).toBeNull();
  });

  it('explains that its port is in use', async () => {
    const env = { ...ENV, INBOUND_SMTP_PORT: String(receiver.port) };
    const second = await startTestServer({ env });
    await expect(startSmtpReceiver(second.context)).rejects.toThrow(/Email cannot be received on port \d+/);
  });
});
