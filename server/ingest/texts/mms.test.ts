import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Memory } from '#shared/memory';
import { inboundMessages } from '../../db/schema/inbound-messages.ts';
import { ingestMmsJobDefinition, purgeInboundMessagesJobDefinition } from '../../jobs/job-catalogue.ts';
import { projectRoot } from '../../project-root.ts';
import { addContact, addPet } from '../../testing/factories.ts';
import { readOutbox } from '../../testing/outbox.ts';
import { makePhoto } from '../../testing/photos.ts';
import type { TestClient } from '../../testing/test-client.ts';
import { startTestServer, type TestServer } from '../../testing/test-server.ts';
import {
  aMessageSid,
  bringForm,
  bringText,
  formOf,
  incomingUrl,
  signAsTwilio,
  verifyNumber,
  type TextedMessage,
} from '../../testing/texted-photos.ts';
import { startTwilioServer, TWILIO_ACCOUNT, type TestTwilioServer } from '../../testing/twilio-server.ts';

const PUBLIC_URL = 'https://mems.example';
const PRODUCT_NUMBER = '+12025550100';
const DAY_MS = 24 * 60 * 60 * 1000;

type Owner = TestClient & { userId: string };

let twilio: TestTwilioServer;
let server: TestServer;
let photo: Buffer;
let owner: Owner;
let phone: string;
let now = new Date('2026-06-01T03:00:00Z');

const startServer = (env: NodeJS.ProcessEnv = {}) =>
  startTestServer({
    overrides: { clock: { now: () => now } },
    env: {
      PUBLIC_URL,
      TWILIO_ACCOUNT_SID: TWILIO_ACCOUNT.sid,
      TWILIO_AUTH_TOKEN: TWILIO_ACCOUNT.authToken,
      TWILIO_PHONE_NUMBER: PRODUCT_NUMBER,
      TWILIO_API_URL: twilio.url,
      TWILIO_MEDIA_URLS: twilio.media.cdnUrl,
      PHONE_CODES_PER_ADDRESS: '1000',
      ...env,
    },
  });

let numbers = 0;
/** One that no test has used. */
const aNumber = () => `+1206555${String(1000 + ++numbers)}`;

beforeAll(async () => {
  photo = await makePhoto();
  twilio = await startTwilioServer();
  server = await startServer();
});
beforeEach(async () => {
  owner = await server.signUp();
  phone = aNumber();
  await verifyNumber(twilio, owner, phone);
  twilio.received.length = 0;
});

const attach = (bytes = photo, type = 'image/jpeg') => twilio.media.attach(bytes, type);
const photos = (count: number) => Array.from({ length: count }, () => attach());
const text = (message: Partial<TextedMessage>, to = server) => bringText(to, { from: phone, ...message });
/** Brought, worked on and answered. */
async function textAndWait(message: Partial<TextedMessage>): Promise<void> {
  expect((await text(message)).status).toBe(200);
  await server.drainJobs();
}
const memoriesOf = async (client: TestClient) => (await client.get('/api/memories')).body as Memory[];
const trashOf = async (client: TestClient) => (await client.get('/api/memories/deleted')).body as Memory[];
const repliesTo = (number: string) =>
  twilio.received.filter(({ To }) => To === number).map(({ Body }) => Body ?? '');
const countMessages = () => server.context.db.$count(inboundMessages);

