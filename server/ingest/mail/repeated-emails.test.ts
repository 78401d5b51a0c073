import { beforeAll, describe, expect, it } from 'vitest';
import type { HeldMessage } from '#shared/inbound-email';
import type { Memory } from '#shared/memory';
import type { User } from '#shared/user';
import { inboundEmailOf, pushEmail, signedEmail } from '../../testing/mailed-photos.ts';
import { file, multipart } from '../../testing/mime.ts';
import { readOutbox } from '../../testing/outbox.ts';
import { makePhoto } from '../../testing/photos.ts';
import type { TestClient } from '../../testing/test-client.ts';
import { startTestServer, type TestServer } from '../../testing/test-server.ts';
import { ingestEmailsJob } from './ingest-emails-job.ts';

const STRANGER = 'stranger@else.example';

let server: TestServer;
let photos = 0;

beforeAll(async () => {
  server = await startTestServer();
});

/** Each another. */
const newPhoto = async () => ({ name: 'photo.jpg', bytes: await makePhoto({ width: 60 + ++photos }) });
const captionsOf = async (owner: TestClient) =>
  ((await owner.get('/api/memories')).body as Memory[]).map(({ caption }) => caption).sort();
const heldBy = async (owner: TestClient) => (await owner.get('/api/held-messages')).body as HeldMessage[];
const waitingFor = async (owner: TestClient) => (await heldBy(owner)).map(({ subject }) => subject).sort();
const answersTo = async (address: string) =>
  (await readOutbox(server.dataDir))
    .filter(({ to, subject }) => to === address && subject.startsWith('Re:'))
    .map(({ subject }) => subject);

type Owner = TestClient & { email: string; inboundEmail: string };

async function signUp(): Promise<Owner> {
  const client = await server.signUp();
  const { email } = (await client.get('/api/user')).body as User;
  return Object.assign(client, { email, inboundEmail: await inboundEmailOf(client) });
}

type Said = { from?: string; subject: string; messageId?: string };
const MESSAGE_ID = 'a-1@home.example';

async function proven(owner: Owner, { from = owner.email, messageId = MESSAGE_ID, subject }: Said) {
  const photo = await newPhoto();
  return signedEmail(server, { from, to: owner.inboundEmail, messageId, subject, photos: [photo] });
}

async function unproven(owner: Owner, { from = owner.email, messageId = MESSAGE_ID, subject }: Said) {
  const headers = { From: from, Subject: subject, 'Message-ID': `<${messageId}>` };
  return multipart('mixed', [file((await newPhoto()).bytes)], { headers });
}

/** As a server writes it that brings the same mail once more. */
const broughtBy = (name: string, raw: Buffer) =>
  Buffer.concat([Buffer.from(`Received: by ${name}.example; 1 Jan 2026 10:00:00 +0000\r\n`), raw]);

async function push(owner: Owner, ...mails: Buffer[]) {
  for (const raw of mails) expect((await pushEmail(server, owner.inboundEmail, raw)).status).toBe(202);
  await server.drainJobs();
}

describe('a Message-ID that somebody else uses, too', () => {
  it.each([
    ['forged in the owner’s name', (owner: Owner) => unproven(owner, { subject: 'squat' }), []],
    [
      'a stranger’s, who is proven',
      (owner: Owner) => proven(owner, { from: STRANGER, subject: 'squat' }),
      ['squat'],
    ],
    [
      'a stranger’s, who is not',
      (owner: Owner) => unproven(owner, { from: STRANGER, subject: 'squat' }),
      ['squat'],
    ],
  ])('keeps the owner’s mail from nothing: %s', async (_name, write, stillWaiting) => {
    const before = await signUp();
    await push(before, await write(before), await proven(before, { subject: 'real' }));
    expect([await captionsOf(before), await waitingFor(before)]).toEqual([['real'], stillWaiting]);
    expect(await answersTo(before.email)).toEqual(['Re: real']);

    const after = await signUp();
    await push(after, await proven(after, { subject: 'real' }), await write(after));
    expect([await captionsOf(after), await waitingFor(after)]).toEqual([['real'], ['squat']]);
  });

  it('keeps no mail from waiting either, unless both say the same of themselves', async () => {
    const owner = await signUp();
    await push(
      owner,
      await unproven(owner, { from: STRANGER, subject: 'first' }),
      await unproven(owner, { from: STRANGER, subject: 'second' }),
      await unproven(owner, { from: 'oma@else.example', subject: 'second' }),
      await unproven(owner, { from: STRANGER, subject: 'second' }),
      await proven(owner, { from: STRANGER, subject: 'proven' }),
      await unproven(owner, { from: STRANGER, subject: 'proven' }),
    );
    const held = await heldBy(owner);
    expect(held.map(({ sender, subject }) => [sender, subject])).toEqual([
      [STRANGER, 'proven'],
      ['oma@else.example', 'second'],
    ]);
  });

  it('lets what the owner said OK to, or did not want, stay decided', async () => {
    const owner = await signUp();
    for (const subject of ['wanted', 'unwanted'])
      await push(owner, await unproven(owner, { from: STRANGER, subject, messageId: subject }));
    for (const { id, subject } of await heldBy(owner))
      await owner.post(`/api/held-messages/${id}/${subject === 'wanted' ? 'accept' : 'reject'}`);
    for (const subject of ['wanted', 'unwanted'])
      await push(owner, await unproven(owner, { from: STRANGER, subject, messageId: subject }));
    expect([await captionsOf(owner), await waitingFor(owner)]).toEqual([['wanted'], []]);
    await push(owner, await proven(owner, { subject: 'mine', messageId: 'wanted' }));
    expect(await captionsOf(owner)).toEqual(['mine', 'wanted']);
  });
});

