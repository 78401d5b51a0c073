import { readdir, rename } from 'node:fs/promises';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { gzipSync } from 'node:zlib';
import { v7 as uuidv7 } from 'uuid';
import { beforeAll, describe, expect, it, vi } from 'vitest';
import { AllowedSenders, MOST_ALLOWED_SENDERS, type HeldMessage } from '#shared/inbound-email';
import type { Memory } from '#shared/memory';
import type { User } from '#shared/user';
import { users } from '../../db/schema/users.ts';
import { addContact, addPet, deleteMemory } from '../../testing/factories.ts';
import { untilSomebodyWaits } from '../../testing/lock-waits.ts';
import { inboundEmailOf, pushEmail, signedEmail, signedMessage } from '../../testing/mailed-photos.ts';
import { file, mime, multipart, plainText } from '../../testing/mime.ts';
import { readOutbox } from '../../testing/outbox.ts';
import { makeHeavyPhoto, makePhoto } from '../../testing/photos.ts';
import type { TestClient } from '../../testing/test-client.ts';
import { startSmtpServer } from '../../testing/smtp-server.ts';
import { startTestServer, type TestServer } from '../../testing/test-server.ts';
import { addAllowedSender } from '../../users/allowed-sender-queries.ts';
import { lockUser } from '../../users/user-queries.ts';
import { ingestEmailsJob } from './ingest-emails-job.ts';
import { claimPhoto } from './mailed-photo-queries.ts';
import { receiveEmail } from './receive-email.ts';
import type { WrittenEmail } from './write-email.ts';

let server: TestServer;
let now = new Date();
let photos = 0;

beforeAll(async () => {
  server = await startTestServer({ overrides: { clock: { now: () => now } } });
});

/** Each another. */
const newPhoto = async () => ({ name: 'photo.jpg', bytes: await makePhoto({ width: 60 + ++photos }) });
const memoriesOf = async (client: TestClient) => (await client.get('/api/memories')).body as Memory[];
const heldBy = async (client: TestClient) => (await client.get('/api/held-messages')).body as HeldMessage[];
const answersTo = async (address: string) =>
  (await readOutbox(server.dataDir)).filter(({ to, subject }) => to === address && subject.startsWith('Re:'));
/** To a contact; the first mail to one only says that there will be more. */
const photoMailsTo = async (address: string) =>
  (await readOutbox(server.dataDir))
    .filter(({ to, subject }) => to === address && !subject.includes('added you'))
    .map(({ subject }) => subject);
const filesKept = () => readdir(join(server.dataDir, 'objects', 'inbound-mail')).catch(() => []);

type Owner = TestClient & { userId: string; email: string; inboundEmail: string };

async function signUp(): Promise<Owner> {
  const client = await server.signUp();
  const { email } = (await client.get('/api/user')).body as User;
  return Object.assign(client, { email, inboundEmail: await inboundEmailOf(client) });
}

/** From the owner to the owner's own address, unless it says otherwise. */
async function mailIn(owner: Owner, mail: Partial<WrittenEmail> = {}, headers: Record<string, string> = {}) {
  const raw = await signedEmail(server, {
    from: owner.email,
    to: owner.inboundEmail,
    photos: [await newPhoto()],
    ...mail,
  });
  const response = await pushEmail(server, owner.inboundEmail, raw, headers);
  expect(response.status).toBe(202);
  await server.drainJobs();
  return raw;
}

