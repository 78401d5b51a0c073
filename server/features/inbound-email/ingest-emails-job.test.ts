import { rename } from 'node:fs/promises';
import { join } from 'node:path';
import { v7 as uuidv7 } from 'uuid';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { createSmtpMailer } from '../../platform/mailer/smtp-mailer.ts';
import { users } from '../../platform/db/schema/accounts/users.ts';
import { memoriesOf } from '../../testing/clients/album.ts';
import { addContact, addPet, deleteMemory } from '../../testing/data/factories.ts';
import {
  emailRepliesTo,
  ingestEmails,
  sendEmail,
  inboundEmailOf,
  sendEmailAndWait,
  newPhoto,
  pushEmail,
  signedEmail,
  signedMessage,
  signUpEmailOwner,
  storedEmails,
  type EmailOwner,
} from '../../testing/data/inbound-email.ts';
import { file, htmlText, mime, multipart } from '../../testing/data/mime.ts';
import { photoEmailsTo } from '../../testing/clients/dev-outbox.ts';
import { makeHeavyPhoto } from '../../testing/photos/photos.ts';
import { startSmtpServer } from '../../testing/fakes/smtp-server.ts';
import { startTestServer } from '../../testing/test-server.ts';
import { ingestEmailsJob } from './ingest-emails-job.ts';
import { claimPhoto } from './email-photo-queries.ts';

/** Generous, for a busy machine. */
const PATIENCE_MS = 120_000;
const PATIENCE = { timeout: PATIENCE_MS, interval: 50 };

let now = new Date();

const server = await startTestServer({ overrides: { clock: { now: () => now } } });
let owner: EmailOwner;
beforeEach(async () => {
  owner = await signUpEmailOwner(server);
});

