import { beforeAll, describe, expect, it } from 'vitest';
import { AllowedSenders, MAX_ALLOWED_SENDERS, type HeldMessage } from '#shared/transfers/inbound-email';
import { users } from '../../../platform/db/schema/accounts/users.ts';
import { memoriesOf } from '../../../testing/clients/album.ts';
import { addContact, addPet } from '../../../testing/data/factories.ts';
import { waitForBlockedConnection } from '../../../testing/timing/lock-waits.ts';
import {
  emailRepliesTo,
  heldMessagesOf,
  inboundEmailOf,
  sendEmailAndWait,
  newPhoto,
  pushEmail,
  signedEmail,
  signedMessage,
  signUpEmailOwner,
  storedEmails,
  type EmailOwner,
} from '../../../testing/data/inbound-email.ts';
import { file, multipart } from '../../../testing/data/mime.ts';
import { photoEmailsTo } from '../../../testing/clients/dev-outbox.ts';
import { makePhoto } from '../../../testing/photos/photos.ts';
import { readPages } from '../../../testing/clients/read-pages.ts';
import { startSmtpServer } from '../../../testing/fakes/smtp-server.ts';
import { startTestServer, type TestServer } from '../../../testing/test-server.ts';
import { addAllowedSender } from '../sender/allowed-sender-queries.ts';
import { lockUser } from '../../accounts/users/user-queries.ts';
import { emailKey, findEmail, updateEmail } from '../inbound-email-queries.ts';
import { purgeInboundEmailsJob } from '../purge-inbound-emails-job.ts';

let server: TestServer;
let now = new Date();

beforeAll(async () => {
  server = await startTestServer({ overrides: { clock: { now: () => now } } });
});

