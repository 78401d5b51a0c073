import PostalMime, { type Email } from 'postal-mime';
import sharp from 'sharp';
import { beforeEach, describe, expect, it } from 'vitest';
import { ContactList } from '#shared/album/contact';
import type { TestClient } from '../../testing/clients/test-client.ts';
import { addContact, addMemory, addPet, deleteMemory } from '../../testing/data/factories.ts';
import { startSmtpServer } from '../../testing/fakes/smtp-server.ts';
import { colorAt, copyOfPhoto, makeHeavyPhoto, makePhoto } from '../../testing/photos/photos.ts';
import { startTestServer, type TestServer } from '../../testing/test-server.ts';
import { findImage } from '../images/image-queries.ts';
import { renderJpeg } from './compose-email.ts';
import { makeEmailsDue } from './email-queries.ts';
import { groupOverdueDeliveriesJob } from './group-overdue-deliveries-job.ts';
import { sendEmailsJob } from './send-emails-job.ts';

let now = new Date('2026-06-01T12:00:00Z');
const passMinutes = (minutes: number) => {
  now = new Date(now.getTime() + minutes * 60_000);
};

type Owner = TestClient & { userId: string };

const smtp = await startSmtpServer();
const overrides = { clock: { now: () => now } };
const env = {
  SMTP_URL: smtp.url,
  PUBLIC_URL: 'https://mems.example',
  MAIL_FROM: 'album@mems.example',
  UPLOADS_PER_MINUTE: '1000',
  CONTACTS_PER_DAY: '1000',
  MAILS_PER_HOUR: '10',
};
/** Sends each photo in its own email. */
const single = await startTestServer({ overrides, env: { ...env, MAIL_GROUPING_SECONDS: '0' } });
/** Groups photos into one email. */
const grouping = await startTestServer({ overrides, env });

beforeEach(() => {
  smtp.received.length = 0;
});

/** A user with a verified address, and with contacts who have got their welcome email. */
async function signUp(server: TestServer, ...names: string[]): Promise<Owner> {
  const owner = await server.signUp();
  await server.context.db.execute(`update users set email_verified_at = now(), first_name = 'Mara'
    where id = '${owner.userId}'`);
  for (const name of names) await addContact(owner, { name, email: `${name.toLowerCase()}@family.example` });
  await server.drainJobs();
  smtp.received.length = 0;
  return owner;
}

/** Runs the job that cron enqueues every minute. */
async function sendDueEmails(server: TestServer): Promise<void> {
  const { db, jobs } = server.context;
  await db.transaction((tx) => jobs.enqueue(tx, sendEmailsJob, {}));
  await server.drainJobs();
}

async function received(): Promise<(Email & { recipient: string | undefined })[]> {
  const emails = await Promise.all(
    smtp.received.map(async ({ mime, to }) => ({ ...(await PostalMime.parse(mime)), recipient: to[0] })),
  );
  // Without the emails to users themselves.
  return emails.filter(({ recipient }) => !recipient?.endsWith('@mems.example'));
}
const subjects = async () => (await received()).map(({ subject }) => subject);
const recipients = async () => (await received()).map(({ recipient }) => recipient).sort();

describe('a new memory', () => {
  it('is emailed to each active contact once', async () => {
    const owner = await signUp(single, 'Ingrid', 'Jo', 'Kim');
    const [kim] = ContactList.parse((await owner.get('/api/contacts')).body);
    await owner.request('PATCH', `/api/contacts/${kim?.id}`, { json: { isActive: false } });
    const pet = await addPet(owner, { name: 'Rex' });
    await addMemory(owner, { petId: pet.id, caption: 'First snow' });
    await single.drainJobs();
    await sendDueEmails(single);
    expect(await recipients()).toEqual(['ingrid@family.example', 'jo@family.example']);
    expect(await subjects()).toEqual(Array(2).fill('Mara has shared a new photo of Rex'));
    const [email] = await received();
    expect(email?.from).toMatchObject({ name: 'Mara via Mems Are Forever', address: 'album@mems.example' });
    expect(email?.replyTo).toMatchObject([
      { name: 'Mara', address: expect.stringMatching(/^person\d+@mems\.example$/) as string },
    ]);
    expect(email?.attachments).toMatchObject([{ mimeType: 'image/jpeg', disposition: 'inline' }]);
    expect(email?.html).toContain('First snow');
  });

  it("has a subject without a pet's name when it has no pet", async () => {
    const owner = await signUp(single, 'Ingrid');
    await addMemory(owner);
    await single.drainJobs();
    expect(await subjects()).toEqual(['Mara has shared a new photo']);
  });
});

