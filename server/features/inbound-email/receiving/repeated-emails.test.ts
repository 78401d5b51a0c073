import { beforeEach, describe, expect, it } from 'vitest';
import { memoriesOf } from '../../../testing/clients/album.ts';
import type { TestClient } from '../../../testing/clients/test-client.ts';
import {
  emailRepliesTo,
  heldMessagesOf,
  newPhoto,
  pushEmail,
  signedEmail,
  signUpEmailOwner,
  type EmailOwner,
} from '../../../testing/data/inbound-email.ts';
import { file, multipart } from '../../../testing/data/mime.ts';
import { startTestServer } from '../../../testing/test-server.ts';
import { ingestEmailsJob } from '../ingest-emails-job.ts';

const STRANGER = 'stranger@else.example';

const server = await startTestServer();
let owner: EmailOwner;
beforeEach(async () => {
  owner = await signUpEmailOwner(server);
});

const captionsOf = async (owner: TestClient) =>
  (await memoriesOf(owner)).map(({ caption }) => caption).sort();
const waitingFor = async (owner: TestClient) =>
  (await heldMessagesOf(owner)).map(({ subject }) => subject).sort();
const repliesTo = async (address: string) =>
  (await emailRepliesTo(server, address)).map(({ subject }) => subject);

type Said = { from?: string; subject: string; messageId?: string };
const MESSAGE_ID = 'a-1@home.example';

async function authenticated(
  owner: EmailOwner,
  { from = owner.email, messageId = MESSAGE_ID, subject }: Said,
) {
  const photo = await newPhoto();
  return signedEmail(server, { from, to: owner.inboundEmail, messageId, subject, photos: [photo] });
}

async function unauthenticated(
  owner: EmailOwner,
  { from = owner.email, messageId = MESSAGE_ID, subject }: Said,
) {
  const headers = { From: from, Subject: subject, 'Message-ID': `<${messageId}>` };
  return multipart('mixed', [file((await newPhoto()).bytes)], { headers });
}

/** The same email as redelivered by a server. */
const broughtBy = (name: string, raw: Buffer) =>
  Buffer.concat([Buffer.from(`Received: by ${name}.example; 1 Jan 2026 10:00:00 +0000\r\n`), raw]);

async function push(owner: EmailOwner, ...mails: Buffer[]) {
  for (const raw of mails) expect((await pushEmail(server, owner.inboundEmail, raw)).status).toBe(202);
  await server.drainJobs();
}

describe('a forged Message-ID', () => {
  it.each([
    ['forged in the owner’s name', (owner: EmailOwner) => unauthenticated(owner, { subject: 'squat' }), []],
    [
      'a stranger’s, who is authenticated',
      (owner: EmailOwner) => authenticated(owner, { from: STRANGER, subject: 'squat' }),
      ['squat'],
    ],
    [
      'a stranger’s, who is not',
      (owner: EmailOwner) => unauthenticated(owner, { from: STRANGER, subject: 'squat' }),
      ['squat'],
    ],
  ])('does not block the owner’s email: %s', async (_name, write, stillWaiting) => {
    const before = await signUpEmailOwner(server);
    await push(before, await write(before), await authenticated(before, { subject: 'real' }));
    expect([await captionsOf(before), await waitingFor(before)]).toEqual([['real'], stillWaiting]);
    expect(await repliesTo(before.email)).toEqual(['Re: real']);

    const after = await signUpEmailOwner(server);
    await push(after, await authenticated(after, { subject: 'real' }), await write(after));
    expect([await captionsOf(after), await waitingFor(after)]).toEqual([['real'], ['squat']]);
  });

  it('does not block an unknown sender’s email unless sender, subject and photo count match', async () => {
    await push(
      owner,
      await unauthenticated(owner, { from: STRANGER, subject: 'first' }),
      await unauthenticated(owner, { from: STRANGER, subject: 'second' }),
      await unauthenticated(owner, { from: 'oma@else.example', subject: 'second' }),
      await unauthenticated(owner, { from: STRANGER, subject: 'second' }),
      await authenticated(owner, { from: STRANGER, subject: 'authenticated' }),
      await unauthenticated(owner, { from: STRANGER, subject: 'authenticated' }),
    );
    const held = await heldMessagesOf(owner);
    expect(held.map(({ sender, subject }) => [sender, subject])).toEqual([
      [STRANGER, 'authenticated'],
      ['oma@else.example', 'second'],
    ]);
  });

  it('does not undo the owner’s decision', async () => {
    for (const subject of ['wanted', 'unwanted'])
      await push(owner, await unauthenticated(owner, { from: STRANGER, subject, messageId: subject }));
    for (const { id, subject } of await heldMessagesOf(owner))
      await owner.post(`/api/held-messages/${id}/${subject === 'wanted' ? 'accept' : 'reject'}`);
    for (const subject of ['wanted', 'unwanted'])
      await push(owner, await unauthenticated(owner, { from: STRANGER, subject, messageId: subject }));
    expect([await captionsOf(owner), await waitingFor(owner)]).toEqual([['wanted'], []]);
    await push(owner, await authenticated(owner, { subject: 'mine', messageId: 'wanted' }));
    expect(await captionsOf(owner)).toEqual(['mine', 'wanted']);
  });
});