describe('a texted photo', () => {
  it('becomes a memory of the pet that it names, goes to the contacts, and is answered once', async () => {
    await addContact(owner);
    await addPet(owner, { name: 'Milo' });
    const rex = await addPet(owner, { name: 'Réx' });
    const answer = await text({ words: 'rex: At the beach', media: photos(1) });
    expect([answer.status, answer.headers.get('Content-Type'), answer.text]).toEqual([
      200,
      'text/xml; charset=utf-8',
      '<?xml version="1.0" encoding="UTF-8"?><Response/>',
    ]);
    await server.drainJobs();
    const [memory] = await memoriesOf(owner);
    expect(memory).toMatchObject({ petId: rex.id, caption: 'At the beach', source: 'mms', memoryDate: null });
    expect((await owner.get(memory?.imageUrl ?? '')).bytes).toEqual(photo);
    expect(repliesTo(phone)).toEqual(['Added 1 photo for Réx. Reply UNDO to take it back.']);
    expect((await readOutbox(server.dataDir)).map(({ to }) => to)).toContain('ingrid@family.example');
  });

  it('that is brought three times at once becomes one memory, with one answer', async () => {
    const form = formOf({ from: phone, media: photos(1) });
    const answers = await Promise.all([1, 2, 3].map(() => bringForm(server, form)));
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
    await server.drainJobs();
    await bringForm(server, form);
    await server.drainJobs();
    expect(await memoriesOf(owner)).toHaveLength(1);
    expect(repliesTo(phone)).toHaveLength(1);
  });

  it('takes a name alone for no caption, and words without a pet’s name for a caption', async () => {
    const rex = await addPet(owner, { name: 'Rex' });
    await addPet(owner, { name: 'Milo' });
    await textAndWait({ words: ' REX ', media: photos(1) });
    const long = 'Note: ' + 'שלום 🐕 '.repeat(200);
    await textAndWait({ words: long, media: photos(2) });
    const [second, first, named] = await memoriesOf(owner);
    expect(named).toMatchObject({ petId: rex.id, caption: null });
    for (const memory of [first, second]) expect(memory).toMatchObject({ petId: null, caption: long.trim() });
    expect(repliesTo(phone)[1]).toBe(
      "Added 2 photos. Reply with a pet's name to say who it is, or UNDO to take them back.",
    );
  });

  it('is the only pet’s when there is one', async () => {
    const rex = await addPet(owner, { name: 'Rex' });
    await textAndWait({ media: photos(1) });
    expect(await memoriesOf(owner)).toMatchObject([{ petId: rex.id, caption: null }]);
  });

  it('counts for the day that it is where its owner was last', async () => {
    await owner.get('/api/user', { 'X-Time-Zone': 'America/Los_Angeles' });
    await textAndWait({ media: photos(1) });
    const taken = (await owner.get('/api/memories/months?order=taken')).body as { month: string }[];
    expect(taken.map(({ month }) => month)).toEqual(['2026-05']);
  });

  // A HEIC takes seconds to read.
  it('may come with nine others, a HEIC among them', { timeout: 120_000 }, async () => {
    const heic = await readFile(join(projectRoot, 'server/testing/fixtures/iphone.heic'));
    await textAndWait({ media: [...photos(9), attach(heic, 'image/heic')] });
    expect(await memoriesOf(owner)).toHaveLength(10);
    expect(repliesTo(phone)).toEqual(['Added 10 photos. Reply UNDO to take them back.']);
  });

  it('is not lost for others that are none, too large, gone, elsewhere or too many', async () => {
    const media = [
      attach(Buffer.from('no photo at all')),
      attach(Buffer.alloc(10 * 1024 ** 2 + 1)),
      `${twilio.url}/2010-04-01/Accounts/${TWILIO_ACCOUNT.sid}/Messages/MM1/Media/ME1`,
      'http://169.254.169.254/latest/meta-data',
      attach(Buffer.from('a film'), 'video/mp4'),
      ...photos(6),
    ];
    await textAndWait({ media });
    expect(await memoriesOf(owner)).toHaveLength(5);
    const [reply = '', ...others] = repliesTo(phone);
    expect(others).toEqual([]);
    expect(reply).toBe(
      'Added 5 of 11 photos. The others: ' +
        'This file is not a photo we can read. Please use a JPEG, PNG, WebP, AVIF, GIF or HEIC picture. ' +
        'This photo is larger than 10 MB. ' +
        'It could not be fetched any more. Please send it again. ' +
        'Videos cannot be added, only photos. ' +
        'One text adds at most 10 photos. ' +
        'Reply UNDO to take them back.',
    );
  });

  it('is refused in plain words when it is a film, and when the album is full', async () => {
    await textAndWait({ media: [attach(Buffer.from('a film'), 'video/mp4')] });
    expect(repliesTo(phone)).toEqual(['Your photo was not added. Videos cannot be added, only photos.']);
    const full = await startServer({ STORAGE_LIMIT_GB: '0.0000001' });
    await verifyNumber(twilio, await full.signUp(), phone);
    await text({ media: photos(1) }, full);
    await full.drainJobs();
    expect(repliesTo(phone).at(-1)).toMatch(/^Your photo was not added\. Your album is full/);
  });

  it('is kept without its pet when that was deleted before it arrived', async () => {
    const rex = await addPet(owner, { name: 'Rex' });
    await addPet(owner, { name: 'Milo' });
    await text({ words: 'Rex: the last one', media: photos(1) });
    await owner.request('DELETE', `/api/pets/${rex.id}`);
    await server.drainJobs();
    expect(await memoriesOf(owner)).toMatchObject([{ petId: null, caption: 'the last one' }]);
  });

  it('is tried again while it cannot be fetched, none of them twice', async () => {
    await text({ media: photos(3) });
    twilio.media.failNext({ status: 503 }, 'cut', { status: 429 });
    await expect(server.drainJobs()).rejects.toThrow();
    expect(await memoriesOf(owner)).toHaveLength(0);
    twilio.media.failNext({ status: 500 });
    await expect(server.drainJobs()).rejects.toThrow();
    expect(await memoriesOf(owner)).toHaveLength(2);
    expect(repliesTo(phone)).toEqual([]);
    await server.drainJobs();
    expect(await memoriesOf(owner)).toHaveLength(3);
    expect(repliesTo(phone)).toEqual(['Added 3 photos. Reply UNDO to take them back.']);
  });

  it('is given up in the end, which its sender hears', async () => {
    await text({ media: photos(2) });
    for (let tries = 1; tries < 10; tries++) {
      twilio.media.failNext({ status: 503 }, { status: 503 });
      await expect(server.drainJobs()).rejects.toThrow();
    }
    twilio.media.failNext({ status: 503 });
    await server.drainJobs();
    expect(await memoriesOf(owner)).toHaveLength(1);
    expect(repliesTo(phone)).toEqual([
      'Added 1 of 2 photos. The other: Something went wrong on our side. Please send it again. Reply UNDO to take it back.',
    ]);
  });

  it('is one memory when its job runs again, later and at the same moment', async () => {
    const { db, jobs } = server.context;
    await text({ media: photos(2) });
    const messages = await db.select().from(inboundMessages);
    const messageId = messages.find(({ sender }) => sender === phone)?.id ?? '';
    const again = () =>
      db.transaction((tx) => jobs.enqueue(tx, ingestMmsJobDefinition, { ownerId: owner.userId, messageId }));
    await again();
    await Promise.all([server.drainJobs(), server.drainJobs(), server.drainJobs()]);
    await again();
    await server.drainJobs();
    expect(await memoriesOf(owner)).toHaveLength(2);
    expect(repliesTo(phone)).toHaveLength(1);
  });
});

