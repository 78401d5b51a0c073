import { mkdtemp, readdir, rm, stat } from 'node:fs/promises';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type pg from 'pg';
import { afterAll, beforeAll, beforeEach, describe, expect, inject, it, vi } from 'vitest';
import type { HeldMessage } from '#shared/transfers/inbound-email';
import type { Memory } from '#shared/album/memory';
import { purgeInboundEmailsJob } from '../purge-inbound-emails-job.ts';
import { createKeyedHash } from '../../../platform/security/keyed-hash.ts';
import { startAppProcess, type AppProcess } from '../../../testing/environment/app-process.ts';
import { expireClaims } from '../../../testing/timing/expire-claims.ts';
import { holdWrite, type Moment } from '../../../testing/timing/held-write.ts';
import { inboundEmailOf } from '../../../testing/data/inbound-email.ts';
import { readOutbox } from '../../../testing/clients/dev-outbox.ts';
import { makePhoto } from '../../../testing/photos/photos.ts';
import { createTestClient, type TestClient } from '../../../testing/clients/test-client.ts';
import { createTestDatabase } from '../../../testing/environment/test-database.ts';
import { openTestPool } from '../../../testing/environment/test-pool.ts';
import { createLocalDkimKey, inboundEmailSecret } from '../local-dkim-key.ts';
import { writeSignedEmail } from '../write-test-email.ts';

/** Far longer than needed: a busy machine is slow. */
const TIMEOUT_MS = 300_000;
const PATIENCE = { timeout: 60_000, interval: 30 };
const SESSION_SECRET = 'a session secret of more than thirty-two characters';
const CONTACT = 'ingrid@family.example';
const OWNER = 'mara@mems.example';
const STRANGER = 'stranger@elsewhere.example';
const keyedHash = createKeyedHash(SESSION_SECRET);

/** An email with two photos. Its subject becomes their caption, and is part of its envelope's sender. */
type Email = { subject: string; to: string; raw: Buffer };
type Outcome = { memories: number; sentToContact: number; replies: string[]; held: number };

const NOTHING: Outcome = { memories: 0, sentToContact: 0, replies: [], held: 0 };
const ACCEPTED = { ...NOTHING, memories: 2, sentToContact: 2 };
const ADDED = { ...ACCEPTED, replies: ['2 photos added.'] };
const HELD = { ...NOTHING, held: 1 };

let database: Awaited<ReturnType<typeof createTestDatabase>>;
let dataDir: string;
let pool: pg.Pool;
let app: AppProcess;
let maras: string;
let bobs: string;
const cookies = { mara: '', bob: '' };
let emailsWritten = 0;
let objectsBefore: string[];

beforeAll(async () => {
  database = await createTestDatabase();
  dataDir = await mkdtemp(join(tmpdir(), 'mems-kills-'));
  pool = openTestPool(database.url);
  await start();
  [maras, bobs] = [await signUp('mara'), await signUp('bob')];
  await as('mara').post('/api/contacts', { name: 'Ingrid', email: CONTACT });
}, TIMEOUT_MS);
beforeEach(async () => {
  objectsBefore = await listObjects();
});
afterAll(async () => {
  await app.kill();
  await pool.end();
  await database.drop();
  await rm(dataDir, { recursive: true, force: true });
});