describe('an email from an unknown sender', () => {
  const stranger = 'stranger@else.example';

  it.each([
    [
      'from a stranger whose address is authenticated',
      async (owner: EmailOwner) =>
        signedEmail(server, {
          from: stranger,
          to: owner.inboundEmail,
          subject: 'Rex: hello',
          photos: [await newPhoto()],
        }),
    ],
    [
      'from a stranger whose address is authenticated, with nothing but a photo in its text',
      async (owner: EmailOwner) =>
        signedMessage(
          server,
          multipart(
            'mixed',
            [
              file((await newPhoto()).bytes, {
                'Content-ID': '<photo@else.example>',
                'Content-Disposition': 'inline; filename=IMG_1234.jpeg',
              }),
            ],
            { headers: { From: stranger, To: owner.inboundEmail, Subject: 'Rex: hello' } },
          ),
          'else.example',
        ),
    ],
    [
      'with a forged From',
      async (owner: EmailOwner) =>
        multipart('mixed', [file((await newPhoto()).bytes)], {
          headers: { From: owner.email, Subject: 'Rex: hello' },
        }),
    ],
    [
      'with a forged word of a mail server',
      async (owner: EmailOwner) =>
        multipart('mixed', [file((await newPhoto()).bytes)], {
          headers: {
            From: owner.email,
            Subject: 'Rex: hello',
            'Authentication-Results': `mx.cloudflare.net; dkim=pass header.d=${owner.email.split('@')[1] ?? ''}`,
          },
        }),
    ],
  ])('is held for the owner’s approval, without a reply: %s', async (name, write) => {
    const owner = await signUpEmailOwner(server);
    const contact = `${owner.userId}@family.example`;
    await addContact(owner, { email: contact });
    await pushEmail(server, owner.inboundEmail, await write(owner));
    await server.drainJobs();
    expect(await memoriesOf(owner)).toEqual([]);
    const isAuthenticated = name.includes('authenticated');
    const [held] = await heldMessagesOf(owner);
    expect(held).toMatchObject({
      sender: isAuthenticated ? stranger : owner.email,
      isSenderAuthenticated: isAuthenticated,
      subject: 'Rex: hello',
      photoCount: 1,
    });
    expect([await photoEmailsTo(server.dataDir, contact), await emailRepliesTo(server, stranger)]).toEqual([
      [],
      [],
    ]);

    const accepted = await Promise.all(
      [1, 2].map(() => owner.post(`/api/held-messages/${held?.id ?? ''}/accept`)),
    );
    expect(accepted.map(({ status }) => status)).toEqual([202, 202]);
    await server.drainJobs();
    expect((await memoriesOf(owner)).map(({ caption }) => caption)).toEqual(['Rex: hello']);
    expect(await heldMessagesOf(owner)).toEqual([]);
    expect((await owner.post(`/api/held-messages/${held?.id ?? ''}/reject`)).status).toBe(404);
    expect(await photoEmailsTo(server.dataDir, contact)).toHaveLength(isAuthenticated ? 1 : 0);
    expect(await storedEmails(server)).toEqual([]);
  });

  it('belongs to the pet that the owner chooses, and reaches contacts only if the owner wants it', async () => {
    const owner = await signUpEmailOwner(server);
    const contact = `${owner.userId}@choice.example`;
    await addContact(owner, { email: contact });
    const rex = await addPet(owner, { name: 'Rex' });
    for (const subject of ['Re: Rex: a kitten', 'a kitten'])
      await sendEmailAndWait(server, owner, { from: stranger, subject });
    const [unnamed, named] = await heldMessagesOf(owner);
    expect([unnamed?.petId, named?.petId], 'an only pet').toEqual([rex.id, rex.id]);
    await addPet(owner, { name: 'Tilly' });
    expect((await heldMessagesOf(owner)).map(({ petId }) => petId)).toEqual([null, rex.id]);
    const accept = (held: HeldMessage | undefined, body: object) =>
      owner.post(`/api/held-messages/${held?.id ?? ''}/accept`, body);
    const ofOther = await addPet(await server.signUp(), { name: 'Rex' });
    expect((await accept(unnamed, { petId: ofOther.id })).status).toBe(404);
    expect((await accept(unnamed, { petId: null, emailContacts: false })).status).toBe(202);
    await server.drainJobs();
    expect(await memoriesOf(owner)).toMatchObject([{ caption: 'a kitten', petId: null }]);
    expect(await photoEmailsTo(server.dataDir, contact)).toEqual([]);
    expect((await accept(named, { petId: rex.id, emailContacts: true })).status).toBe(202);
    await server.drainJobs();
    expect(await memoriesOf(owner)).toMatchObject([{ caption: 'a kitten', petId: rex.id }, { petId: null }]);
    expect(await photoEmailsTo(server.dataDir, contact)).toHaveLength(1);
  });

  it('is deleted when the owner rejects it', async () => {
    const owner = await signUpEmailOwner(server);
    const raw = await sendEmailAndWait(server, owner, { from: stranger });
    const [held] = await heldMessagesOf(owner);
    const reject = () => owner.post(`/api/held-messages/${held?.id ?? ''}/reject`);
    expect([(await reject()).status, (await reject()).status]).toEqual([204, 204]);
    expect((await owner.post(`/api/held-messages/${held?.id ?? ''}/accept`)).status).toBe(404);
    expect(await storedEmails(server)).toEqual([]);
    await pushEmail(server, owner.inboundEmail, raw);
    await server.drainJobs();
    expect([await heldMessagesOf(owner), await memoriesOf(owner)]).toEqual([[], []]);
  });

  it('is added at once after the owner allowed its sender', async () => {
    const owner = await signUpEmailOwner(server);
    await sendEmailAndWait(server, owner, { from: stranger });
    const [held] = await heldMessagesOf(owner);
    await owner.post(`/api/held-messages/${held?.id ?? ''}/accept`, { allowSender: true });
    await server.drainJobs();
    expect((await owner.get('/api/user/allowed-senders')).body).toEqual({ addresses: [stranger] });
    await sendEmailAndWait(server, owner, { from: stranger, subject: 'again' });
    expect(await memoriesOf(owner)).toHaveLength(2);
    expect((await emailRepliesTo(server, stranger)).map(({ subject }) => subject)).toEqual(['Re: again']);
  });

  it.each(['rex..and.max.@home.example', 'jo@xn--e1afmkfd.xn--p1ai', "jo/o'b=1@home.example"])(
    'keeps the list of allowed senders valid if its sender is %s',
    async (from) => {
      const owner = await signUpEmailOwner(server);
      await sendEmailAndWait(server, owner, { from });
      const [held] = await heldMessagesOf(owner);
      await owner.post(`/api/held-messages/${held?.id ?? ''}/accept`, { allowSender: true });
      const path = '/api/user/allowed-senders';
      const { addresses } = AllowedSenders.parse((await owner.get(path)).body);
      expect(addresses).toEqual([from]);
      const longer = { addresses: [...addresses, 'oma@family.example'] };
      expect((await owner.request('PUT', path, { json: longer })).status).toBe(200);
    },
  );

  it('stays held if the list of allowed senders is full', async () => {
    const owner = await signUpEmailOwner(server);
    const allowed = Array.from({ length: MAX_ALLOWED_SENDERS - 1 }, (_, n) => `${n}@family.example`);
    await owner.request('PUT', '/api/user/allowed-senders', { json: { addresses: allowed } });
    for (const name of ['jo', 'ingrid'])
      await sendEmailAndWait(server, owner, { from: `${name}@else.example`, subject: name });
    const accept = ({ id }: HeldMessage, allowSender: boolean) =>
      owner.post(`/api/held-messages/${id}/accept`, { allowSender });
    const both = await heldMessagesOf(owner);
    const accepting = await server.context.db.transaction(async (tx) => {
      await lockUser(tx, owner.userId);
      const answers = both.map((each) => accept(each, true));
      await waitForBlockedConnection(server.databaseUrl, 2);
      return { answers };
    });
    const answers = await Promise.all(accepting.answers);
    expect(answers.map(({ status }) => status).sort()).toEqual([202, 409]);
    expect(answers.find(({ status }) => status === 409)?.body).toMatchObject({
      fields: { allowSender: expect.stringContaining('Remove one under “Who may send”') as string },
    });
    expect((await owner.get('/api/user/allowed-senders')).body).toMatchObject({
      addresses: { length: MAX_ALLOWED_SENDERS },
    });
    const [left, ...others] = await heldMessagesOf(owner);
    expect(others).toEqual([]);
    expect(left && (await accept(left, false)).status).toBe(202);
    await server.drainJobs();
    expect((await memoriesOf(owner)).map(({ caption }) => caption).sort()).toEqual(['ingrid', 'jo']);
  });

  it('stays held if the album is full', async () => {
    const small = await startTestServer({ env: { STORAGE_LIMIT_GB: '0.000003' } });
    const owner = await signUpEmailOwner(small);
    // Each is larger than its photo: the first fits, the second does not fit beside the first photo.
    for (const [n, subject] of ['one', 'two'].entries()) {
      const photo = { name: 'photo.jpg', bytes: await makePhoto({ width: 60 + n }) };
      await sendEmailAndWait(small, owner, { from: stranger, subject, photos: [photo] });
    }
    const [two, one] = await heldMessagesOf(owner);
    const accept = (mail: HeldMessage | undefined) =>
      owner.post(`/api/held-messages/${mail?.id ?? ''}/accept`);
    expect((await accept(one)).status).toBe(202);
    await small.drainJobs();
    const rejected = await accept(two);
    expect([rejected.status, rejected.text]).toEqual([413, expect.stringContaining('Your album is full')]);
    await small.drainJobs();
    expect((await heldMessagesOf(owner)).map(({ subject }) => subject)).toEqual(['two']);
    expect((await memoriesOf(owner)).map(({ caption }) => caption)).toEqual(['one']);
  });

  it('is held if it is from our own addresses, which cannot be allowed', async () => {
    const owner = await signUpEmailOwner(server);
    const put = (address: string) =>
      owner.request('PUT', '/api/user/allowed-senders', {
        json: { addresses: ['jo@else.example', address] },
      });
    const own = ['album@mems.localhost', owner.inboundEmail, 'anybody@in.mems.localhost'];
    for (const from of own) {
      const rejected = await put(from.toUpperCase());
      expect(rejected.status).toBe(422);
      expect(rejected.body).toMatchObject({
        fields: { addresses: expect.stringContaining('can’t be allowed to send') as string },
      });
      // It may have been stored before this became one of our addresses.
      await server.context.db.transaction((tx) => addAllowedSender(tx, owner.userId, from));
      await sendEmailAndWait(server, owner, { from, subject: from });
      const [held] = await heldMessagesOf(owner);
      expect(held).toMatchObject({ sender: from, isSenderAuthenticated: true });
      const accept = (allowSender: boolean) =>
        owner.post(`/api/held-messages/${held?.id ?? ''}/accept`, { allowSender });
      expect((await accept(true)).status).toBe(422);
      expect((await accept(false)).status).toBe(202);
      await server.drainJobs();
      expect(await emailRepliesTo(server, from)).toEqual([]);
    }
    expect(await memoriesOf(owner)).toHaveLength(own.length);
  });

  it('is held if the owner’s address is not verified', async () => {
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
    expect([await memoriesOf(client), await heldMessagesOf(client)]).toEqual([
      [],
      [expect.objectContaining({ sender: 'ingrid@mems.example', isSenderAuthenticated: true })],
    ]);
    await open.context.db.update(users).set({ emailVerifiedAt: now });
    await push();
    expect(await memoriesOf(client)).toHaveLength(1);
  });

  it('is dropped without a photo, and listed in pages', async () => {
    const owner = await signUpEmailOwner(server);
    await sendEmailAndWait(server, owner, { from: stranger, photos: [] });
    expect([await heldMessagesOf(owner), await storedEmails(server)]).toEqual([[], []]);
    for (const subject of ['one', 'two', 'three'])
      await sendEmailAndWait(server, owner, { from: stranger, subject });
    expect(await readPages(owner, '/api/held-messages?limit=2')).toMatchObject([
      [{ subject: 'three' }, { subject: 'two' }],
      [{ subject: 'one' }],
    ]);
  });

  it.each([
    ['done', 'accept'],
    ['rejected', 'reject'],
  ])(
    'loses the bytes that a kill left behind, and is still recognized, once it is %s',
    async (status, decision) => {
      const owner = await signUpEmailOwner(server);
      const { db, storage } = server.context;
      const raw = await sendEmailAndWait(server, owner, { from: stranger });
      const [held] = await heldMessagesOf(owner);
      const id = held?.id ?? '';
      await owner.post(`/api/held-messages/${id}/${decision}`);
      await server.drainJobs();
      await storage.write(emailKey(id), raw, 'message/rfc822');
      await updateEmail(db, { ownerId: owner.userId, id }, { isStored: true });
      expect(await storedEmails(server)).toContain(id);
      await purgeInboundEmailsJob.handle(server.context, {});
      expect(await storedEmails(server)).not.toContain(id);
      expect(await findEmail(db, owner.userId, id)).toMatchObject({ status, isStored: false });
    },
  );

  it('expires after 30 days', async () => {
    const owner = await signUpEmailOwner(server);
    await sendEmailAndWait(server, owner, { from: stranger });
    const before = now;
    now = new Date(now.getTime() + 29 * 24 * 60 * 60 * 1000);
    await purgeInboundEmailsJob.handle(server.context, {});
    expect(await heldMessagesOf(owner)).toHaveLength(1);
    now = new Date(now.getTime() + 25 * 60 * 60 * 1000);
    await purgeInboundEmailsJob.handle(server.context, {});
    expect([await heldMessagesOf(owner), await storedEmails(server)]).toEqual([[], []]);
    now = before;
  });
});