describe('photos added within the grouping time', () => {
  it('share one email per contact, fixed before it is sent', async () => {
    const owner = await signUp(grouping, 'Ingrid', 'Jo');
    const captions = ['One', 'Two', 'Three'];
    for (const caption of captions) await addMemory(owner, { caption });
    await grouping.drainJobs();
    expect(await subjects()).toEqual(Array(2).fill('Mara has shared 3 new photos'));
    const [email] = await received();
    expect(email?.attachments).toHaveLength(3);
    const positions = captions.map((caption) => email?.html?.indexOf(`>${caption}<`) ?? -1);
    expect(positions).toEqual([...positions].sort((a, b) => a - b));
    await addMemory(owner, { caption: 'Four' });
    await grouping.drainJobs();
    expect((await subjects()).slice(2)).toEqual(Array(2).fill('Mara has shared a new photo'));
  });

  it('are split into several emails beyond 24', async () => {
    const owner = await signUp(grouping, 'Ingrid');
    const photo = await makePhoto();
    for (let n = 0; n < 26; n++) await addMemory(owner, { caption: `Photo ${n}`, photo: copyOfPhoto(photo) });
    await grouping.drainJobs();
    expect(await subjects()).toEqual(['Mara has shared 24 new photos', 'Mara has shared 2 new photos']);
  });
});

describe('a photo in an email', () => {
  it('is a JPEG of at most 1600 px without metadata, and smaller when many share the 5 MB', async () => {
    const owner = await signUp(single, 'Ingrid');
    const { imageUrl } = await addMemory(owner, { photo: await makeHeavyPhoto(1800, 1000) });
    await single.drainJobs();
    const [{ mime = '' } = {}] = smtp.received;
    expect(mime.length).toBeGreaterThan(500_000);
    expect(mime.length).toBeLessThan(5_000_000);
    const [email] = await received();
    const picture = Buffer.from(email?.attachments[0]?.content as ArrayBuffer);
    const { format, width, height, exif, icc, xmp } = await sharp(picture).metadata();
    expect({ format, width, height, exif, xmp, icc }).toEqual({ format: 'jpeg', width: 1600, height: 889 });
    expect(picture.includes('TestCamera')).toBe(false);

    const image = await findImage(single.context.db, owner.userId, imageUrl.replace('/objects/', ''));
    const share = await renderJpeg(single.context, { image: image! }, 140_000);
    expect(share.content.length).toBeLessThan(140_000);
    const { width: sharedWidth, height: sharedHeight } = await sharp(share.content).metadata();
    expect([sharedWidth, sharedHeight]).toEqual([share.width, share.height]);
  });

  it.each([
    ['a turned WebP', () => makePhoto({ format: 'webp', orientation: 6 })],
    ['a turned PNG', () => makePhoto({ format: 'png', orientation: 8 })],
    ['a turned JPEG', () => makePhoto({ orientation: 3 })],
    ['a moving WebP', () => makeMoving('webp')],
    ['a moving GIF', () => makeMoving('gif')],
  ])('is upright and still: %s', async (_, make) => {
    const owner = await signUp(single, 'Ingrid');
    await addMemory(owner, { photo: await make() });
    await single.drainJobs();
    const [email] = await received();
    const picture = Buffer.from(email?.attachments[0]?.content as ArrayBuffer);
    const { format, width, height, pages } = await sharp(picture).metadata();
    expect({ format, width, height, pages }).toEqual({ format: 'jpeg', width: 60, height: 90 });
    expect([await colorAt(picture, 0.5, 0.1), await colorAt(picture, 0.5, 0.9)]).toEqual(['red', 'blue']);
  });
});