describe('a photo that its owner mails to their own address', () => {
  it('becomes a memory of the pet that the subject names, at full quality', async () => {
    const owner = await signUp();
    const rex = await addPet(owner, { name: 'Räx' });
    await addPet(owner, { name: 'Milo' });
    const photo = await newPhoto();
    await mailIn(owner, { subject: 'Fwd: rax: At the beach 🏖️', photos: [photo] });
    const [memory, ...others] = await memoriesOf(owner);
    expect(others).toEqual([]);
    expect(memory).toMatchObject({ petId: rex.id, caption: 'At the beach 🏖️', source: 'email' });
    const original = await owner.get(`${memory?.imageUrl ?? ''}/original`);
    expect(original.bytes.equals(photo.bytes)).toBe(true);
    expect(await filesKept()).toEqual([]);
  });

  it('takes its caption from the body when there is no subject', async () => {
    const owner = await signUp();
    await mailIn(owner, { subject: 'Fwd:', text: 'He swam\r\n\r\n-- \r\nMara' });
    expect((await memoriesOf(owner))[0]?.caption).toBe('He swam');
  });

  it('comes in at once also where a clock is behind that of the machine it came to', async () => {
    const owner = await signUp();
    const raw = await signedEmail(server, {
      from: owner.email,
      to: owner.inboundEmail,
      photos: [await newPhoto()],
    });
    const came = now;
    expect((await pushEmail(server, owner.inboundEmail, raw)).status).toBe(202);
    now = new Date(came.getTime() - 2_000);
    await server.drainJobs();
    now = came;
    expect(await memoriesOf(owner)).toHaveLength(1);
  });

  it('is told to the contacts, and answered to its sender once', async () => {
    const owner = await signUp();
    await addContact(owner, { email: 'told@family.example' });
    await addPet(owner, { name: 'Rex' });
    await mailIn(owner, {
      subject: 'Rex: at sea',
      photos: [await newPhoto(), await newPhoto(), { name: 'letter.pdf', bytes: Buffer.from('%PDF-1.7') }],
    });
    const [answer, another] = await answersTo(owner.email);
    expect(another).toBeUndefined();
    expect(answer?.subject).toBe('Re: Rex: at sea');
    expect(answer?.text).toContain('2 photos added to Rex’s memories.');
    expect(answer?.text).toContain('1 attachment could not be added');
    expect(await photoMailsTo('told@family.example')).toHaveLength(1);
  });

  it('is kept once, however often the same mail comes, also at the same moment', async () => {
    const owner = await signUp();
    const raw = await mailIn(owner, { subject: 'x' });
    const pushes = await Promise.all([1, 2, 3].map(() => pushEmail(server, owner.inboundEmail, raw)));
    expect(pushes.map(({ status }) => status)).toEqual([202, 202, 202]);
    await server.drainJobs();
    const unnamed = mime({ From: owner.email, Subject: 'x' }, 'no Message-ID');
    for (const _ of [1, 2]) await pushEmail(server, owner.inboundEmail, unnamed);
    await server.drainJobs();
    expect(await memoriesOf(owner)).toHaveLength(1);
    expect(await answersTo(owner.email)).toHaveLength(1);
    expect(await filesKept()).toEqual([]);
  });

  it('is not added again in another mail, unless it was deleted meanwhile', async () => {
    const owner = await signUp();
    const photo = await newPhoto();
    await mailIn(owner, { subject: 'one', photos: [photo] });
    await mailIn(owner, { subject: 'two', photos: [photo] });
    const [memory, ...others] = await memoriesOf(owner);
    expect(others).toEqual([]);
    expect((await answersTo(owner.email)).at(-1)?.text).toContain('We have these photos already.');
    await deleteMemory(owner, memory?.id ?? '');
    await mailIn(owner, { subject: 'three', photos: [photo] });
    expect((await memoriesOf(owner)).map(({ caption }) => caption)).toEqual(['three']);
  });

  describe('embedded in the text', () => {
    /** As programs write what stands in a text: a photo, or a picture in a signature. */
    async function mailEmbedded(owner: Owner, subject: string, picture: Buffer, attached: Buffer[] = []) {
      const inText = file(picture, { 'Content-Disposition': 'inline', 'Content-ID': '<picture>' });
      const related = multipart('related', [plainText('Hello'), inText]);
      const headers = { From: owner.email, Subject: subject, 'Message-ID': `<${subject}@${owner.userId}>` };
      const message = multipart('mixed', [related, ...attached.map((each) => file(each))], { headers });
      const raw = await signedMessage(server, message, 'mems.example');
      expect((await pushEmail(server, owner.inboundEmail, raw)).status).toBe(202);
      await server.drainJobs();
    }
    const captionsOf = async (owner: Owner) => (await memoriesOf(owner)).map(({ caption }) => caption);

    it('becomes a memory, and is taken for a signature from the third mail on', async () => {
      const owner = await signUp();
      const picture = await makeHeavyPhoto(300, 300);
      for (const subject of ['one', 'two']) {
        await mailEmbedded(owner, subject, picture);
        expect(await captionsOf(owner)).toEqual([subject]);
        await deleteMemory(owner, (await memoriesOf(owner))[0]?.id ?? '');
      }
      await mailEmbedded(owner, 'three', picture, [(await newPhoto()).bytes]);
      expect(await captionsOf(owner)).toEqual(['three']);
      await mailEmbedded(owner, 'four', picture);
      const [three, four] = (await answersTo(owner.email)).slice(-2).map(({ text }) => text);
      expect(three).toContain('1 photo added');
      expect(three).not.toContain('already');
      expect(four).toContain('There was no photo attached to it.');
      // Whoever attaches it means it.
      await mailIn(owner, { subject: 'five', photos: [{ name: 'a.jpg', bytes: picture }] });
      expect(await captionsOf(owner)).toEqual(['five', 'three']);
    });

    it('is refused in each mail as in the first when it can’t become a memory', async () => {
      const owner = await signUp();
      const broken = Buffer.concat([Buffer.from('ffd8ff', 'hex'), Buffer.alloc(30_000)]);
      for (const subject of ['one', 'two', 'three']) await mailEmbedded(owner, subject, broken);
      expect((await answersTo(owner.email)).map(({ text }) => text)).toEqual(
        Array.from({ length: 3 }, () => expect.stringContaining('1 photo could not be added') as string),
      );
    });

    it('is to each mail what it was, however often that is taken in hand', async () => {
      const { userId: ownerId } = await signUp();
      const [one, two, three] = [uuidv7(), uuidv7(), uuidv7()];
      const claims: string[] = [];
      for (const emailId of [one, one, two, one, three, two, three, one])
        claims.push(await claimPhoto(server.context.db, { ownerId, sha256: 'x', emailId, isEmbedded: true }));
      const claimed = 'claimed';
      expect(claims).toEqual([
        claimed,
        claimed,
        claimed,
        claimed,
        'signature',
        claimed,
        'signature',
        claimed,
      ]);
    });
  });

  it('is tried again as soon as its pause is over, when its sender’s key could not be fetched', async () => {
    const resolve = () => Promise.reject(Object.assign(new Error('No answer'), { code: 'ESERVFAIL' }));
    const cutOff = await startTestServer({ overrides: { dns: { resolve } } });
    const owner = await cutOff.signUp('mara');
    const to = await inboundEmailOf(owner);
    const raw = await signedEmail(cutOff, { from: 'mara@mems.example', to, photos: [await newPhoto()] });
    expect((await pushEmail(cutOff, to, raw)).status).toBe(202);
    await ingestEmailsJob(cutOff.context)({});
    const { rows } = await cutOff.context.db.execute(`select tries from inbound_emails join pgboss.job
      on name = 'ingest-emails' and state = 'created' and start_after >= try_at and try_at > inbound_emails.created_at`);
    expect(rows).toEqual([{ tries: 1 }]);
    await cutOff.close();
  });

  it('is tried again when its bytes cannot be found just now', async () => {
    const owner = await signUp();
    const raw = await signedEmail(server, {
      from: owner.email,
      to: owner.inboundEmail,
      photos: [await newPhoto()],
    });
    expect((await pushEmail(server, owner.inboundEmail, raw)).status).toBe(202);
    const folder = join(server.dataDir, 'objects', 'inbound-mail');
    await rename(folder, `${folder}-away`);
    await ingestEmailsJob(server.context)({});
    await rename(`${folder}-away`, folder);
    expect(await memoriesOf(owner)).toEqual([]);
    now = new Date(now.getTime() + 60_000);
    await ingestEmailsJob(server.context)({});
    expect(await memoriesOf(owner)).toHaveLength(1);
  });

  it('fills the albums of all members of the family that one mail goes to', async () => {
    const [mara, jo] = [await signUp(), await signUp()];
    await jo.request('PUT', '/api/user/allowed-senders', { json: { addresses: [mara.email] } });
    const raw = await signedEmail(server, {
      from: mara.email,
      to: `${mara.inboundEmail}, ${jo.inboundEmail}`,
      photos: [await newPhoto()],
    });
    const both = `${mara.inboundEmail}, <${jo.inboundEmail.toUpperCase()}>, ${mara.inboundEmail}`;
    expect((await pushEmail(server, both, raw)).status).toBe(202);
    await server.drainJobs();
    expect([await memoriesOf(mara), await memoriesOf(jo)].map(({ length }) => length)).toEqual([1, 1]);
  });
});