describe('a mail that a server brings once more, with a line of its own above it', () => {
  it('is added and answered once, when it is proven', async () => {
    const owner = await signUp();
    const raw = await proven(owner, { subject: 'once' });
    await push(owner, raw, broughtBy('mx1', raw));
    await push(owner, broughtBy('mx2', raw));
    expect([await captionsOf(owner), await waitingFor(owner)]).toEqual([['once'], []]);
    expect(await answersTo(owner.email)).toEqual(['Re: once']);
  });

  it('is added and answered once, when two workers have it at the same moment', async () => {
    const owner = await signUp();
    const raw = await proven(owner, { subject: 'once' });
    const twice = ['mx1', 'mx2'].map((name) => pushEmail(server, owner.inboundEmail, broughtBy(name, raw)));
    expect((await Promise.all(twice)).map(({ status }) => status)).toEqual([202, 202]);
    await Promise.all([1, 2].map(() => ingestEmailsJob(server.context)({})));
    await server.drainJobs();
    expect([await captionsOf(owner), await waitingFor(owner)]).toEqual([['once'], []]);
    expect(await answersTo(owner.email)).toEqual(['Re: once']);
  });

  it('is left to the first of them, while that has to be tried again', async () => {
    const owner = await signUp();
    const raw = await proven(owner, { subject: 'once' });
    const tryFirst = (at: string) =>
      server.context.db.execute(
        `update inbound_emails set tries = 1, try_at = '${at}', is_proven = true, sender = '${owner.email}' where status = 'received'`,
      );
    expect((await pushEmail(server, owner.inboundEmail, raw)).status).toBe(202);
    await tryFirst('infinity');
    await push(owner, broughtBy('mx1', raw));
    expect([await captionsOf(owner), await waitingFor(owner), await answersTo(owner.email)]).toEqual([
      [],
      [],
      [],
    ]);
    await tryFirst('-infinity');
    await push(owner, broughtBy('mx2', raw));
    expect(await captionsOf(owner)).toEqual(['once']);
    expect(await answersTo(owner.email)).toEqual(['Re: once']);
  });

  it('waits once, when it is not', async () => {
    const owner = await signUp();
    const raw = await unproven(owner, { from: STRANGER, subject: 'once' });
    await push(owner, raw, broughtBy('mx1', raw));
    await push(owner, broughtBy('mx2', raw));
    expect(await waitingFor(owner)).toEqual(['once']);
  });

  it('is added and answered once, also when it first came before bytes were told apart', async () => {
    const owner = await signUp();
    const [done, begun] = [
      await proven(owner, { subject: 'done' }),
      await proven(owner, { subject: 'begun', messageId: 'b@x' }),
    ];
    await push(owner, done);
    expect((await pushEmail(server, owner.inboundEmail, begun)).status).toBe(202);
    await server.context.db.execute('update inbound_emails set sha256 = null');
    await push(owner, done, begun);
    expect(await captionsOf(owner)).toEqual(['begun', 'done']);
    expect((await answersTo(owner.email)).sort()).toEqual(['Re: begun', 'Re: done']);
  });
});