describe('the day in an email', () => {
  it('is the day in the owner’s time zone on which the photo was added', async () => {
    now = new Date('2027-03-01T13:30:00Z');
    const owner = await signUp(single, 'Ingrid');
    await owner.get('/api/user', { 'X-Time-Zone': 'Pacific/Auckland' });
    await addMemory(owner);
    await addMemory(owner, { memoryDate: '2019-12-31T23:30' });
    await single.drainJobs();
    const texts = (await received()).map(({ text = '' }) => /\w+day, .*\d/.exec(text)?.[0]);
    expect(texts).toEqual(['Tuesday, March 2, 2027', 'Tuesday, December 31, 2019']);
  });
});

describe('an email that a mail server rejects', () => {
  it('is retried after a 4xx with the same Message-ID, and before later emails', async () => {
    const owner = await signUp(single, 'Ingrid');
    smtp.rejectNext('421 Come back later');
    await addMemory(owner, { caption: 'First' });
    await single.drainJobs();
    await addMemory(owner, { caption: 'Second' });
    await single.drainJobs();
    expect(await subjects()).toEqual([]);
    passMinutes(2);
    await sendDueEmails(single);
    const emails = await received();
    expect(emails.map(({ html }) => /First|Second/.exec(html ?? '')?.[0])).toEqual(['First', 'Second']);
    expect(new Set(emails.map(({ messageId }) => messageId)).size).toBe(2);
  });

  it('is retried for 44 hours of greylisting', async () => {
    const owner = await signUp(single, 'Ingrid');
    const inAnHour = async () => {
      passMinutes(60);
      await sendDueEmails(single);
    };
    await addMemory(owner);
    smtp.rejectNext(...Array<string>(40).fill('451 Greylisted'));
    await single.drainJobs();
    for (let hour = 0; hour < 43; hour++) await inAnHour();
    smtp.acceptAll();
    for (let hour = 43; hour < 48; hour++) await inAnHour();
    expect(await subjects()).toEqual(['Mara has shared a new photo']);
  });

  it('fails after two days', async () => {
    const owner = await signUp(single, 'Ingrid');
    await addMemory(owner);
    smtp.rejectNext(...Array<string>(40).fill('451 Not now'));
    await single.drainJobs();
    for (let hour = 0; hour < 60; hour++) {
      passMinutes(60);
      await sendDueEmails(single);
    }
    smtp.acceptAll();
    passMinutes(600);
    await sendDueEmails(single);
    expect(await subjects()).toEqual([]);
  });

  it('is retried after a policy rejection, which does not mark the contact', async () => {
    const owner = await signUp(single, 'Ingrid');
    smtp.rejectNext('554 5.7.1 Relay access denied', '550 5.4.5 Quota exceeded');
    await addMemory(owner);
    await single.drainJobs();
    passMinutes(2);
    await sendDueEmails(single);
    const [contact] = ContactList.parse((await owner.get('/api/contacts')).body);
    expect(contact?.status).toBe('ok');
    passMinutes(10);
    await sendDueEmails(single);
    expect(await subjects()).toEqual(['Mara has shared a new photo']);
  });

  it('fails when the recipient is rejected, and marks the contact until it is switched on again', async () => {
    const owner = await signUp(single, 'Ingrid');
    const contact = async () => ContactList.parse((await owner.get('/api/contacts')).body)[0];
    smtp.rejectNext('550 No such person');
    await addMemory(owner);
    await single.drainJobs();
    passMinutes(600);
    await sendDueEmails(single);
    await addMemory(owner);
    await single.drainJobs();
    expect(await subjects()).toEqual([]);
    const { id, status } = (await contact()) ?? {};
    expect(status).toBe('undeliverable');
    await owner.request('PATCH', `/api/contacts/${id}`, { json: { isActive: true } });
    expect((await contact())?.status).toBe('ok');
    await addMemory(owner);
    await single.drainJobs();
    expect(await subjects()).toHaveLength(1);
  });
});

