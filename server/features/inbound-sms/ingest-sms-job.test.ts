import { beforeEach, describe, expect, it } from 'vitest';
import { inboundMessages } from '../../platform/db/schema/transfers/inbound-sms.ts';
import { memoriesOf } from '../../testing/clients/album.ts';
import { addContact, addPet } from '../../testing/data/factories.ts';
import { readOutbox } from '../../testing/clients/dev-outbox.ts';
import { displayP3Heic } from '../../testing/photos/heif-photos.ts';
import { makePhoto } from '../../testing/photos/photos.ts';
import {
  newMessageSid,
  newNumber,
  postSmsForm,
  postSms,
  toSmsForm,
  repliesTo,
  signUpSmsOwner,
  startSmsServer,
  verifyNumber,
  type SmsOwner,
} from '../../testing/data/inbound-sms.ts';
import { startTwilioServer, TWILIO_ACCOUNT } from '../../testing/fakes/twilio-server.ts';
import { ingestSmsJob } from './ingest-sms-job.ts';
import { purgeInboundMessagesJob } from './purge-inbound-messages-job.ts';

const DAY_MS = 24 * 60 * 60 * 1000;

let owner: SmsOwner;
let now = new Date('2026-06-01T03:00:00Z');

const twilio = await startTwilioServer();
const server = await startSmsServer(twilio, { overrides: { clock: { now: () => now } } });
beforeEach(async () => {
  owner = await signUpSmsOwner(server, twilio);
});

/** Sends parts with their own types, as carriers declare them and as Twilio serves them. */
async function sendParts(
  body: string,
  parts: [content: string | Buffer, type: string, downloadedType?: string][],
): Promise<void> {
  const media = parts.map(([content, type, downloadedType = type]) =>
    twilio.media.attach(Buffer.from(content), downloadedType),
  );
  const types: Record<string, string> = {};
  for (const [index, [, type]] of parts.entries()) types[`MediaContentType${index}`] = type;
  await postSmsForm(server, {
    ...toSmsForm({ from: owner.phone, body, media }),
    ...types,
  });
  await server.drainJobs();
}