describe('a mail from anybody else', () => {
  const stranger = 'stranger@else.example';

  it.each([
    [
      'from a stranger whose address is proven',
      async (owner: Owner) =>
        signedEmail(server, {
          from: stranger,
          to: owner.inboundEmail,
          subject: 'Rex: hello',
          photos: [await newPhoto()],
        }),
    ],
    [
      'with a forged From',
      async (owner: Owner) =>
        multipart('mixed', [file((await newPhoto()).bytes)], {
          headers: { From: owner.email, Subject: 'Rex: hello' },
        }),
    ],
    [
      'with a forged word of a mail server',
      async (owner: Owner) =>
        multipart('mixed', [file((await newPhoto()).bytes)], {
          headers: {
            From: owner.email,
            Subject: 'Rex: hello',
            'Authentication-Results': `mx.cloudflare.net; dkim=pass header.d=${owner.email.split('@')[1] ?? ''}`,
          },
        }),
    ],
  ])('waits for the owner’s OK, and nobody is told: %s', async (name, write) => {
    const owner = await signUp();
    const contact = `${owner.userId}@family.example`;
    await addContact(owner, { email: contact });
    await pushEmail(server, owner.inboundEmail, await write(owner));
    await server.drainJobs();
    expect(await memoriesOf(owner)).toEqual([]);
    const isProven = name.includes('proven');
    const [held] = await heldBy(owner);
    expect(held).toMatchObject({
      sender: isProven ? stranger : owner.email,
      isSenderProven: isProven,
      subject: 'Rex: hello',
      photoCount: 1,
    });
    expect([await photoMailsTo(contact), await answersTo(stranger)]).toEqual([[], []]);

    const accepted = await Promise.all(
      [1, 2].map(() => owner.post(`/api/held-messages/${held?.id ?? ''}/accept`)),
    );
    expect(accepted.map(({ status }) => status)).toEqual([202, 202]);
    await server.drainJobs();
    expect((await memoriesOf(owner)).map(({ caption }) => caption)).toEqual(['Rex: hello']);
    expect(await heldBy(owner)).toEqual([]);
    expect((await owner.post(`/api/held-messages/${held?.id ?? ''}/reject`)).status).toBe(404);
    expect(await photoMailsTo(contact)).toHaveLength(1);
    expect(await filesKept()).toEqual([]);
  });

  it('is gone when the owner does not want it', async () => {
    const owner = await signUp();
    const raw = await mailIn(owner, { from: stranger });
    const [held] = await heldBy(owner);
    const reject = () => owner.post(`/api/held-messages/${held?.id ?? ''}/reject`);
    expect([(await reject()).status, (await reject()).status]).toEqual([204, 204]);
    expect((await owner.post(`/api/held-messages/${held?.id ?? ''}/accept`)).status).toBe(404);
    expect(await filesKept()).toEqual([]);
    await pushEmail(server, owner.inboundEmail, raw);
    await server.drainJobs();
    expect([await heldBy(owner), await memoriesOf(owner)]).toEqual([[], []]);
  });

  it('comes in at once from then on, when the owner allows its sender', async () => {
    const owner = await signUp();
    await mailIn(owner, { from: stranger });
    const [held] = await heldBy(owner);
    await owner.post(`/api/held-messages/${held?.id ?? ''}/accept`, { allowSender: true });
    await server.drainJobs();
    expect((await owner.get('/api/user/allowed-senders')).body).toEqual({ addresses: [stranger] });
    await mailIn(owner, { from: stranger, subject: 'again' });
    expect(await memoriesOf(owner)).toHaveLength(2);
    expect((await answersTo(stranger)).map(({ subject }) => subject)).toEqual(['Re: again']);
  });

  it.each(['rex..and.max.@home.example', 'jo@xn--e1afmkfd.xn--p1ai', "jo/o'b=1@home.example"])(
    'leaves the list of who may send as readable as it was, when its sender is %s',
    async (from) => {
      const owner = await signUp();
      await mailIn(owner, { from });
      const [held] = await heldBy(owner);
      await owner.post(`/api/held-messages/${held?.id ?? ''}/accept`, { allowSender: true });
      const path = '/api/user/allowed-senders';
      const { addresses } = AllowedSenders.parse((await owner.get(path)).body);
      expect(addresses).toEqual([from]);
      const longer = { addresses: [...addresses, 'oma@family.example'] };
      expect((await owner.request('PUT', path, { json: longer })).status).toBe(200);
    },
  );

  it('goes on waiting when its sender cannot be allowed, as so many are already', async () => {
    const owner = await signUp();
    const allowed = Array.from({ length: MOST_ALLOWED_SENDERS - 1 }, (_, n) => `${n}@family.example`);
    await owner.request('PUT', '/api/user/allowed-senders', { json: { addresses: allowed } });
    for (const name of ['jo', 'ingrid']) await mailIn(owner, { from: `${name}@else.example`, subject: name });
    const accept = ({ id }: HeldMessage, allowSender: boolean) =>
      owner.post(`/api/held-messages/${id}/accept`, { allowSender });
    const both = await heldBy(owner);
    const accepting = await server.context.db.transaction(async (tx) => {
      await lockUser(tx, owner.userId);
      const answers = both.map((each) => accept(each, true));
      await untilSomebodyWaits(server.databaseUrl, 2);
      return { answers };
    });
    const answers = await Promise.all(accepting.answers);
    expect(answers.map(({ status }) => status).sort()).toEqual([202, 409]);
    expect(answers.find(({ status }) => status === 409)?.body).toMatchObject({
      fields: { allowSender: expect.stringContaining('Remove one under “Who may send”') as string },
    });
    expect((await owner.get('/api/user/allowed-senders')).body).toMatchObject({
      addresses: { length: MOST_ALLOWED_SENDERS },
    });
    const [left, ...others] = await heldBy(owner);
    expect(others).toEqual([]);
    expect(left && (await accept(left, false)).status).toBe(202);
    await server.drainJobs();
    expect((await memoriesOf(owner)).map(({ caption }) => caption).sort()).toEqual(['ingrid', 'jo']);
  });

  it('waits when it is from this installation’s own addresses, which can’t be allowed to send', async () => {
    const owner = await signUp();
    const put = (address: string) =>
      owner.request('PUT', '/api/user/allowed-senders', {
        json: { addresses: ['jo@else.example', address] },
      });
    const own = ['album@mems.localhost', owner.inboundEmail, 'anybody@in.mems.localhost'];
    for (const from of own) {
      const refused = await put(from.toUpperCase());
      expect(refused.status).toBe(422);
      expect(refused.body).toMatchObject({
        fields: { addresses: expect.stringContaining('can’t be allowed to send') as string },
      });
      // As it could stand there from before this was an address of ours.
      await server.context.db.transaction((tx) => addAllowedSender(tx, owner.userId, from));
      await mailIn(owner, { from, subject: from });
      const [held] = await heldBy(owner);
      expect(held).toMatchObject({ sender: from, isSenderProven: true });
      const accept = (allowSender: boolean) =>
        owner.post(`/api/held-messages/${held?.id ?? ''}/accept`, { allowSender });
      expect((await accept(true)).status).toBe(422);
      expect((await accept(false)).status).toBe(202);
      await server.drainJobs();
      expect(await answersTo(from)).toEqual([]);
    }
    expect(await memoriesOf(owner)).toHaveLength(own.length);
  });

  it('waits when it is from an account’s own address that was never verified', async () => {
    const key = 'a secret of more than thirty-two characters';
    const smtp = await startSmtpServer();
    const open = await startTestServer({
      env: {
        SMTP_URL: smtp.url,
        MAIL_FROM: 'hello@mems.example',
        PUBLIC_URL: 'https://mems.example',
        INBOUND_MAIL_DOMAIN: 'in.mems.example',
        INBOUND_MAIL_SECRET: key,
        INBOUND_MAIL_AUTHSERV_ID: 'mx.mems.example',
      },
    });
    const client = await open.signUp('ingrid');
    const push = async () => {
      const raw = multipart('mixed', [file((await newPhoto()).bytes)], {
        headers: {
          'Authentication-Results': 'mx.mems.example; dkim=pass header.d=mems.example',
          From: 'ingrid@mems.example',
        },
      });
      await pushEmail(open, await inboundEmailOf(client), raw, { Authorization: `Bearer ${key}` });
      await open.drainJobs();
    };
    await push();
    expect([await memoriesOf(client), await heldBy(client)]).toEqual([
      [],
      [expect.objectContaining({ sender: 'ingrid@mems.example', isSenderProven: true })],
    ]);
    await open.context.db.update(users).set({ emailVerifiedAt: now });
    await push();
    expect(await memoriesOf(client)).toHaveLength(1);
  });

  it('leaves no trace without a photo, and waits page by page', async () => {
    const owner = await signUp();
    await mailIn(owner, { from: stranger, photos: [] });
    expect([await heldBy(owner), await filesKept()]).toEqual([[], []]);
    for (let n = 0; n < 3; n++) await mailIn(owner, { from: stranger });
    const page = await owner.get('/api/held-messages?limit=2');
    expect(page.body).toHaveLength(2);
    expect(page.headers.get('Link')).toContain('rel="next"');
  });

  it('goes by itself after thirty days', async () => {
    const owner = await signUp();
    await mailIn(owner, { from: stranger });
    const before = now;
    now = new Date(now.getTime() + 29 * 24 * 60 * 60 * 1000);
    await purge();
    expect(await heldBy(owner)).toHaveLength(1);
    now = new Date(now.getTime() + 25 * 60 * 60 * 1000);
    await purge();
    expect([await heldBy(owner), await filesKept()]).toEqual([[], []]);
    now = before;
  });
});