describe('a text that is not signed for this address', () => {
  it('is 403 and changes nothing, whatever of it was tampered with', async () => {
    const form = formOf({ from: phone, words: 'Rex: hello', media: photos(1) });
    const signature = signAsTwilio(incomingUrl(server), form);
    const before = await countMessages();
    const answers = [
      await bringForm(server, { ...form, Body: 'Rex: hallo' }, { signature }),
      await bringForm(server, { ...form, From: aNumber() }, { signature }),
      await bringForm(server, { ...form, MediaUrl1: attach() }, { signature }),
      await bringForm(server, form, { signature, query: '?more' }),
      await bringForm(server, form, {
        signature: signAsTwilio('https://elsewhere.example/api/sms/incoming', form),
      }),
      await bringForm(server, form, { signature: signature.toLowerCase() }),
      await bringForm(server, form, { signature: '' }),
      await server.visitor().post('/api/sms/incoming', form, { 'X-Twilio-Signature': signature }),
      await owner.request('POST', '/api/sms/incoming'),
    ];
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 403));
    expect(answers[3]?.body).toEqual({
      message: `This message is not signed for ${PUBLIC_URL}/api/sms/incoming?more.`,
    });
    await server.drainJobs();
    expect(await countMessages()).toBe(before);
    expect(twilio.received).toEqual([]);
  });

  it('is taken in when the webhook’s address has a query, and that is signed', async () => {
    const form = formOf({ from: phone, media: photos(1) });
    const query = '?from=Twilio%20%2B&b=%c3%a4&a';
    const signature = signAsTwilio(incomingUrl(server) + query, form);
    expect((await bringForm(server, form, { signature, query })).status).toBe(200);
    await server.drainJobs();
    expect(await memoriesOf(owner)).toHaveLength(1);
  });
});