describe('an email that is redelivered with another header', () => {
  it('is added and answered once if its sender is verified', async () => {
    const raw = await authenticated(owner, { subject: 'once' });
    await push(owner, raw, broughtBy('mx1', raw));
    await push(owner, broughtBy('mx2', raw));
    expect([await captionsOf(owner), await waitingFor(owner)]).toEqual([['once'], []]);
    expect(await repliesTo(owner.email)).toEqual(['Re: once']);
  });

  it('is added and answered once by two concurrent workers', async () => {
    const raw = await authenticated(owner, { subject: 'once' });
    const twice = ['mx1', 'mx2'].map((name) => pushEmail(server, owner.inboundEmail, broughtBy(name, raw)));
    expect((await Promise.all(twice)).map(({ status }) => status)).toEqual([202, 202]);
    await Promise.all([1, 2].map(() => ingestEmailsJob.handle(server.context, {})));
    await server.drainJobs();
    expect([await captionsOf(owner), await waitingFor(owner)]).toEqual([['once'], []]);
    expect(await repliesTo(owner.email)).toEqual(['Re: once']);
  });

  it('is dropped while the first one is being retried', async () => {
    const raw = await authenticated(owner, { subject: 'once' });
    const tryFirst = (at: string) =>
      server.context.db.execute(
        `update inbound_emails set attempts = 1, next_attempt_at = '${at}', is_authenticated = true, sender = '${owner.email}' where status = 'received'`,
      );
    expect((await pushEmail(server, owner.inboundEmail, raw)).status).toBe(202);
    await tryFirst('infinity');
    await push(owner, broughtBy('mx1', raw));
    expect([await captionsOf(owner), await waitingFor(owner), await repliesTo(owner.email)]).toEqual([
      [],
      [],
      [],
    ]);
    await tryFirst('-infinity');
    await push(owner, broughtBy('mx2', raw));
    expect(await captionsOf(owner)).toEqual(['once']);
    expect(await repliesTo(owner.email)).toEqual(['Re: once']);
  });

  it('is held once if its sender is not verified', async () => {
    const raw = await unauthenticated(owner, { from: STRANGER, subject: 'once' });
    await push(owner, raw, broughtBy('mx1', raw));
    await push(owner, broughtBy('mx2', raw));
    expect(await waitingFor(owner)).toEqual(['once']);
  });

  it('is added and answered once if the first one has no hash', async () => {
    const [done, begun] = [
      await authenticated(owner, { subject: 'done' }),
      await authenticated(owner, { subject: 'begun', messageId: 'b@x' }),
    ];
    await push(owner, done);
    expect((await pushEmail(server, owner.inboundEmail, begun)).status).toBe(202);
    await server.context.db.execute('update inbound_emails set sha256 = null');
    await push(owner, done, begun);
    expect(await captionsOf(owner)).toEqual(['begun', 'done']);
    expect((await repliesTo(owner.email)).sort()).toEqual(['Re: begun', 'Re: done']);
  });
});