async function purge(): Promise<void> {
  const { purgeInboundEmailsJob } = await import('./purge-inbound-emails-job.ts');
  await purgeInboundEmailsJob(server.context)({});
}

describe('the answer to a mail', () => {
  it.each([
    ['nothing to add', { photos: [] }, 'There was no photo attached to it.'],
    [
      'something that is no photo',
      { photos: [{ name: 'a.jpg', bytes: Buffer.from('\xff\xd8\xff no', 'latin1') }] },
      '1 photo could not be added: ',
    ],
  ])('says what was wrong: %s', async (_name, mail, line) => {
    const owner = await signUp();
    await mailIn(owner, { subject: 'x', ...mail });
    expect((await answersTo(owner.email)).map(({ text }) => text)).toEqual([expect.stringContaining(line)]);
    expect(await memoriesOf(owner)).toEqual([]);
  });

  it('asks for a mail that is not encrypted, and for nothing else', async () => {
    const owner = await signUp();
    const encrypted = multipart(
      'encrypted; protocol="application/pgp-encrypted"',
      [
        mime({ 'Content-Type': 'application/pgp-encrypted' }, 'Version: 1'),
        file(Buffer.from('-----BEGIN PGP MESSAGE-----'), { 'Content-Type': 'application/octet-stream' }),
      ],
      { headers: { From: owner.email, Subject: '...' } },
    );
    const raw = await signedMessage(server, encrypted, 'mems.example');
    expect((await pushEmail(server, owner.inboundEmail, raw)).status).toBe(202);
    await server.drainJobs();
    const [answer] = await answersTo(owner.email);
    expect(answer?.text).toContain('Please send it without encryption.');
    expect(answer?.text).not.toContain('attach');
  });

  it('never goes to what machines send, and goes out five times an hour at most', async () => {
    const owner = await signUp();
    for (const sender of ['<>', 'MAILER-DAEMON@mx.example'])
      await mailIn(owner, { subject: 'x' }, { 'X-Envelope-From': sender });
    expect(await memoriesOf(owner)).toHaveLength(2);
    expect(await answersTo(owner.email)).toEqual([]);
    for (let n = 0; n < 7; n++) await mailIn(owner, { subject: `${n}` });
    expect(await memoriesOf(owner)).toHaveLength(9);
    expect(await answersTo(owner.email)).toHaveLength(5);
  });
});

