import { mkdtemp, readdir, rm, stat } from 'node:fs/promises';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import type { HeldMessage } from '#shared/inbound-email';
import type { Memory } from '#shared/memory';
import { purgeInboundEmailsJobDefinition } from '../job-catalogue.ts';
import { createKeyedHash } from '../../platform/keyed-hash.ts';
import { startAppProcess, type AppProcess } from '../../testing/app-process.ts';
import { holdWrites, type HeldWrites, type Hold } from '../../testing/held-writes.ts';
import { inboundEmailOf } from '../../testing/mailed-photos.ts';
import { readOutbox } from '../../testing/outbox.ts';
import { makePhoto } from '../../testing/photos.ts';
import { createTestClient, type TestClient } from '../../testing/test-client.ts';
import { createTestDatabase } from '../../testing/test-database.ts';
import { createLocalMailKey, inboundSecretOf } from './local-dkim-key.ts';
import { writeSignedEmail } from './write-email.ts';

/** Nothing takes so long; a busy machine may make it seem so. */
const PATIENCE_MS = 120_000;
const PATIENCE = { timeout: PATIENCE_MS, interval: 10 };
const SESSION_SECRET = 'a session secret of more than thirty-two characters';
const CONTACT = 'ingrid@family.example';
const keyedHash = createKeyedHash(SESSION_SECRET);

/** A moment on the way of a mail with two photos, at which the app is killed. */
type Step = {
  moment: string;
  /** The write of this mail's at which the app is held then; where it is held at none, whether it is there. */
  hold?: Hold;
  isThere?: (mail: Mail) => Promise<boolean>;
  /** What brings the app there. Without it the mail was pushed long ago, and is taken up when it is its turn. */
  by?: (mail: Mail) => Promise<void>;
  isAtTheDoor?: boolean;
  isForTwo?: boolean;
  isByStranger?: boolean;
  /** What there is of its photos at that moment, and of all that comes of it in the end. */
  found: { originals: number; memories: number };
  comesTo: Outcome;
};
type Mail = { step: Step; name: string; to: string; raw: Buffer };
type Outcome = { memories: number; sentToContact: number; answers: string[]; waiting: number };

const NOTHING_YET = { originals: 0, memories: 0 };
const NOTHING = { memories: 0, sentToContact: 0, answers: [], waiting: 0 };
const ACCEPTED = { ...NOTHING, memories: 2, sentToContact: 2 };
const ADDED = { ...ACCEPTED, answers: ['2 photos added.'] };
const WAITS = { ...NOTHING, waiting: 1 };

const AT_THE_DOOR: Step[] = [
  {
    moment: 'a mail is noted and half of its bytes are written',
    isThere: isHalfWritten,
    by: (mail) => pushHalf(mail).then(() => push(mail)),
    found: NOTHING_YET,
    comesTo: ADDED,
  },
  {
    moment: 'its bytes are whole and it is not acknowledged',
    hold: onMail(`old.status = 'arriving' and new.status = 'received'`),
    by: push,
    found: NOTHING_YET,
    comesTo: ADDED,
  },
  {
    moment: 'it is acknowledged for one of two members of a family',
    hold: onMail(
      `old.status = 'arriving' and exists (select from inbound_emails where id in (MAIL) and status = 'received')`,
    ),
    by: push,
    isForTwo: true,
    found: NOTHING_YET,
    comesTo: ADDED,
  },
  {
    moment: 'it is acknowledged and who pushed it has not heard so',
    hold: { ...onMail(`old.status = 'arriving' and new.status = 'received'`), isCommitted: true },
    by: push,
    found: NOTHING_YET,
    comesTo: ADDED,
  },
];