describe('a photo sent by SMS', () => {
  it('becomes a memory of the named pet, is sent to contacts and is answered once', async () => {
    await addContact(owner);
    await addPet(owner, { name: 'Milo' });
    const rex = await addPet(owner, { name: 'Réx' });
    const photo = await makePhoto();
    const media = [twilio.media.attach(photo, 'image/jpeg')];
    const response = await owner.sendSms({ body: 'rex: At the beach', media });
    expect([response.status, response.headers.get('Content-Type'), response.text]).toEqual([
      200,
      'text/xml; charset=utf-8',
      '<?xml version="1.0" encoding="UTF-8"?><Response/>',
    ]);
    await server.drainJobs();
    const [memory] = await memoriesOf(owner);
    expect(memory).toMatchObject({ petId: rex.id, caption: 'At the beach', source: 'mms', memoryDate: null });
    expect((await owner.get(memory?.imageUrl ?? '')).bytes).toEqual(photo);
    expect(repliesTo(twilio, owner.phone)).toEqual(['Added 1 photo for Réx. Reply UNDO to take it back.']);
    expect((await readOutbox(server.dataDir)).map(({ to }) => to)).toContain('ingrid@family.example');
  });

  it('becomes one memory with one reply if delivered three times concurrently', async () => {
    const form = toSmsForm({ from: owner.phone, media: owner.photos(1) });
    const responses = await Promise.all([1, 2, 3].map(() => postSmsForm(server, form)));
    expect(responses.map(({ status }) => status)).toEqual([200, 200, 200]);
    await server.drainJobs();
    await postSmsForm(server, form);
    await server.drainJobs();
    expect(await memoriesOf(owner)).toHaveLength(1);
    expect(repliesTo(twilio, owner.phone)).toHaveLength(1);
  });

  it('has no caption if the body is a pet’s name, and the whole body as caption if it names none', async () => {
    const rex = await addPet(owner, { name: 'Rex' });
    await addPet(owner, { name: 'Milo' });
    await owner.sendSmsAndWait({ body: ' REX ', media: owner.photos(1) });
    const long = 'Note: ' + 'שלום 🐕 '.repeat(200);
    await owner.sendSmsAndWait({ body: long, media: owner.photos(2) });
    const [second, first, named] = await memoriesOf(owner);
    expect(named).toMatchObject({ petId: rex.id, caption: null });
    for (const memory of [first, second]) expect(memory).toMatchObject({ petId: null, caption: long.trim() });
    expect(repliesTo(twilio, owner.phone)[1]).toBe(
      "Added 2 photos. Reply with a pet's name to say who it is, or UNDO to take them back.",
    );
  });

  it('is assigned to the only pet', async () => {
    const rex = await addPet(owner, { name: 'Rex' });
    await owner.sendSmsAndWait({ media: owner.photos(1) });
    expect(await memoriesOf(owner)).toMatchObject([{ petId: rex.id, caption: null }]);
  });

  it('gets the current day in its owner’s last time zone', async () => {
    await owner.get('/api/user', { 'X-Time-Zone': 'America/Los_Angeles' });
    await owner.sendSmsAndWait({ media: owner.photos(1) });
    const taken = (await owner.get('/api/memories/months?order=taken')).body as { month: string }[];
    expect(taken.map(({ month }) => month)).toEqual(['2026-05']);
  });

  it('is added with nine others, including a HEIC', async () => {
    const heic = await displayP3Heic();
    await owner.sendSmsAndWait({ media: [...owner.photos(9), twilio.media.attach(heic, 'image/heic')] });
    expect(await memoriesOf(owner)).toHaveLength(10);
    expect(repliesTo(twilio, owner.phone)).toEqual(['Added 10 photos. Reply UNDO to take them back.']);
  });

  it('is added although others are invalid, too large, gone, at a foreign host or too many', async () => {
    const media = [
      twilio.media.attach(Buffer.from('no photo at all'), 'image/jpeg'),
      twilio.media.attach(Buffer.alloc(10 * 1024 ** 2 + 1), 'image/jpeg'),
      `${twilio.url}/2010-04-01/Accounts/${TWILIO_ACCOUNT.sid}/Messages/MM1/Media/ME1`,
      'http://169.254.169.254/latest/meta-data',
      twilio.media.attach(Buffer.from('a film'), 'video/mp4'),
      ...owner.photos(6),
    ];
    await owner.sendSmsAndWait({ media });
    expect(await memoriesOf(owner)).toHaveLength(5);
    const [reply = '', ...others] = repliesTo(twilio, owner.phone);
    expect(others).toEqual([]);
    expect(reply).toBe(
      'Added 5 of 11 photos. The others: ' +
        'This file is not a photo we can read. Please use a JPEG, PNG, WebP, AVIF, GIF or HEIC picture. ' +
        'This photo is larger than 10 MB. ' +
        '2 photos could not be fetched. Please send them again. ' +
        'Videos cannot be added, only photos. ' +
        'One text adds at most 10 photos. ' +
        'Reply UNDO to take them back.',
    );
  });

  it('may come with parts that a phone adds, of which the reply says nothing', async () => {
    await sendParts('In the snow', [
      ['<smil/>', 'application/smil'],
      [await makePhoto(), 'image/jpeg'],
      ['BEGIN:VCARD', 'text/x-vCard'],
      ['BEGIN:VCARD', 'text/vcard; charset=utf-8'],
      ['BEGIN:VCALENDAR', 'text/calendar'],
      ['#!AMR', 'audio/amr'],
      ['another text', 'text/plain'],
    ]);
    expect(await memoriesOf(owner)).toMatchObject([{ caption: 'In the snow' }]);
    expect(repliesTo(twilio, owner.phone)).toEqual(['Added 1 photo. Reply UNDO to take it back.']);
  });

  it('may come with parts that only the download tells from photos', async () => {
    const photo = await makePhoto();
    await sendParts('In the snow', [
      ['<smil/>', 'image/jpeg', 'application/smil'],
      [photo, 'image/jpeg', 'text/plain'],
      ['BEGIN:VCARD', '', 'text/x-vcard'],
      ['#!AMR', 'application/octet-stream', 'audio/amr'],
      ['Bye', 'image/png', 'text/plain; charset=utf-8'],
    ]);
    expect(await memoriesOf(owner)).toMatchObject([{ caption: 'In the snow' }]);
    expect(repliesTo(twilio, owner.phone)).toEqual(['Added 1 photo. Reply UNDO to take it back.']);
  });

  it('is missed if only parts came that the download tells from photos', async () => {
    await sendParts('', [['<smil/>', 'image/jpeg', 'application/smil']]);
    expect(repliesTo(twilio, owner.phone)).toEqual([
      expect.stringMatching(/^There is no photo in this text/),
    ]);
  });

  it('gets its caption and pet from a text beside it if the message has no body', async () => {
    const rex = await addPet(owner, { name: 'Réx' });
    await addPet(owner, { name: 'Milo' });
    await sendParts(' ', [
      ['Rex: first snow\r\n', 'text/plain; charset=utf-8'],
      [await makePhoto(), 'image/jpeg'],
      [await makePhoto(), 'image/jpeg'],
    ]);
    for (const memory of await memoriesOf(owner))
      expect(memory).toMatchObject({ petId: rex.id, caption: 'first snow' });
    expect(repliesTo(twilio, owner.phone)).toEqual(['Added 2 photos for Réx. Reply UNDO to take them back.']);
  });

  it('is added without a caption if the text beside it is gone', async () => {
    const gone = `${twilio.url}/2010-04-01/Accounts/${TWILIO_ACCOUNT.sid}/Messages/MM1/Media/ME1`;
    const form = toSmsForm({ from: owner.phone, media: [...owner.photos(1), gone] });
    await postSmsForm(server, { ...form, MediaContentType1: 'text/plain' });
    await server.drainJobs();
    expect(await memoriesOf(owner)).toMatchObject([{ caption: null }]);
    expect(repliesTo(twilio, owner.phone)).toEqual(['Added 1 photo. Reply UNDO to take it back.']);
  });

  it('is missed if only parts that a phone adds came', async () => {
    await sendParts('', [['BEGIN:VCARD', 'text/x-vcard']]);
    expect(repliesTo(twilio, owner.phone)).toEqual([
      expect.stringMatching(/^There is no photo in this text/),
    ]);
  });

  it('is rejected with a message if it is a video or the album is full', async () => {
    await owner.sendSmsAndWait({ media: [twilio.media.attach(Buffer.from('a film'), 'video/mp4')] });
    expect(repliesTo(twilio, owner.phone)).toEqual([
      'Your photo was not added. Videos cannot be added, only photos.',
    ]);
    const full = await startSmsServer(twilio, { env: { STORAGE_LIMIT_GB: '0.0000001' } });
    await verifyNumber(twilio, await full.signUp(), owner.phone);
    await postSms(full, { from: owner.phone, media: owner.photos(1) });
    await full.drainJobs();
    expect(repliesTo(twilio, owner.phone).at(-1)).toMatch(/^Your photo was not added\. Your album is full/);
  });

  it('is added without its pet if that was deleted before', async () => {
    const rex = await addPet(owner, { name: 'Rex' });
    await addPet(owner, { name: 'Milo' });
    await owner.sendSms({ body: 'Rex: the last one', media: owner.photos(1) });
    await owner.request('DELETE', `/api/pets/${rex.id}`);
    await server.drainJobs();
    expect(await memoriesOf(owner)).toMatchObject([{ petId: null, caption: 'the last one' }]);
  });

  it('is retried while it cannot be fetched, and added once', async () => {
    await owner.sendSms({ media: owner.photos(3) });
    twilio.media.failNext({ status: 503 }, 'cut', { status: 429 });
    await expect(server.drainJobs()).rejects.toThrow();
    expect(await memoriesOf(owner)).toHaveLength(0);
    twilio.media.failNext({ status: 500 });
    await expect(server.drainJobs()).rejects.toThrow();
    expect(await memoriesOf(owner)).toHaveLength(2);
    expect(repliesTo(twilio, owner.phone)).toEqual([]);
    await server.drainJobs();
    expect(await memoriesOf(owner)).toHaveLength(3);
    expect(repliesTo(twilio, owner.phone)).toEqual(['Added 3 photos. Reply UNDO to take them back.']);
  });

  it('is given up after the last attempt, with a reply', async () => {
    await owner.sendSms({ media: owner.photos(2) });
    for (let attempt = 1; attempt < 10; attempt++) {
      twilio.media.failNext({ status: 503 }, { status: 503 });
      await expect(server.drainJobs()).rejects.toThrow();
    }
    twilio.media.failNext({ status: 503 });
    await server.drainJobs();
    expect(await memoriesOf(owner)).toHaveLength(1);
    expect(repliesTo(twilio, owner.phone)).toEqual([
      'Added 1 of 2 photos. The other: Something went wrong on our side. Please send it again. Reply UNDO to take it back.',
    ]);
  });

  it('becomes one memory if its job runs again, later or concurrently', async () => {
    const { db, jobs } = server.context;
    await owner.sendSms({ media: owner.photos(2) });
    const messages = await db.select().from(inboundMessages);
    const messageId = messages.find(({ sender }) => sender === owner.phone)?.id ?? '';
    const again = () =>
      db.transaction((tx) => jobs.enqueue(tx, ingestSmsJob, { ownerId: owner.userId, messageId }));
    await again();
    await Promise.all([server.drainJobs(), server.drainJobs(), server.drainJobs()]);
    await again();
    await server.drainJobs();
    expect(await memoriesOf(owner)).toHaveLength(2);
    expect(repliesTo(twilio, owner.phone)).toHaveLength(1);
  });
});