describe('POST /api/email/incoming', () => {
  it('asks for the secret, an envelope and a message', async () => {
    const { inboundEmail: to } = await signUp();
    const push = (headers: Record<string, string>, body = Buffer.from('From: x\r\n\r\n')) =>
      pushEmail(server, to, body, headers);
    expect((await push({ Authorization: 'Bearer wrong' })).status).toBe(401);
    expect((await push({ Authorization: '' })).status).toBe(401);
    expect((await push({ 'X-Original-To': '' })).status).toBe(400);
    expect((await push({ 'X-Original-To': 'nobody@in.mems.localhost' })).status).toBe(404);
    expect((await push({ 'X-Original-To': to.replace('@', '@not.') })).status).toBe(404);
    expect((await push({}, Buffer.alloc(0))).status).toBe(400);
    expect((await push({ 'Content-Encoding': 'gzip' }, gzipSync('From: x\r\n\r\n'))).status).toBe(415);
    expect((await push({ 'Sec-Fetch-Site': 'cross-site' })).status).toBe(202);
  });

  it('takes forty megabytes and no more', async () => {
    const owner = await signUp();
    const head = Buffer.from(`From: ${owner.email}\r\nMessage-ID: <large@x>\r\n\r\n`);
    const mail = Buffer.concat([head, Buffer.alloc(40 * 1024 * 1024 - head.length, 'a\r\n')]);
    expect((await pushEmail(server, owner.inboundEmail, mail)).status).toBe(202);
    await server.drainJobs();
    const larger = Buffer.concat([mail, Buffer.from('x')]);
    const refused = await pushEmail(server, owner.inboundEmail, larger).catch(() => null);
    expect(refused?.status ?? 413).toBe(413);
    const streamed = await fetch(`${server.origin}/api/email/incoming`, {
      method: 'POST',
      headers: { Authorization: 'Bearer none', 'X-Original-To': owner.inboundEmail },
      body: new Blob([new Uint8Array(1000)]).stream(),
      duplex: 'half',
    });
    expect(streamed.status).toBe(401);
    expect(await filesKept()).toEqual([]);
  });

  it('acknowledges nothing that the purge took while it was still on its way', async () => {
    const owner = await signUp();
    const isArriving = async () =>
      (await server.context.db.execute("select 1 from inbound_emails where status = 'arriving'")).rows
        .length > 0;
    const body = new PassThrough();
    const receiving = receiveEmail(server.context, [owner.userId], {
      body,
      envelopeSender: null,
      spfDomain: null,
    }).then(
      () => 'acknowledged',
      () => 'refused',
    );
    body.write(mime({ From: owner.email }));
    await vi.waitUntil(isArriving);
    const before = now;
    now = new Date(now.getTime() + 2 * 60 * 60 * 1000);
    await purge();
    now = before;
    expect(await isArriving()).toBe(false);
    body.end('the rest');
    expect(await receiving).toBe('refused');
    expect(await filesKept()).toEqual([]);
  });

  it('tells whoever pushes too much mail to come back later', async () => {
    const few = await startTestServer({ env: { INBOUND_MAILS_PER_HOUR: '1' } });
    const to = await inboundEmailOf(await few.signUp());
    const push = (text: string) => pushEmail(few, to, mime({ Subject: text }));
    expect((await push('1')).status).toBe(202);
    const refused = await push('2');
    expect([refused.status, refused.headers.get('Retry-After')]).toEqual([429, expect.any(String)]);
  });

  it('is not there while no mail comes in, and nobody has an address then', async () => {
    const off = await startTestServer({ env: { PUBLIC_URL: 'https://mems.example' } });
    const client = await off.signUp();
    expect(((await client.get('/api/user')).body as User).inboundEmail).toBeNull();
    expect((await client.get('/api/config')).body).toMatchObject({ inboundEmailEnabled: false });
    expect((await pushEmail(off, 'x@in.mems.localhost', Buffer.from('x'))).status).toBe(404);
    expect((await client.post('/api/user/inbound-email/reset')).status).toBe(404);
  });

  it.each([
    ['postfix', 'X-Original-To'],
    ['cloudflare', 'X-Envelope-To'],
    ['ses', 'X-SES-Recipients'],
  ])(
    'believes the server that it is told of, and takes its secret and headers: %s',
    async (provider, header) => {
      const secret = 'a secret of more than thirty-two characters';
      const open = await startTestServer({
        env: {
          PUBLIC_URL: 'https://mems.example',
          INBOUND_MAIL_DOMAIN: 'in.mems.example',
          INBOUND_MAIL_SECRET: secret,
          INBOUND_MAIL_PROVIDER: provider,
          INBOUND_MAIL_AUTHSERV_ID: 'mx.provider.example',
        },
        overrides: {
          dns: { resolve: () => Promise.reject(Object.assign(new Error(), { code: 'ENOTFOUND' })) },
        },
      });
      const client = await open.signUp();
      const { inboundEmail: to, email } = (await client.get('/api/user')).body as User;
      expect(to).toMatch(/^[0-9a-f]{24}@in\.mems\.example$/);
      const headers = { Authorization: `Bearer ${secret}`, [header]: to ?? '' };
      const results =
        'mx.provider.example; spf=fail; dkim=pass header.i=@mems.example; dmarc=pass header.from=mems.example';
      const raw = multipart('mixed', [file((await newPhoto()).bytes)], {
        headers: { 'Authentication-Results': results, From: email, 'Message-ID': '<1@x>' },
      });
      expect((await pushEmail(open, '', raw)).status).toBe(401);
      expect((await pushEmail(open, '', raw, headers)).status).toBe(202);
      await open.drainJobs();
      expect(await memoriesOf(client)).toHaveLength(1);
    },
  );
});