describe('a text from a number that is nobody’s', () => {
  it('changes nothing and is answered once a day, however many come at once', async () => {
    const stranger = aNumber();
    const before = await countMessages();
    const bring = () => text({ from: stranger, words: 'UNDO', media: photos(1) });
    const answers = await Promise.all([bring(), bring(), bring()]);
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
    await server.drainJobs();
    expect(await countMessages()).toBe(before);
    expect(repliesTo(stranger)).toEqual([
      'We do not know this number yet. Verify it at https://mems.example/phone-verification, then text your photos again.',
    ]);
  });

  it('is not answered once all strangers together have had their share of a day', async () => {
    const shy = await startServer({ TEXT_REPLIES_TO_STRANGERS_PER_DAY: '2' });
    const strangers = [aNumber(), aNumber(), aNumber()];
    for (const from of strangers) expect((await text({ from }, shy)).status).toBe(200);
    await shy.drainJobs();
    expect(strangers.map((each) => repliesTo(each).length)).toEqual([1, 1, 0]);
  });

  it('is not answered when there is no such number, or when it is the product’s own', async () => {
    for (const from of ['12345', 'Rex', '', 'whatsapp:+12065550123', PRODUCT_NUMBER])
      expect((await text({ from, media: photos(1) })).status).toBe(200);
    await server.drainJobs();
    expect(twilio.received).toEqual([]);
  });
});

describe('a number', () => {
  it('brings photos to its own account alone', async () => {
    const other = await server.signUp();
    const otherPhone = aNumber();
    await verifyNumber(twilio, other, otherPhone);
    await addPet(other, { name: 'Rex' });
    await textAndWait({ words: 'Rex: mine', media: photos(1) });
    expect(await memoriesOf(other)).toEqual([]);
    expect(await memoriesOf(owner)).toMatchObject([{ caption: 'Rex: mine', petId: null }]);
  });

  it('that moves on takes along what comes later, and nothing of what came before', async () => {
    const sid = aMessageSid();
    const media = photos(1);
    await text({ media, sid, words: 'before' });
    const next = await server.signUp();
    await verifyNumber(twilio, next, phone);
    await text({ media, sid, words: 'before' });
    await server.drainJobs();
    expect((await memoriesOf(owner)).map(({ caption }) => caption)).toEqual(['before']);
    expect(await memoriesOf(next)).toEqual([]);
    await textAndWait({ words: 'UNDO' });
    expect(repliesTo(phone).at(-1)).toBe('There are no photos from your texts to take back.');
    await textAndWait({ media: photos(1), words: 'after' });
    expect((await memoriesOf(next)).map(({ caption }) => caption)).toEqual(['after']);
    expect(await memoriesOf(owner)).toHaveLength(1);
  });

  it('that was removed is a stranger’s', async () => {
    await owner.request('DELETE', '/api/sms/number');
    await textAndWait({ media: photos(1) });
    expect(await memoriesOf(owner)).toEqual([]);
    expect(repliesTo(phone)[0]).toMatch(/^We do not know this number yet\./);
  });
});

describe('a form', () => {
  it('that is huge is refused, and the longest text is not', async () => {
    expect((await text({ words: 'x'.repeat(100_000) })).status).toBe(413);
    expect((await text({ words: '🐕'.repeat(1600), media: photos(10) })).status).toBe(200);
  });

  it('of hostile fields harms nobody', async () => {
    const form = formOf({ from: phone, words: 'x\0y', media: photos(1) });
    const strange: Record<string, string>[] = [
      { ...form, MessageSid: '' },
      { ...form, MessageSid: "'; drop table users; --" },
      { From: phone },
      { ...form, From: 'x'.repeat(1000) },
    ];
    for (const each of strange) expect([each, (await bringForm(server, each)).status]).toEqual([each, 400]);
    const harmless: Record<string, string>[] = [
      { ...form, NumMedia: '1e9', MessageSid: aMessageSid() },
      { ...form, NumMedia: '-1', MessageSid: aMessageSid() },
      { ...form, NumMedia: 'many', constructor: 'x', MessageSid: aMessageSid() },
      { ...form, MediaUrl0: 'javascript:alert(1)', MessageSid: aMessageSid() },
      { ...form, MediaUrl0: '\0', MessageSid: aMessageSid() },
    ];
    for (const each of harmless) expect([each, (await bringForm(server, each)).status]).toEqual([each, 200]);
    expect((await bringForm(server, { ...form, ['__proto__']: 'x' })).status).toBe(403);
    await server.drainJobs();
    expect((await memoriesOf(owner)).map(({ caption }) => caption)).toEqual(['xy']);
  });
});