describe('a change before an email is sent', () => {
  it('applies: no email with a deleted photo, or to a contact who is inactive, removed or unsubscribed', async () => {
    const owner = await signUp(single, 'Ingrid', 'Jo', 'Kim', 'Lou');
    await addMemory(owner);
    await single.drainJobs();
    const ofLou = (await received()).find(({ recipient }) => recipient === 'lou@family.example');
    const stopLou = /\/unsubscribe\/[\w-]+/.exec(ofLou?.text ?? '')?.[0] ?? '';
    smtp.received.length = 0;
    const [, kim, jo] = ContactList.parse((await owner.get('/api/contacts')).body);
    const { id } = await addMemory(owner, { caption: 'Deleted' });
    await addMemory(owner, { caption: 'Kept' });
    await deleteMemory(owner, id);
    await owner.request('PATCH', `/api/contacts/${kim?.id}`, { json: { isActive: false } });
    await owner.request('DELETE', `/api/contacts/${jo?.id}`);
    expect((await single.visitor().post(stopLou)).status).toBe(200);
    await single.drainJobs();
    const emails = await received();
    expect(emails.map(({ recipient, html }) => [recipient, /Deleted|Kept/.exec(html ?? '')?.[0]])).toEqual([
      ['ingrid@family.example', 'Kept'],
    ]);
  });

  it('sends a restored photo once to each contact who has not received it', async () => {
    const owner = await signUp(grouping, 'Ingrid');
    const { id } = await addMemory(owner, { caption: 'Gone and back' });
    await addMemory(owner, { caption: 'Kept' });
    await deleteMemory(owner, id);
    await grouping.drainJobs();
    expect(await subjects()).toEqual(['Mara has shared a new photo']);
    for (const _twice of [1, 2]) {
      await owner.post(`/api/memories/${id}/restore`);
      await grouping.drainJobs();
      await deleteMemory(owner, id);
    }
    const emails = await received();
    expect(emails.map(({ html }) => /Gone and back|Kept/.exec(html ?? '')?.[0])).toEqual([
      'Kept',
      'Gone and back',
    ]);
  });

  it('removes a deleted photo from a delayed email, and sends it in another after a restore', async () => {
    const owner = await signUp(grouping, 'Ingrid');
    const { id } = await addMemory(owner, { caption: 'Gone and back' });
    await addMemory(owner, { caption: 'Kept' });
    smtp.rejectNext('421 Come back later');
    await grouping.drainJobs();
    await deleteMemory(owner, id);
    passMinutes(2);
    await sendDueEmails(grouping);
    await owner.post(`/api/memories/${id}/restore`);
    await grouping.drainJobs();
    const emails = await received();
    expect(emails.map(({ html }) => /Gone and back|Kept/.exec(html ?? '')?.[0])).toEqual([
      'Kept',
      'Gone and back',
    ]);
    expect(emails[0]?.messageId).not.toBe(emails[1]?.messageId);
  });
});