const AT_WORK: Step[] = [
  {
    moment: 'it is acknowledged and nothing has begun with it',
    hold: onMail(`new.status = 'received' and new.tries > old.tries`),
    found: NOTHING_YET,
    comesTo: ADDED,
  },
  {
    moment: 'who sent it is known and nothing has come of it',
    hold: { ...onMail(`new.photo_count > old.photo_count`), isCommitted: true },
    found: NOTHING_YET,
    comesTo: ADDED,
  },
  {
    moment: 'its job has begun and has come to no photo',
    hold: { table: 'mailed_photos', on: 'insert', when: `new.email_id in (MAIL)` },
    found: NOTHING_YET,
    comesTo: ADDED,
  },
  {
    moment: 'a photo is claimed and has no upload',
    hold: { table: 'uploads', on: 'insert', when: `new.inbound_message_id in (MAIL)` },
    found: NOTHING_YET,
    comesTo: ADDED,
  },
  {
    moment: 'a photo is stored and is no memory',
    hold: { table: 'memories', on: 'insert', when: `new.caption = 'NAME'` },
    found: { originals: 1, memories: 0 },
    comesTo: ADDED,
  },
  {
    moment: 'one of its two photos is a memory',
    hold: {
      table: 'mailed_photos',
      on: 'insert',
      when: `new.email_id in (MAIL) and exists (select from memories where caption = 'NAME')`,
    },
    found: { originals: 1, memories: 1 },
    comesTo: ADDED,
  },
  {
    moment: 'its photos are memories and its outcome is not committed',
    hold: onMail(`old.status = 'received' and new.status = 'done'`),
    found: { originals: 2, memories: 2 },
    comesTo: ADDED,
  },
  {
    moment: 'its outcome is committed and its bytes are not cleared away',
    hold: { ...onMail(`old.status = 'received' and new.status = 'done'`), isCommitted: true },
    found: { originals: 2, memories: 2 },
    comesTo: ADDED,
  },
  {
    moment: 'it is done and its answer has not begun',
    hold: onAnswer(`new.state = 'active'`),
    found: { originals: 2, memories: 2 },
    comesTo: ADDED,
  },
  {
    moment: 'its answer is written and the job of that is not over',
    hold: onAnswer(`new.state = 'completed'`),
    found: { originals: 2, memories: 2 },
    comesTo: ADDED,
  },
  {
    moment: 'it is a stranger’s and does not wait yet',
    hold: onMail(`new.status = 'waiting'`),
    isByStranger: true,
    found: NOTHING_YET,
    comesTo: WAITS,
  },
];

const AT_ITS_OWNERS: Step[] = [
  {
    moment: 'it waits for its owner’s OK',
    isThere: isWaiting,
    isByStranger: true,
    found: NOTHING_YET,
    comesTo: WAITS,
  },
  {
    moment: 'it is accepted, its owner has not heard so, and it is not taken up',
    hold: { ...onMail(`old.status = 'waiting' and new.status = 'received'`), isCommitted: true },
    by: (mail) => decide(mail, 'accept', 202),
    isByStranger: true,
    found: NOTHING_YET,
    comesTo: ACCEPTED,
  },
  {
    moment: 'it is rejected and its bytes are not cleared away',
    hold: { ...onMail(`old.status = 'waiting' and new.status = 'rejected'`), isCommitted: true },
    by: (mail) => decide(mail, 'reject', 204),
    isByStranger: true,
    found: NOTHING_YET,
    comesTo: NOTHING,
  },
];

const STEPS = [...AT_THE_DOOR, ...AT_WORK, ...AT_ITS_OWNERS];
for (const [n, { hold }] of STEPS.entries()) if (hold) hold.when = about(nameOf(n), hold.when);

function onMail(when: string): Hold {
  return { table: 'inbound_emails', on: 'update', when: `new.id in (MAIL) and ${when}` };
}

function onAnswer(when: string): Hold {
  const isAnswer = `new.name = 'answer-email' and (new.data ->> 'emailId')::uuid in (MAIL)`;
  return { table: 'pgboss.job', on: 'update', when: `${isAnswer} and ${when}` };
}

/** The subject of a mail, the caption of its photos and, from the moment that it is noted, the sender of its envelope. */
function nameOf(n: number): string {
  return `mail-${String(n + 1).padStart(2, '0')}`;
}

function about(name: string, condition: string): string {
  return condition
    .replaceAll('MAIL', `select id from inbound_emails where envelope_sender = 'NAME@phone.example'`)
    .replaceAll('NAME', name);
}

let database: Awaited<ReturnType<typeof createTestDatabase>>;
let dataDir: string;
let pool: pg.Pool;
let held: HeldWrites;
let app: AppProcess;
let mails: Mail[];
const cookies = { mara: '', bob: '' };

beforeAll(async () => {
  database = await createTestDatabase();
  dataDir = await mkdtemp(join(tmpdir(), 'mems-kills-'));
  pool = new pg.Pool({ connectionString: database.url });
  // The database may go before its connections have ended.
  pool.on('error', () => undefined);
  held = await holdWrites(
    database.url,
    STEPS.flatMap(({ hold }) => hold ?? []),
  );
  await start();
  const addresses = [await signUp('mara'), await signUp('bob')];
  await as('mara').post('/api/contacts', { name: 'Ingrid', email: CONTACT });
  mails = await writeMails(addresses);
  // Each is taken up when the one before it is done.
  for (const step of [...AT_ITS_OWNERS, ...AT_WORK]) await push(toEmailSettings(step));
}, PATIENCE_MS);
afterAll(async () => {
  await app.kill();
  await held.close();
  await pool.end();
  await database.drop();
  await rm(dataDir, { recursive: true, force: true });
});

function toEmailSettings(step: Step): Mail {
  const mail = mails[STEPS.indexOf(step)];
  if (!mail) throw new Error('There is no mail for this step');
  return mail;
}