describe('a photo emailed by its owner', () => {
  it('becomes a memory of the pet named in the subject, at full quality', async () => {
    const rex = await addPet(owner, { name: 'Räx' });
    await addPet(owner, { name: 'Milo' });
    const photo = await newPhoto();
    await sendEmailAndWait(server, owner, { subject: 'Fwd: rax: At the beach 🏖️', photos: [photo] });
    const [memory, ...others] = await memoriesOf(owner);
    expect(others).toEqual([]);
    expect(memory).toMatchObject({ petId: rex.id, caption: 'At the beach 🏖️', source: 'email' });
    const original = await owner.get(`${memory?.imageUrl ?? ''}/original`);
    expect(original.bytes.equals(photo.bytes)).toBe(true);
    expect(await storedEmails(server)).toEqual([]);
  });

  it('takes its caption from the body when there is no subject', async () => {
    await sendEmailAndWait(server, owner, { subject: 'Fwd:', text: 'He swam\r\n\r\n-- \r\nMara' });
    expect((await memoriesOf(owner))[0]?.caption).toBe('He swam');
  });

  it('is added at once if the worker’s clock is behind the receiver’s', async () => {
    const came = now;
    await sendEmail(server, owner);
    now = new Date(came.getTime() - 2_000);
    await server.drainJobs();
    now = came;
    expect(await memoriesOf(owner)).toHaveLength(1);
  });

  it('is sent to contacts, and answered once', async () => {
    await addContact(owner, { email: 'told@family.example' });
    await addPet(owner, { name: 'Rex' });
    await sendEmailAndWait(server, owner, {
      subject: 'Rex: at sea',
      photos: [await newPhoto(), await newPhoto(), { name: 'letter.pdf', bytes: Buffer.from('%PDF-1.7') }],
    });
    const [reply, another] = await emailRepliesTo(server, owner.email);
    expect(another).toBeUndefined();
    expect(reply?.subject).toBe('Re: Rex: at sea');
    expect(reply?.text).toContain('2 photos added to Rex’s memories.');
    expect(reply?.text).toContain('1 attachment could not be added');
    expect(await photoEmailsTo(server.dataDir, 'told@family.example')).toHaveLength(1);
  });

  it('is added once if the same email arrives repeatedly or concurrently', async () => {
    const raw = await sendEmailAndWait(server, owner, { subject: 'x' });
    const pushes = await Promise.all([1, 2, 3].map(() => pushEmail(server, owner.inboundEmail, raw)));
    expect(pushes.map(({ status }) => status)).toEqual([202, 202, 202]);
    await server.drainJobs();
    const unnamed = mime({ From: owner.email, Subject: 'x' }, 'no Message-ID');
    for (const _ of [1, 2]) await pushEmail(server, owner.inboundEmail, unnamed);
    await server.drainJobs();
    expect(await memoriesOf(owner)).toHaveLength(1);
    expect(await emailRepliesTo(server, owner.email)).toHaveLength(1);
    expect(await storedEmails(server)).toEqual([]);
  });

  it('is not added again from another email, unless it was deleted', async () => {
    const photo = await newPhoto();
    await sendEmailAndWait(server, owner, { subject: 'one', photos: [photo] });
    await sendEmailAndWait(server, owner, { subject: 'two', photos: [photo] });
    const [memory, ...others] = await memoriesOf(owner);
    expect(others).toEqual([]);
    expect((await emailRepliesTo(server, owner.email)).at(-1)?.text).toContain('We already have this photo.');
    await deleteMemory(owner, memory?.id ?? '');
    await sendEmailAndWait(server, owner, { subject: 'three', photos: [photo] });
    expect((await memoriesOf(owner)).map(({ caption }) => caption)).toEqual(['three']);
  });

  describe('embedded in the text', () => {
    /** As programs write what stands in a text: a photo, or a picture in a signature. */
    async function mailEmbedded(
      owner: EmailOwner,
      subject: string,
      picture: Buffer,
      attached: Buffer[] = [],
    ) {
      const inText = file(picture, { 'Content-Disposition': 'inline', 'Content-ID': '<picture>' });
      const related = multipart('related', [htmlText('Hello <img src="cid:picture">'), inText]);
      const headers = { From: owner.email, Subject: subject, 'Message-ID': `<${subject}@${owner.userId}>` };
      const message = multipart('mixed', [related, ...attached.map((each) => file(each))], { headers });
      const raw = await signedMessage(server, message, 'mems.example');
      expect((await pushEmail(server, owner.inboundEmail, raw)).status).toBe(202);
      await ingestEmails(server);
    }
    const captionsOf = async (owner: EmailOwner) => (await memoriesOf(owner)).map(({ caption }) => caption);

    it('becomes a memory, and is ignored as a signature from the third email on', async () => {
      const picture = await makeHeavyPhoto(300, 300);
      for (const subject of ['one', 'two']) {
        await mailEmbedded(owner, subject, picture);
        expect(await captionsOf(owner)).toEqual([subject]);
        await deleteMemory(owner, (await memoriesOf(owner))[0]?.id ?? '');
      }
      await mailEmbedded(owner, 'three', picture, [(await newPhoto()).bytes]);
      expect(await captionsOf(owner)).toEqual(['three']);
      await mailEmbedded(owner, 'four', picture);
      const [three, four] = (await emailRepliesTo(server, owner.email)).slice(-2).map(({ text }) => text);
      expect(three).toContain('1 photo added');
      expect(three).not.toContain('already');
      expect(three).toContain('1 picture in the text looks like a logo and was left out.');
      expect(four).toContain('1 picture in the text looks like a logo and was left out.');
      // An attached photo is intended.
      await sendEmailAndWait(server, owner, { subject: 'five', photos: [{ name: 'a.jpg', bytes: picture }] });
      expect(await captionsOf(owner)).toEqual(['three', 'five']);
    });

    it('is rejected in each email if it is invalid', async () => {
      const broken = Buffer.concat([Buffer.from('ffd8ff', 'hex'), Buffer.alloc(30_000)]);
      for (const subject of ['one', 'two', 'three']) await mailEmbedded(owner, subject, broken);
      expect((await emailRepliesTo(server, owner.email)).map(({ text }) => text)).toEqual(
        Array.from({ length: 3 }, () => expect.stringContaining('1 photo could not be added') as string),
      );
    });

    it('has the same result when an email is retried', async () => {
      const { userId: ownerId } = await signUpEmailOwner(server);
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

  it('is retried after a delay if the sender’s key could not be fetched', async () => {
    const resolve = () => Promise.reject(Object.assign(new Error('No answer'), { code: 'ESERVFAIL' }));
    const cutOff = await startTestServer({ overrides: { dns: { resolve } } });
    const owner = await cutOff.signUp('mara');
    const to = await inboundEmailOf(owner);
    const raw = await signedEmail(cutOff, { from: 'mara@mems.example', to, photos: [await newPhoto()] });
    expect((await pushEmail(cutOff, to, raw)).status).toBe(202);
    await ingestEmailsJob.handle(cutOff.context, {});
    const { rows } = await cutOff.context.db
      .execute(`select inbound_emails.attempts from inbound_emails join pgboss.job
      on name = 'ingest-emails' and state = 'created' and start_after >= next_attempt_at and next_attempt_at > inbound_emails.created_at`);
    expect(rows).toEqual([{ attempts: 1 }]);
    await cutOff.close();
  });

  it('is retried for hours while its bytes are missing', async () => {
    await sendEmail(server, owner);
    const folder = join(server.dataDir, 'objects', 'inbound-mail');
    await rename(folder, `${folder}-away`);
    for (let attempt = 1; attempt <= 14; attempt++) {
      await ingestEmailsJob.handle(server.context, {});
      now = new Date(now.getTime() + 10 * 60_000);
    }
    await rename(`${folder}-away`, folder);
    expect(await memoriesOf(owner)).toEqual([]);
    await ingestEmailsJob.handle(server.context, {});
    expect(await memoriesOf(owner)).toHaveLength(1);
  });

  it(
    'needs two connections to the database at most, while the app is at work',
    async () => {
      const small = await startTestServer({
        env: { DATABASE_POOL_SIZE: '2' },
        overrides: { hasWorkers: true },
      });
      const owner = await signUpEmailOwner(small);
      for (const count of [1, 10]) {
        const photos = await Promise.all(Array.from({ length: count }, () => newPhoto()));
        await sendEmail(small, owner, { subject: `${count}`, photos });
      }
      await vi.waitUntil(async () => (await emailRepliesTo(small, owner.email)).length === 2, PATIENCE);
      const replies = await emailRepliesTo(small, owner.email);
      expect(replies.map(({ text }) => text.split('.')[0]).sort()).toEqual([
        '1 photo added',
        '10 photos added',
      ]);
      expect(await memoriesOf(owner)).toHaveLength(11);
    },
    PATIENCE_MS,
  );

  it('is added for each recipient of the email', async () => {
    const [mara, jo] = [await signUpEmailOwner(server), await signUpEmailOwner(server)];
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

describe('the reply to an email', () => {
  it.each([
    ['nothing to add', { photos: [] }, 'There was no photo attached.'],
    [
      'something that is no photo',
      { photos: [{ name: 'a.jpg', bytes: Buffer.from('\xff\xd8\xff no', 'latin1') }] },
      '1 photo could not be added: ',
    ],
  ])('explains rejections: %s', async (_name, mail, line) => {
    await sendEmailAndWait(server, owner, { subject: 'x', ...mail });
    expect((await emailRepliesTo(server, owner.email)).map(({ text }) => text)).toEqual([
      expect.stringContaining(line),
    ]);
    expect(await memoriesOf(owner)).toEqual([]);
  });

  it('links to the album only for its owner', async () => {
    const addresses = ['oma@family.example'];
    await owner.request('PUT', '/api/user/allowed-senders', { json: { addresses } });
    await sendEmailAndWait(server, owner, { subject: 'x' });
    await sendEmailAndWait(server, owner, { subject: 'x', from: addresses[0] ?? '' });
    const [[toOwner], [toOma]] = [
      await emailRepliesTo(server, owner.email),
      await emailRepliesTo(server, addresses[0] ?? ''),
    ];
    expect([toOwner?.text, toOma?.text]).toEqual([
      expect.stringMatching(/^1 photo added\.[^]*\nView the album: .*\/gallery/),
      expect.stringMatching(/^1 photo added\.(?![^]*album:)/),
    ]);
  });

  it('asks for an unencrypted email', async () => {
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
    const [reply] = await emailRepliesTo(server, owner.email);
    expect(reply?.text).toContain('Please send it without encryption.');
    expect(reply?.text).not.toContain('attach');
  });

  it('is sent after a retry if the rate limit could not be checked', async () => {
    await sendEmail(server, owner, { subject: 'x' });
    const rename = (from: string, to: string) =>
      server.context.db.execute(`alter table ${from} rename to ${to}`);
    await rename('rate_limits', 'rate_limits_away');
    await ingestEmailsJob.handle(server.context, {});
    await rename('rate_limits_away', 'rate_limits');
    now = new Date(now.getTime() + 60_000);
    await server.drainJobs();
    expect((await emailRepliesTo(server, owner.email)).map(({ text }) => text)).toEqual([
      expect.stringMatching(/^1 photo added\./),
    ]);
  });

  it('is sent once when the mail server is back, even after a day', async () => {
    const smtp = await startSmtpServer();
    const sender = { address: 'album@mems.example', envelopeAddress: 'album@mems.example' };
    const mailer = createSmtpMailer({ kind: 'smtp', url: smtp.url, requiresTls: false, dkim: null }, sender);
    const away = await startTestServer({ overrides: { mailer } });
    const owner = await signUpEmailOwner(away);
    await away.context.db.update(users).set({ emailVerifiedAt: now });
    await away.drainJobs();
    const before = smtp.received.length;
    await sendEmail(away, owner, { subject: 'x' });
    // The delays double: this many take a day or two.
    const attempts = 14;
    smtp.rejectNext(...Array.from({ length: attempts }, () => '421 Come back later'));
    for (let n = 0; n < attempts; n++) await expect(away.drainJobs()).rejects.toThrow('did not take it');
    await away.drainJobs();
    expect(smtp.received.slice(before).map(({ to }) => to)).toEqual([[owner.email]]);
    mailer.close();
  });

  it('is never sent for automatic email, and five times an hour at most', async () => {
    for (const sender of ['<>', 'MAILER-DAEMON@mx.example'])
      await sendEmailAndWait(server, owner, { subject: 'x' }, { 'X-Envelope-From': sender });
    expect(await memoriesOf(owner)).toHaveLength(2);
    expect(await emailRepliesTo(server, owner.email)).toEqual([]);
    for (let n = 0; n < 7; n++) await sendEmailAndWait(server, owner, { subject: `${n}` });
    expect(await memoriesOf(owner)).toHaveLength(9);
    expect(await emailRepliesTo(server, owner.email)).toHaveLength(5);
  });
});