describe('the address for photos', () => {
  it('is each account’s own, and dead at once when it is reset', async () => {
    const [owner, other] = [await signUp(), await signUp()];
    expect(owner.inboundEmail).toMatch(/^[0-9a-f]{24}@in\.mems\.localhost$/);
    expect(other.inboundEmail).not.toBe(owner.inboundEmail);
    const reset = (await owner.post('/api/user/inbound-email/reset')).body as User;
    expect(reset.inboundEmail).not.toBe(owner.inboundEmail);
    expect((await pushEmail(server, owner.inboundEmail, mime({ Subject: 'x' }))).status).toBe(404);
    expect((await pushEmail(server, reset.inboundEmail ?? '', mime({ Subject: 'x' }))).status).toBe(202);
  });

  it('takes mail from those whom its owner allows', async () => {
    const owner = await signUp();
    const put = (addresses: unknown) =>
      owner.request('PUT', '/api/user/allowed-senders', { json: { addresses } });
    const allowed = await put([' Oma@Family.example ', 'oma@family.example', 'jo@family.example']);
    expect(allowed.body).toEqual({ addresses: ['jo@family.example', 'oma@family.example'] });
    await mailIn(owner, { from: 'oma@family.example' });
    expect(await memoriesOf(owner)).toHaveLength(1);
    await put([]);
    await mailIn(owner, { from: 'oma@family.example' });
    expect(await memoriesOf(owner)).toHaveLength(1);
    expect((await put(['nobody'])).status).toBe(422);
    expect((await put('oma@family.example')).status).toBe(422);
    expect((await put(Array.from({ length: 51 }, (_, n) => `${n}@x.example`))).status).toBe(422);
  });
});