async function start(): Promise<void> {
  app = await startAppProcess({
    DATABASE_URL: database.url,
    DATA_DIR: dataDir,
    SESSION_SECRET,
    MAIL_GROUPING_SECONDS: '0',
    INBOUND_MAIL_ANSWERS_PER_HOUR: '100',
  });
}

function as(name: keyof typeof cookies): TestClient {
  const client = createTestClient(app.origin);
  client.setCookie(cookies[name]);
  return client;
}

/** The account's address for photos. */
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

async function writeMails(addresses: string[]): Promise<Mail[]> {
  const written: Mail[] = [];
  for (const [n, step] of STEPS.entries()) {
    const photos = [];
    for (const width of [100 + n, 200 + n]) photos.push({ name: 'a.jpg', bytes: await makePhoto({ width }) });
    const to = addresses.slice(0, step.isForTwo ? 2 : 1).join(', ');
    const from = step.isByStranger ? 'stranger@elsewhere.example' : 'mara@mems.example';
    const key = createLocalMailKey(keyedHash);
    const raw = await writeSignedEmail({ from, to, subject: nameOf(n), text: '', photos }, key);
    written.push({ step, name: nameOf(n), to, raw });
  }
  return written;
}

/** Asks until there is an answer: of the next process, where the one that was asked first is killed over it. */
async function askUntilAnswered(ask: () => Promise<{ status: number }>): Promise<number> {
  const current = app;
  try {
    return (await ask()).status;
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    await vi.waitUntil(() => app !== current, PATIENCE);
    return askUntilAnswered(ask);
  }
}

const envelopeOf = ({ name, to }: Mail) => ({
  Authorization: `Bearer ${inboundSecretOf(null, keyedHash)}`,
  'X-Original-To': to,
  'X-Envelope-From': `${name}@phone.example`,
  'Content-Type': 'message/rfc822',
});

/** As a mail server does: again, until it is acknowledged. */
async function push(mail: Mail): Promise<void> {
  const status = await askUntilAnswered(() =>
    createTestClient(app.origin).request('POST', '/api/email/incoming', {
      body: mail.raw,
      headers: envelopeOf(mail),
    }),
  );
  expect(status).toBe(202);
}

/** Ends when the app does: the other half never comes. */
async function pushHalf(mail: Mail): Promise<void> {
  const headers = { ...envelopeOf(mail), 'Content-Length': mail.raw.length };
  const half = request(new URL('/api/email/incoming', app.origin), { method: 'POST', headers });
  half.write(mail.raw.subarray(0, mail.raw.length / 2));
  await new Promise((resolve) => half.on('error', resolve));
}

async function isHalfWritten({ name, raw }: Mail): Promise<boolean> {
  const files = await readdir(join(dataDir, 'objects/tmp'));
  const sizes = await Promise.all(
    files.map(async (file) => (await stat(join(dataDir, 'objects/tmp', file))).size),
  );
  return (
    sizes.includes(Math.floor(raw.length / 2)) &&
    (await countRows(name, `inbound_emails where id in (MAIL)`)) === 1
  );
}

async function listWaiting(name: keyof typeof cookies): Promise<HeldMessage[]> {
  return (await as(name).get('/api/held-messages')).body as HeldMessage[];
}

async function isWaiting({ name }: Mail): Promise<boolean> {
  return (await listWaiting('mara')).some(({ subject }) => subject === name);
}

async function decide(mail: Mail, decision: 'accept' | 'reject', expected: number): Promise<void> {
  await vi.waitUntil(() => isWaiting(mail), PATIENCE);
  const message = (await listWaiting('mara')).find(({ subject }) => subject === mail.name);
  const status = await askUntilAnswered(() =>
    as('mara').post(`/api/held-messages/${message?.id}/${decision}`),
  );
  expect(status).toBe(expected);
}

async function countRows(name: string, query: string): Promise<number> {
  const { rows } = await pool.query<{ number: string }>(
    `select count(*) as number from ${about(name, query)}`,
  );
  return Number(rows[0]?.number);
}

async function photosOf({ name }: Mail): Promise<Step['found']> {
  const { rows } = await pool.query<{ id: string }>(
    about(name, `select id from uploads where inbound_message_id in (MAIL)`),
  );
  const stored = await listObjects('originals');
  return {
    originals: rows.filter(({ id }) => stored.includes(id)).length,
    memories: await countRows(name, `memories where caption = 'NAME'`),
  };
}

function listObjects(folder: string): Promise<string[]> {
  return readdir(join(dataDir, 'objects', folder)).catch(() => []);
}