describe('an email with two photos, when the app is killed', { timeout: TIMEOUT_MS }, () => {
  it('while half of its bytes are stored', async () => {
    const email = await writeEmail(OWNER);
    const found = await killAt(
      () => isHalfStored(email),
      email,
      () => pushHalf(email).then(() => push(email)),
    );
    expect(found).toEqual({ originals: 0, memories: 0 });
    await expectOutcome(email, ADDED);
  });

  it('once it is acknowledged for one of two recipients', async () => {
    const email = await writeEmail(OWNER, [maras, bobs]);
    const isFirstReceived = `exists (select from inbound_emails where id in (${idsOf(email)}) and status = 'received')`;
    const found = await killAt(onEmail(email, `old.status = 'arriving' and ${isFirstReceived}`), email, () =>
      push(email),
    );
    expect(found).toEqual({ originals: 0, memories: 0 });
    await expectOutcome(email, ADDED);
    expect((await listHeld('bob')).map(({ subject }) => subject)).toEqual([email.subject]);
  });

  it('once one of its two photos is a memory', async () => {
    const email = await writeEmail(OWNER);
    const isOneAdded = `exists (select from memories where caption = '${email.subject}')`;
    const when = `new.email_id in (${idsOf(email)}) and ${isOneAdded}`;
    const found = await killAt({ table: 'email_photos', on: 'insert', when }, email, () => push(email));
    expect(found).toEqual({ originals: 1, memories: 1 });
    await expectOutcome(email, ADDED);
  });

  it('while its answer is sent, which is taken over within a minute', async () => {
    const email = await writeEmail(OWNER);
    const sending = onReply(email, `new.state = 'completed'`);
    await killAt(sending, email, () => push(email), passThirtySeconds);
    await expectOutcome(email, ADDED);
  });

  it('before it is held, from a stranger', async () => {
    const email = await writeEmail(STRANGER);
    const found = await killAt(onEmail(email, `new.status = 'waiting'`), email, () => push(email));
    expect(found).toEqual({ originals: 0, memories: 0 });
    await expectOutcome(email, HELD);
  });

  it('once it is accepted, before its owner learns of that', async () => {
    const email = await writeEmail(STRANGER);
    await push(email);
    const accepted = onEmail(email, `old.status = 'waiting' and new.status = 'received'`);
    const found = await killAt({ ...accepted, isCommitted: true }, email, () => decide(email, 'accept', 202));
    expect(found).toEqual({ originals: 0, memories: 0 });
    await expectOutcome(email, ACCEPTED);
  });
});