describe('words without a photo', () => {
  it('are answered by what can be sent', async () => {
    await addPet(owner, { name: 'Rex' });
    await textAndWait({ words: 'Thanks!' });
    expect(repliesTo(phone)).toEqual([
      'There is no photo in this text. Send one with "PetName: Caption", or reply UNDO to take your last photos back.',
    ]);
  });

  it.each(['STOP', ' stop. ', 'Help', 'unsubscribe', 'START', 'INFO'])(
    'that Twilio answers by itself get no answer from us: %j',
    async (words) => {
      await textAndWait({ words });
      expect(twilio.received).toEqual([]);
    },
  );

  it('that Twilio has taken for one of its own words get no answer from us', async () => {
    const form = { ...formOf({ from: phone, words: 'arrêt' }), OptOutType: 'STOP' };
    expect((await bringForm(server, form)).status).toBe(200);
    await server.drainJobs();
    expect(twilio.received).toEqual([]);
  });

  it('are answered so many times an hour and no more; photos still come', async () => {
    const terse = await startServer({ TEXT_REPLIES_PER_NUMBER: '2' });
    const client = await terse.signUp();
    await verifyNumber(twilio, client, phone);
    twilio.received.length = 0;
    for (const words of ['One', 'Two', 'Three']) await text({ words }, terse);
    await text({ media: photos(1) }, terse);
    await terse.drainJobs();
    expect(repliesTo(phone)).toHaveLength(2);
    expect(await memoriesOf(client)).toHaveLength(1);
  });
});

describe('UNDO', () => {
  it.each(['UNDO', 'undo', ' Undo!! ', '"Undo."'])(
    'takes the last text’s photos to the trash, and none before them: %j',
    async (words) => {
      await textAndWait({ words: 'first', media: photos(1) });
      await textAndWait({ words: 'last', media: photos(2) });
      await textAndWait({ words: 'no photo' });
      await textAndWait({ words });
      expect(repliesTo(phone).at(-1)).toBe('Took back 2 photos. They stay in your trash for 30 days.');
      expect((await memoriesOf(owner)).map(({ caption }) => caption)).toEqual(['first']);
      expect((await trashOf(owner)).map(({ caption }) => caption)).toEqual(['last', 'last']);
    },
  );

  it('says so when it comes twice, also at the same moment, and when there is nothing', async () => {
    await textAndWait({ words: 'Undo' });
    expect(repliesTo(phone)).toEqual(['There are no photos from your texts to take back.']);
    await textAndWait({ words: 'first', media: photos(1) });
    await textAndWait({ words: 'last', media: photos(1) });
    await Promise.all([text({ words: 'Undo' }), text({ words: 'Undo' })]);
    await Promise.all([server.drainJobs(), server.drainJobs()]);
    expect(repliesTo(phone).slice(-2).sort()).toEqual([
      'Took back 1 photo. It stays in your trash for 30 days.',
      'Your last photos were taken back already. They are in your trash.',
    ]);
    expect((await memoriesOf(owner)).map(({ caption }) => caption)).toEqual(['first']);
  });

  it('takes them back again when they were restored meanwhile', async () => {
    await textAndWait({ words: 'first', media: photos(1) });
    await textAndWait({ words: 'last', media: photos(1) });
    await textAndWait({ words: 'UNDO' });
    const [memory] = await trashOf(owner);
    await owner.post(`/api/memories/${memory?.id}/restore`);
    await textAndWait({ words: 'UNDO' });
    expect(repliesTo(phone).at(-1)).toBe('Took back 1 photo. It stays in your trash for 30 days.');
    expect((await memoriesOf(owner)).map(({ caption }) => caption)).toEqual(['first']);
  });

  it('leaves alone what its owner has deleted, and says where it is', async () => {
    await textAndWait({ media: photos(1) });
    const [memory] = await memoriesOf(owner);
    await owner.request('DELETE', `/api/memories/${memory?.id}`);
    await textAndWait({ words: 'UNDO' });
    expect(repliesTo(phone).at(-1)).toBe('Your last photos are in your trash already.');
  });

  it('waits for photos that are still on their way', async () => {
    await text({ media: photos(1) });
    await text({ words: 'UNDO' });
    // The younger one is the first to be worked on.
    await server.context.db.execute(`
      with waiting as (select id, created_on from pgboss.job where name = 'ingest-mms' and state = 'created')
      update pgboss.job set created_on = (select max(created_on) from waiting) + interval '1 ms'
      where id = (select id from waiting order by created_on limit 1)`);
    await server.drainJobs();
    expect(repliesTo(phone)).toEqual([
      'Added 1 photo. Reply UNDO to take it back.',
      'Took back 1 photo. It stays in your trash for 30 days.',
    ]);
    expect(await memoriesOf(owner)).toEqual([]);
  });

  it('is a caption beside a photo', async () => {
    await textAndWait({ words: 'UNDO', media: photos(1) });
    expect(await memoriesOf(owner)).toMatchObject([{ caption: 'UNDO' }]);
  });
});