describe('an email beyond a limit', () => {
  it('waits until the owner’s address is verified', async () => {
    const owner = await single.signUp();
    await addContact(owner);
    await addMemory(owner);
    await single.drainJobs();
    passMinutes(3000);
    await sendDueEmails(single);
    expect(await subjects()).toEqual([]);
    const { db } = single.context;
    await db.execute(`update users set email_verified_at = now() where id = '${owner.userId}'`);
    await db.transaction((tx) => makeEmailsDue(tx, owner.userId, now));
    await sendDueEmails(single);
    expect(await subjects()).toHaveLength(2);
  });

  it('waits until the owner’s hourly limit allows it, without delaying other owners', async () => {
    const owner = await signUp(single, 'Ingrid');
    const other = await signUp(single, 'Jo');
    for (let n = 0; n < 11; n++) await addMemory(owner);
    await addMemory(other);
    await single.drainJobs();
    // Ingrid's welcome email counts too.
    expect(await recipients()).toEqual([
      ...Array<string>(9).fill('ingrid@family.example'),
      'jo@family.example',
    ]);
    passMinutes(61);
    await sendDueEmails(single);
    expect(await recipients()).toHaveLength(12);
  });
});

describe('a weekly digest', () => {
  it('is sent when its oldest photo has waited for a week', async () => {
    const owner = await signUp(single, 'Ingrid');
    await single.context.db.execute(
      `update contacts set frequency = 'weekly' where owner_id = '${owner.userId}'`,
    );
    const groupOverdue = async () => {
      const { db, jobs } = single.context;
      await db.transaction((tx) => jobs.enqueue(tx, groupOverdueDeliveriesJob, {}));
      await single.drainJobs();
    };
    await addMemory(owner);
    passMinutes(6 * 24 * 60);
    await addMemory(owner);
    await single.drainJobs();
    await groupOverdue();
    expect(await subjects()).toEqual([]);
    passMinutes(24 * 60);
    await groupOverdue();
    await groupOverdue();
    expect(await subjects()).toEqual(['Mara has shared 2 new photos']);
  });
});

describe('a new contact', () => {
  it('gets one welcome email, also when added again', async () => {
    const owner = await signUp(single);
    const { id } = await addContact(owner);
    await addMemory(owner);
    await single.drainJobs();
    expect(await subjects()).toEqual(['Mara added you', 'Mara has shared a new photo']);
    await owner.request('DELETE', `/api/contacts/${id}`);
    await addContact(owner);
    await single.drainJobs();
    expect(await subjects()).toHaveLength(2);
  });
});

describe('names and captions', () => {
  it('inject no headers, HTML or links', async () => {
    const owner = await signUp(single, 'Ingrid');
    const evil = 'Mara" <x@evil.example>\\r\\nBcc: all@evil.example';
    await single.context.db.execute(`update users set first_name = E'${evil}' where id = '${owner.userId}'`);
    const caption = '<script>alert(1)</script> https://evil.example/ www.evil.example "x"';
    const pet = await addPet(owner, { name: '<b>Rex</b> evil.example' });
    await addMemory(owner, { caption, petId: pet.id });
    await single.drainJobs();
    const [{ mime = '' } = {}] = smtp.received;
    const [email] = await received();
    expect(mime.slice(0, mime.indexOf('\r\n\r\n'))).not.toMatch(/^(bcc|cc):/im);
    expect(email?.from?.address).toBe('album@mems.example');
    expect(email?.html).not.toMatch(/<script|<b>Rex/);
    for (const body of [email?.html, email?.text, email?.subject, email?.from?.name]) {
      expect(body).not.toMatch(/evil\.example|https:\/\/evil/);
    }
    expect(email?.text).toContain('alert(1)');
  });
});

/** First upright, red above and blue below, then all blue. */
async function makeMoving(format: 'webp' | 'gif'): Promise<Buffer> {
  const { data, info } = await sharp(await makePhoto({ format: 'png' }))
    .removeAlpha()
    .raw()
    .toBuffer({ resolveWithObject: true });
  const blue = Buffer.alloc(data.length, Buffer.from([30, 30, 200]));
  const raw = { width: info.width, height: 2 * info.height, channels: 3 as const, pageHeight: info.height };
  return sharp(Buffer.concat([data, blue]), { raw })
    .toFormat(format, { loop: 0, delay: [50, 50] })
    .toBuffer();
}