// The other steps of an email.
if (inject('faults').isLong)
  describe('an email with two photos, when the app is killed (long round)', { timeout: TIMEOUT_MS }, () => {
    it('before it is acknowledged', async () => {
      const email = await writeEmail(OWNER);
      const found = await killAt(
        onEmail(email, `old.status = 'arriving' and new.status = 'received'`),
        email,
        () => push(email),
      );
      expect(found).toEqual({ originals: 0, memories: 0 });
      await expectOutcome(email, ADDED);
    });

    it('once it is acknowledged, before its sender learns of that', async () => {
      const email = await writeEmail(OWNER);
      const received = onEmail(email, `old.status = 'arriving' and new.status = 'received'`);
      const found = await killAt({ ...received, isCommitted: true }, email, () => push(email));
      expect(found).toEqual({ originals: 0, memories: 0 });
      await expectOutcome(email, ADDED);
    });

    it('before its job does anything', async () => {
      const email = await writeEmail(OWNER);
      const begun = onEmail(email, `new.status = 'received' and new.attempts > old.attempts`);
      const found = await killAt(begun, email, () => push(email));
      expect(found).toEqual({ originals: 0, memories: 0 });
      await expectOutcome(email, ADDED);
    });

    it('once a photo is claimed, before it has an upload', async () => {
      const email = await writeEmail(OWNER);
      const when = `new.inbound_message_id in (${idsOf(email)})`;
      const found = await killAt({ table: 'uploads', on: 'insert', when }, email, () => push(email));
      expect(found).toEqual({ originals: 0, memories: 0 });
      await expectOutcome(email, ADDED);
    });

    it('once a photo is stored, before it is a memory', async () => {
      const email = await writeEmail(OWNER);
      const when = `new.caption = '${email.subject}'`;
      const found = await killAt({ table: 'memories', on: 'insert', when }, email, () => push(email));
      expect(found).toEqual({ originals: 1, memories: 0 });
      await expectOutcome(email, ADDED);
    });

    it('once it is done, before its bytes are deleted', async () => {
      const email = await writeEmail(OWNER);
      const done = onEmail(email, `old.status = 'received' and new.status = 'done'`);
      const found = await killAt({ ...done, isCommitted: true }, email, () => push(email));
      expect(found).toEqual({ originals: 2, memories: 2 });
      await expectOutcome(email, ADDED);
    });

    it('once its answer is written, before the job of that is completed', async () => {
      const email = await writeEmail(OWNER);
      const found = await killAt(onReply(email, `new.state = 'completed'`), email, () => push(email));
      expect(found).toEqual({ originals: 2, memories: 2 });
      await expectOutcome(email, ADDED);
    });

    it('while a link for a forgotten password is sent, which is taken over within a minute', async () => {
      const email = await writeEmail(OWNER);
      const when = `new.name = 'send-account-email' and new.state = 'completed'`;
      const ask = async () => {
        const forget = () => createTestClient(app.origin).post('/api/password/forgot', { email: OWNER });
        expect(await askUntilResponse(forget)).toBe(202);
      };
      await killAt({ table: 'pgboss.job', on: 'update', when }, email, ask, passThirtySeconds);
      await untilIdle();
      expect(
        (await readOutbox(dataDir)).filter(
          ({ to, text }) => to === OWNER && text.includes('/reset-password#'),
        ),
      ).toHaveLength(1);
    });

    it('once it is rejected, before its bytes are deleted', async () => {
      const email = await writeEmail(STRANGER);
      await push(email);
      const rejected = onEmail(email, `old.status = 'waiting' and new.status = 'rejected'`);
      const found = await killAt({ ...rejected, isCommitted: true }, email, () =>
        decide(email, 'reject', 204),
      );
      expect(found).toEqual({ originals: 0, memories: 0 });
      await expectOutcome(email, NOTHING);
    });

    it('once its sender is known', async () => {
      const email = await writeEmail(OWNER);
      const parsed = onEmail(email, `new.photo_count > old.photo_count`);
      const found = await killAt({ ...parsed, isCommitted: true }, email, () => push(email));
      expect(found).toEqual({ originals: 0, memories: 0 });
      await expectOutcome(email, ADDED);
    });

    it('before its first photo is claimed', async () => {
      const email = await writeEmail(OWNER);
      const claim = {
        table: 'email_photos',
        on: 'insert',
        when: `new.email_id in (${idsOf(email)})`,
      } as const;
      expect(await killAt(claim, email, () => push(email))).toEqual({ originals: 0, memories: 0 });
      await expectOutcome(email, ADDED);
    });

    it('once its photos are memories, before that is committed', async () => {
      const email = await writeEmail(OWNER);
      const done = onEmail(email, `old.status = 'received' and new.status = 'done'`);
      expect(await killAt(done, email, () => push(email))).toEqual({ originals: 2, memories: 2 });
      await expectOutcome(email, ADDED);
    });

    it('once it is done, before its answer is begun', async () => {
      const email = await writeEmail(OWNER);
      const found = await killAt(onReply(email, `new.state = 'active'`), email, () => push(email));
      expect(found).toEqual({ originals: 2, memories: 2 });
      await expectOutcome(email, ADDED);
    });

    it('while it is held', async () => {
      const email = await writeEmail(STRANGER);
      const found = await killAt(
        () => isHeld(email),
        email,
        () => push(email),
      );
      expect(found).toEqual({ originals: 0, memories: 0 });
      await expectOutcome(email, HELD);
    });
  });

/**
 * Kills the app at that moment of `act`, which then gets its answer from the next app.
 * @returns how many of the email's photos are stored, and how many are memories, at that moment
 */
async function killAt(
  moment: Moment | (() => Promise<boolean>),
  email: Email,
  act: () => Promise<void>,
  expire = () => expireClaims(pool),
) {
  const held = typeof moment === 'function' ? null : await holdWrite(database.url, moment);
  const acted = act();
  try {
    await (typeof moment === 'function' ? vi.waitUntil(moment, PATIENCE) : held?.reached());
    return await countPhotos(email);
  } finally {
    await app.kill();
    await held?.release();
    await expire();
    await start();
    await acted;
  }
}

/** The length of the lease of a job that sends one email. The other jobs expire. */
async function passThirtySeconds(): Promise<void> {
  const isEmail = `name in ('reply-to-email', 'send-account-email')`;
  await pool.query(
    `update pgboss.job set started_on = started_on - interval '30 seconds' where state = 'active' and ${isEmail}`,
  );
  await expireClaims(pool, `not ${isEmail}`);
}

/** Expects the outcome, and that it does not change when the email is pushed again. */
async function expectOutcome(email: Email, outcome: Outcome): Promise<void> {
  await untilIdle();
  expect(await outcomeOf(email)).toEqual(outcome);
  await push(email);
  await untilIdle();
  await purge();
  expect(await outcomeOf(email)).toEqual(outcome);
  await expectStoredOnce(email, outcome);
}