async function killAndStartAgain(holds: Hold[]): Promise<void> {
  await app.kill();
  await held.pass(...holds);
  // At once what the queue does after two minutes.
  await pool.query(`update pgboss.job set state = 'retry', start_after = now() where state = 'active'`);
  await start();
}

/** What is left to do, without what the queue does for itself. */
const LEFT = `(
  select id from inbound_emails where status = 'received'
  union all select memory_id from deliveries where mail_id is null
  union all select id from mails where status = 'waiting'
  union all select id from pgboss.job where state < 'completed' and name not like '\\_\\_%')`;

async function untilAllIsOver(): Promise<void> {
  await vi.waitUntil(async () => (await countRows('', LEFT)) === 0, PATIENCE);
}

/** As an hour later. */
async function purge(): Promise<void> {
  await pool.query(
    `update inbound_emails set created_at = created_at - interval '1 hour' where status = 'arriving'`,
  );
  await pool.query(`insert into pgboss.job (name, data) values ($1, '{}')`, [
    purgeInboundEmailsJobDefinition.name,
  ]);
  await untilAllIsOver();
}

async function outcomeOf({ name }: Mail): Promise<Outcome> {
  const outbox = await readOutbox(dataDir);
  const captions = ((await as('mara').get('/api/memories')).body as Memory[]).map(({ caption }) => caption);
  const toContact = outbox
    .filter(({ to }) => to === CONTACT)
    .flatMap(({ text }) => text.match(/mail-\d\d/g) ?? []);
  const waiting = (await listWaiting('mara')).map(({ subject }) => subject);
  return {
    memories: captions.filter((each) => each === name).length,
    sentToContact: toContact.filter((each) => each === name).length,
    answers: outbox
      .filter(({ subject }) => subject === `Re: ${name}`)
      .map(({ text }) => text.split('\n')[0] ?? ''),
    waiting: waiting.filter((each) => each === name).length,
  };
}

/** One kill serves two mails: one that is at work, and one that is at the door or at its owner’s. */
const KILLS = AT_WORK.map((step, n) =>
  [step, [...AT_THE_DOOR, ...AT_ITS_OWNERS][n]].flatMap((each) => each ?? []),
);

describe('the app, killed on the way of a mail with two photos', { timeout: PATIENCE_MS }, () => {
  it.each(KILLS.map((steps) => ({ steps, when: steps.map(({ moment }) => moment).join('; and ') })))(
    'comes back: $when',
    async ({ steps }) => {
      const answered = steps.flatMap((step) => step.by?.(toEmailSettings(step)) ?? []);
      for (const step of steps) {
        if (step.hold) await held.reached(step.hold);
        else await vi.waitUntil(() => step.isThere?.(toEmailSettings(step)), PATIENCE);
        expect(await photosOf(toEmailSettings(step))).toEqual(step.found);
      }
      await killAndStartAgain(steps.flatMap(({ hold }) => hold ?? []));
      await Promise.all(answered);
    },
  );

  describe('in the end, and also when all mails are pushed again,', () => {
    beforeAll(async () => {
      await untilAllIsOver();
      for (const mail of mails) await push(mail);
      await untilAllIsOver();
      await purge();
    }, PATIENCE_MS);

    it.each(STEPS)(
      'has lost nothing and doubled nothing of the one that was killed when $moment',
      async (step) => {
        expect(await outcomeOf(toEmailSettings(step))).toEqual(step.comesTo);
      },
    );

    it('keeps what was mailed to the other member of the family for their OK', async () => {
      const names = mails.filter(({ step }) => step.isForTwo).map(({ name }) => name);
      expect((await listWaiting('bob')).map(({ subject }) => subject)).toEqual(names);
    });

    it('stores each photo once, and of the mails only those that wait', async () => {
      const { rows } = await pool.query<{ id: string }>(
        'select split_part(object_key, $1, 2) as id from images',
        ['/'],
      );
      expect(rows).toHaveLength(STEPS.reduce((sum, { comesTo }) => sum + comesTo.memories, 0));
      expect((await listObjects('originals')).sort()).toEqual(rows.map(({ id }) => id).sort());
      const waiting = [...(await listWaiting('mara')), ...(await listWaiting('bob'))].map(({ id }) => id);
      expect((await listObjects('inbound-mail')).sort()).toEqual(waiting.sort());
      expect([await listObjects('tmp'), await listObjects('uploads')]).toEqual([[], []]);
    });

    it('has no row of which nothing will come', async () => {
      expect(await countRows('', `inbound_emails where status in ('arriving', 'received')`)).toBe(0);
      expect(await countRows('', `inbound_emails where is_stored and status <> 'waiting'`)).toBe(0);
      expect(await countRows('', `inbound_messages where status <> 'done'`)).toBe(0);
      expect(await countRows('', `uploads where status <> 'completed'`)).toBe(0);
    });
  });
});