describe('a pet’s name alone', () => {
  it('moves the last text’s photos to the pet, and none before them', async () => {
    const rex = await addPet(owner, { name: 'Rex' });
    const milo = await addPet(owner, { name: 'Milo' });
    await textAndWait({ words: 'Rex: first', media: photos(1) });
    await textAndWait({ words: 'last', media: photos(2) });
    await textAndWait({ words: 'milo!' });
    expect((await memoriesOf(owner)).map(({ petId }) => petId)).toEqual([milo.id, milo.id, rex.id]);
    const found = (await owner.get('/api/memories/search?q=milo')).body as Memory[];
    expect(found).toHaveLength(2);
    await textAndWait({ words: 'Milo' });
    expect(repliesTo(phone).slice(-2)).toEqual([
      'Moved 2 photos to Milo.',
      'Your last 2 photos are for Milo already.',
    ]);
  });

  it('says so when there is nothing to move, for whatever reason', async () => {
    const rex = await addPet(owner, { name: 'Rex' });
    await textAndWait({ words: 'Rex' });
    await textAndWait({ media: photos(1) });
    await textAndWait({ words: 'UNDO' });
    await textAndWait({ words: 'Rex' });
    await text({ words: 'Rex' });
    await owner.request('DELETE', `/api/pets/${rex.id}`);
    await server.drainJobs();
    const replies = repliesTo(phone);
    expect([replies[0], ...replies.slice(-2)]).toEqual([
      'There are no photos from your texts to move. Send one with "Rex: Caption".',
      'Your last photos were taken back. Send them again to add them.',
      'This pet is not in your album any more. Nothing was changed.',
    ]);
  });
});

describe('the answer', () => {
  it('needs one connection to the database and no second', async () => {
    const small = await startServer({ DATABASE_POOL_SIZE: '2' });
    await verifyNumber(twilio, await small.signUp(), phone);
    twilio.received.length = 0;
    await text({ media: photos(1) }, small);
    await small.context.db.transaction(async (tx) => {
      await tx.execute('select 1');
      await small.drainJobs();
    });
    expect(repliesTo(phone)).toEqual(['Added 1 photo. Reply UNDO to take it back.']);
  });

  it('is sent again until it is taken, and once', async () => {
    await text({ media: photos(1) });
    twilio.failNext({ status: 503 });
    await expect(server.drainJobs()).rejects.toThrow();
    await server.drainJobs();
    expect(repliesTo(phone)).toHaveLength(1);
    expect(await memoriesOf(owner)).toHaveLength(1);
  });

  it('is not sent again to a number that takes none', async () => {
    await text({ media: photos(1) });
    twilio.failNext({ status: 400, code: 21_610 });
    await server.drainJobs();
    expect(repliesTo(phone)).toEqual([]);
  });
});

describe('what is kept of a text', () => {
  it('is forgotten after 30 days; its photos stay', async () => {
    const { db, jobs } = server.context;
    await textAndWait({ media: photos(1) });
    now = new Date(now.getTime() + 31 * DAY_MS);
    await textAndWait({ words: 'Hello' });
    await db.transaction((tx) => jobs.enqueue(tx, purgeInboundMessagesJobDefinition, {}));
    await server.drainJobs();
    expect(await countMessages()).toBe(1);
    expect(await memoriesOf(owner)).toHaveLength(1);
    now = new Date(now.getTime() - 31 * DAY_MS);
  });
});