/** Expects each photo once, of the email only what is held, and no unfinished row. */
async function expectStoredOnce(email: Email, { memories }: Outcome): Promise<void> {
  const { rows: uploads } = await pool.query<{ key: string; status: string }>(
    `select 'originals/' || id as key, status from uploads where inbound_message_id in (${idsOf(email)})`,
  );
  const { rows: emails } = await pool.query<{ key: string; status: string; isStored: boolean }>(
    `select 'inbound-mail/' || id as key, status, is_stored as "isStored"
      from inbound_emails where id in (${idsOf(email)})`,
  );
  const held = emails.filter(({ status }) => status === 'waiting').map(({ key }) => key);
  const added = (await listObjects()).filter((key) => !objectsBefore.includes(key));
  expect(emails.filter(({ status }) => ['arriving', 'received'].includes(status))).toEqual([]);
  expect(emails.filter(({ isStored }) => isStored).map(({ key }) => key)).toEqual(held);
  expect(uploads.map(({ status }) => status)).toEqual(Array(memories).fill('completed'));
  expect(await countRows(`inbound_messages where status <> 'done' and id in (${idsOf(email)})`)).toBe(0);
  expect(added.filter((key) => /^(originals|inbound-mail|tmp|uploads)\//.test(key)).sort()).toEqual(
    [...uploads.map(({ key }) => key), ...held].sort(),
  );
}

function idsOf({ subject }: Email): string {
  return `select id from inbound_emails where envelope_sender = '${subject}@phone.example'`;
}

function onEmail(email: Email, when: string): Moment {
  return { table: 'inbound_emails', on: 'update', when: `new.id in (${idsOf(email)}) and ${when}` };
}

function onReply(email: Email, when: string): Moment {
  const isReply = `new.name = 'reply-to-email' and (new.data ->> 'emailId')::uuid in (${idsOf(email)})`;
  return { table: 'pgboss.job', on: 'update', when: `${isReply} and ${when}` };
}

async function start(): Promise<void> {
  app = await startAppProcess({
    DATABASE_URL: database.url,
    DATA_DIR: dataDir,
    SESSION_SECRET,
    MAIL_GROUPING_SECONDS: '0',
    INBOUND_MAIL_REPLIES_PER_HOUR: '100',
  });
}

function as(name: keyof typeof cookies): TestClient {
  const client = createTestClient(app.origin);
  client.setCookie(cookies[name]);
  return client;
}

/** @returns the account's email address for photos */
async function signUp(name: keyof typeof cookies): Promise<string> {
  const client = as(name);
  await client.post('/api/register', {
    email: `${name}@mems.example`,
    username: name,
    password: 'correct horse',
  });
  cookies[name] = client.cookie();
  return inboundEmailOf(client);
}

async function writeEmail(from: string, recipients = [maras]): Promise<Email> {
  const n = ++emailsWritten;
  const subject = `email-${String(n).padStart(2, '0')}`;
  const to = recipients.join(', ');
  // Other bytes in each email, since known ones are not added again.
  const photos = [];
  for (const width of [100 + n, 200 + n]) photos.push({ name: 'a.jpg', bytes: await makePhoto({ width }) });
  const key = createLocalDkimKey(keyedHash);
  return { subject, to, raw: await writeSignedEmail({ from, to, subject, text: '', photos }, key) };
}

/** Asks until there is an answer: the next app is asked when the first one is killed before it answers. */
async function askUntilResponse(ask: () => Promise<{ status: number }>): Promise<number> {
  const current = app;
  try {
    return (await ask()).status;
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    await vi.waitUntil(() => app !== current, PATIENCE);
    return askUntilResponse(ask);
  }
}

const envelopeOf = ({ subject, to }: Email) => ({
  Authorization: `Bearer ${inboundEmailSecret(null, keyedHash)}`,
  'X-Original-To': to,
  'X-Envelope-From': `${subject}@phone.example`,
  'Content-Type': 'message/rfc822',
});

/** Retries until acknowledged, as an email server does. */
async function push(email: Email): Promise<void> {
  const status = await askUntilResponse(() =>
    createTestClient(app.origin).request('POST', '/api/email/incoming', {
      body: email.raw,
      headers: envelopeOf(email),
    }),
  );
  expect(status).toBe(202);
}

/** Ends when the app does: the other half never comes. */
async function pushHalf(email: Email): Promise<void> {
  const headers = { ...envelopeOf(email), 'Content-Length': email.raw.length };
  const half = request(new URL('/api/email/incoming', app.origin), { method: 'POST', headers });
  half.write(email.raw.subarray(0, email.raw.length / 2));
  await new Promise((resolve) => half.on('error', resolve));
}

async function isHalfStored(email: Email): Promise<boolean> {
  const files = await readdir(join(dataDir, 'objects/tmp'));
  const sizes = await Promise.all(
    files.map(async (file) => (await stat(join(dataDir, 'objects/tmp', file))).size),
  );
  const rows = await countRows(`inbound_emails where id in (${idsOf(email)})`);
  return sizes.includes(Math.floor(email.raw.length / 2)) && rows === 1;
}

async function listHeld(name: keyof typeof cookies): Promise<HeldMessage[]> {
  return (await as(name).get('/api/held-messages')).body as HeldMessage[];
}

async function isHeld(email: Email): Promise<boolean> {
  return (await listHeld('mara')).some(({ subject }) => subject === email.subject);
}

async function decide(email: Email, decision: 'accept' | 'reject', expected: number): Promise<void> {
  await vi.waitUntil(() => isHeld(email), PATIENCE);
  const message = (await listHeld('mara')).find(({ subject }) => subject === email.subject);
  const status = await askUntilResponse(() =>
    as('mara').post(`/api/held-messages/${message?.id}/${decision}`),
  );
  expect(status).toBe(expected);
}

async function countRows(query: string): Promise<number> {
  const { rows } = await pool.query<{ number: string }>(`select count(*) as number from ${query}`);
  return Number(rows[0]?.number);
}

async function countPhotos(email: Email): Promise<{ originals: number; memories: number }> {
  const { rows } = await pool.query<{ id: string }>(
    `select id from uploads where inbound_message_id in (${idsOf(email)})`,
  );
  const stored = await listObjects();
  return {
    originals: rows.filter(({ id }) => stored.includes(`originals/${id}`)).length,
    memories: await countRows(`memories where caption = '${email.subject}'`),
  };
}

async function listObjects(): Promise<string[]> {
  return readdir(join(dataDir, 'objects'), { recursive: true }).catch(() => []);
}

/** Work that is left, without the queue's own jobs, and without those that look for emails whose lease has ended. */
const PENDING = `(
  select id from inbound_emails where status = 'received'
  union all select memory_id from deliveries where email_id is null
  union all select id from emails where status = 'waiting'
  union all select id from pgboss.job where state < 'completed' and name not like '\\_\\_%'
    and not (name = 'send-emails' and start_after > now()))`;

async function untilIdle(): Promise<void> {
  await vi.waitUntil(async () => (await countRows(PENDING)) === 0, PATIENCE);
}

/** As an hour later. */
async function purge(): Promise<void> {
  await pool.query(
    `update inbound_emails set created_at = created_at - interval '1 hour' where status = 'arriving'`,
  );
  const { name } = purgeInboundEmailsJob;
  await pool.query(`insert into pgboss.job (name, data) values ($1, '{}')`, [name]);
  // Otherwise the workers would see it at their next poll, up to a second later.
  await pool.query(`select pg_notify('jobs', $1)`, [name]);
  await untilIdle();
}

async function outcomeOf({ subject }: Email): Promise<Outcome> {
  const outbox = await readOutbox(dataDir);
  const captions = ((await as('mara').get('/api/memories')).body as Memory[]).map(({ caption }) => caption);
  const toContact = outbox
    .filter(({ to }) => to === CONTACT)
    .flatMap(({ text }) => text.match(/email-\d\d/g) ?? []);
  return {
    memories: captions.filter((each) => each === subject).length,
    sentToContact: toContact.filter((each) => each === subject).length,
    replies: outbox
      .filter((each) => each.subject === `Re: ${subject}`)
      .map(({ text }) => text.split('\n')[0] ?? ''),
    held: (await listHeld('mara')).filter((each) => each.subject === subject).length,
  };
}
