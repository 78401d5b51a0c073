import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { memoriesOf } from '../../../testing/clients/album.ts';
import { connectSmtp } from '../../../testing/clients/smtp-client.ts';
import {
  heldMessagesOf,
  newPhoto,
  pushEmail,
  signedEmail,
  signUpEmailOwner,
  storedEmails,
  type EmailOwner,
} from '../../../testing/data/inbound-email.ts';
import { file, multipart } from '../../../testing/data/mime.ts';
import { startTestServer, type TestServer } from '../../../testing/test-server.ts';
import { createLocalDkimKey } from '../local-dkim-key.ts';
import { startSmtpReceiver } from './smtp-receiver.ts';

const SECRET = 'a secret of more than thirty-two characters';
const STRANGER = 'stranger@else.example';
/** The DNS of this domain does not answer. */
const OUT_OF_REACH = 'oma@unreachable.example';
const WORDS = 'Too many messages are waiting for this recipient. Please try again later.';

let server: TestServer;
let smtpPort: number;

beforeAll(async () => {
  server = await startTestServer({
    env: {
      INBOUND_MAIL_DOMAIN: 'in.mems.example',
      INBOUND_MAIL_SECRET: SECRET,
      INBOUND_SMTP_PORT: '0',
      INBOUND_SMTP_HOST: '127.0.0.1',
    },
    overrides: { dns: { resolve: (name) => lookUp(name) } },
  });
  const receiver = await startSmtpReceiver(server.context);
  if (!receiver) throw new Error('No mail is received');
  afterAll(() => receiver.close());
  smtpPort = receiver.port;
});

/** mems.example signs with this server's key and sends from this machine. */
function lookUp(name: string): Promise<unknown[]> {
  const { selector, record } = createLocalDkimKey(server.context.keyedHash);
  if (name === `${selector}._domainkey.mems.example`) return Promise.resolve([[record]]);
  if (name === 'mems.example') return Promise.resolve([['v=spf1 ip4:127.0.0.1 -all']]);
  const code = name.endsWith('unreachable.example') ? 'ETIMEOUT' : 'ENOTFOUND';
  return Promise.reject(Object.assign(new Error(name), { code }));
}

const unsigned = async (from: string) =>
  multipart('mixed', [file((await newPhoto()).bytes)], { headers: { From: from } });
const signed = async (owner: EmailOwner, from: string) =>
  signedEmail(server, { from, to: owner.inboundEmail, photos: [await newPhoto()] });
const push = async (owner: EmailOwner, raw: Buffer) =>
  pushEmail(server, owner.inboundEmail, raw, { Authorization: `Bearer ${SECRET}` });

/** Inserts rows of undecided emails, without bytes. */
async function addUndecided(
  { userId }: EmailOwner,
  mails: { number: number; status?: 'waiting' | 'received'; byteSize?: number },
) {
  const { number, status = 'waiting', byteSize = 1 } = mails;
  await server.context.db.execute(
    `insert into inbound_emails (id, owner_id, status, byte_size, is_stored, next_attempt_at, created_at)
     select gen_random_uuid(), '${userId}', '${status}', ${byteSize}, false, 'infinity', now()
     from generate_series(1, ${number})`,
  );
}

/** The number of emails, and of those with stored bytes. */
async function kept() {
  const { rows } = await server.context.db.execute('select id from inbound_emails');
  return { mails: rows.length, stored: (await storedEmails(server)).length };
}

describe('a full inbox', () => {
  it('defers unknown senders, and accepts known ones', async () => {
    const owner = await signUpEmailOwner(server);
    const addresses = ['jo@mems.example', OUT_OF_REACH];
    await owner.request('PUT', '/api/user/allowed-senders', { json: { addresses } });
    await addUndecided(owner, { number: 49 });
    const last = await unsigned(STRANGER);
    expect((await push(owner, last)).status).toBe(202);
    await server.drainJobs();
    const before = await kept();

    const late = await signed(owner, 'another@mems.example');
    for (const raw of [
      late,
      await unsigned(STRANGER),
      await unsigned(owner.email),
      await signed(owner, OUT_OF_REACH),
    ]) {
      const { status, headers, body } = await push(owner, raw);
      expect([status, headers.get('Retry-After'), body]).toEqual([
        429,
        '900',
        { message: WORDS, code: 'too-many-requests' },
      ]);
    }
    expect((await push(owner, last)).status).toBe(202);
    expect(await kept()).toEqual(before);

    for (const from of [owner.email, 'jo@mems.example'])
      expect((await push(owner, await signed(owner, from))).status).toBe(202);
    await server.drainJobs();
    expect([await memoriesOf(owner), await heldMessagesOf(owner)].map(({ length }) => length)).toEqual([
      2, 50,
    ]);

    const [decided] = await heldMessagesOf(owner);
    await owner.post(`/api/held-messages/${decided?.id ?? ''}/accept`);
    await server.drainJobs();
    expect((await push(owner, late)).status).toBe(202);
    await server.drainJobs();
    expect((await heldMessagesOf(owner))[0]?.sender).toBe('another@mems.example');
    expect(await memoriesOf(owner)).toHaveLength(3);
  });

  it.each([
    ['has much to keep', { number: 1, byteSize: 256 * 1024 * 1024 }],
    ['may grow by what has just come', { number: 50, status: 'received' as const }],
  ])('counts email that %s', async (_name, mails) => {
    const owner = await signUpEmailOwner(server);
    await addUndecided(owner, mails);
    expect((await push(owner, await unsigned(STRANGER))).status).toBe(429);
    expect((await push(owner, await signed(owner, owner.email))).status).toBe(202);
    await server.drainJobs();
    expect(await memoriesOf(owner)).toHaveLength(1);
  });

  it('defers an email to two recipients for the full one only', async () => {
    const [full, free] = [await signUpEmailOwner(server), await signUpEmailOwner(server)];
    await addUndecided(full, { number: 50 });
    const before = await kept();
    const client = await connectSmtp(smtpPort);
    const bring = async (from: string, body: Buffer) => {
      const to = [full.inboundEmail, free.inboundEmail];
      const reply = (await client.send({ from, to, body })).at(-1);
      await server.drainJobs();
      return reply;
    };
    const stranger = await unsigned(STRANGER);
    for (const _ of [1, 2]) {
      expect(await bring(STRANGER, stranger)).toBe(`450 ${WORDS}`);
      expect(await kept()).toEqual({ mails: before.mails + 1, stored: before.stored + 1 });
      expect(await heldMessagesOf(free)).toHaveLength(1);
    }
    expect(await bring('bounces@mems.example', await unsigned(full.email))).toMatch(/^250 /);
    expect(await memoriesOf(full)).toHaveLength(1);

    const [decided] = await heldMessagesOf(full);
    await full.post(`/api/held-messages/${decided?.id ?? ''}/reject`);
    expect(await bring(STRANGER, stranger)).toMatch(/^250 /);
    expect((await heldMessagesOf(full))[0]?.sender).toBe(STRANGER);
    expect((await heldMessagesOf(free)).filter(({ sender }) => sender === STRANGER)).toHaveLength(1);
    await client.end();
  });
});