describe('a phone number', () => {
  it('adds photos to its own account only', async () => {
    const other = await server.signUp();
    const otherPhone = newNumber();
    await verifyNumber(twilio, other, otherPhone);
    await addPet(other, { name: 'Rex' });
    await owner.sendSmsAndWait({ body: 'Rex: mine', media: owner.photos(1) });
    expect(await memoriesOf(other)).toEqual([]);
    expect(await memoriesOf(owner)).toMatchObject([{ caption: 'Rex: mine', petId: null }]);
  });

  it('adds later photos to its new account after a move, and leaves earlier ones', async () => {
    const sid = newMessageSid();
    const media = owner.photos(1);
    await owner.sendSms({ media, sid, body: 'before' });
    const next = await server.signUp();
    await verifyNumber(twilio, next, owner.phone);
    await owner.sendSms({ media, sid, body: 'before' });
    await server.drainJobs();
    expect((await memoriesOf(owner)).map(({ caption }) => caption)).toEqual(['before']);
    expect(await memoriesOf(next)).toEqual([]);
    await owner.sendSmsAndWait({ body: 'UNDO' });
    expect(repliesTo(twilio, owner.phone).at(-1)).toBe('There are no photos from your texts to take back.');
    await owner.sendSmsAndWait({ media: owner.photos(1), body: 'after' });
    expect((await memoriesOf(next)).map(({ caption }) => caption)).toEqual(['after']);
    expect(await memoriesOf(owner)).toHaveLength(1);
  });

  it('is unknown after its removal', async () => {
    await owner.request('DELETE', '/api/sms/number');
    await owner.sendSmsAndWait({ media: owner.photos(1) });
    expect(await memoriesOf(owner)).toEqual([]);
    expect(repliesTo(twilio, owner.phone)[0]).toMatch(/^We do not know this number yet\./);
  });
});

describe('a stored SMS', () => {
  it('is deleted after 30 days, without its photos', async () => {
    const { db, jobs } = server.context;
    await owner.sendSmsAndWait({ media: owner.photos(1) });
    now = new Date(now.getTime() + 31 * DAY_MS);
    await owner.sendSmsAndWait({ body: 'Hello' });
    await db.transaction((tx) => jobs.enqueue(tx, purgeInboundMessagesJob, {}));
    await server.drainJobs();
    expect(await server.context.db.$count(inboundMessages)).toBe(1);
    expect(await memoriesOf(owner)).toHaveLength(1);
    now = new Date(now.getTime() - 31 * DAY_MS);
  });
});
