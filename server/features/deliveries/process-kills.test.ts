import { randomInt } from 'node:crypto';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';
import { describe, it, vi, type TestContext } from 'vitest';
import type { Contact } from '#shared/contact';
import { startAppProcess, type AppProcess } from '../../testing/app-process.ts';
import { expireClaims } from '../../testing/expire-claims.ts';
import { readOutbox } from '../../testing/dev-outbox.ts';
import { makePhoto } from '../../testing/photos.ts';
import { createTestClient, type TestResponse } from '../../testing/test-client.ts';
import { createTestDatabase } from '../../testing/test-database.ts';

const MEMORIES = 25;
const AT_ONCE = 5;
const KILLS = 5;
/** An event is a response or a written email. */
const MAX_EVENTS_BETWEEN_KILLS = 30;
const MAX_KILL_DELAY_MS = 50;
/** Long enough for a busy machine. */
const PATIENCE_MS = 120_000;
const PATIENCE = { timeout: PATIENCE_MS, interval: 30 };
const NAMES = ['ingrid', 'jo', 'kim', 'lou'];
const ACTIVE = NAMES.slice(0, 3);
/** Of the client: to register, for each contact, for each photo. */
const CALLS = 1 + 2 * NAMES.length + 3 * MEMORIES;

/** To repeat a run that failed, put its seed here. */
const SEED = randomInt(2 ** 31);

describe(
  'the app, killed at five random moments while photos come in and go out',
  { timeout: 5 * PATIENCE_MS },
  () => {
    it.concurrent(
      'sends each photo in a mail of its own once to each active contact',
      async ({ expect, ...test }) => {
        const emails = await addMemoriesThroughKills(test, { MAIL_GROUPING_SECONDS: '0' }, SEED);
        expect(emails).toHaveLength(ACTIVE.length * MEMORIES);
        expect(new Set(emails.map(({ messageId }) => messageId)).size).toBe(ACTIVE.length * MEMORIES);
        expect(photosByRecipient(emails)).toEqual(eachPhotoOnce());
      },
    );

    it.concurrent(
      'groups photos into emails and sends each photo once to each active contact',
      async ({ expect, ...test }) => {
        const emails = await addMemoriesThroughKills(test, { MAIL_GROUPING_SECONDS: '2' }, SEED + 1);
        expect(emails.length).toBeLessThan(ACTIVE.length * MEMORIES);
        expect(new Set(emails.map(({ messageId }) => messageId)).size).toBe(emails.length);
        expect(photosByRecipient(emails)).toEqual(eachPhotoOnce());
      },
    );
  },
);

type Test = Pick<TestContext, 'onTestFailed' | 'onTestFinished'>;
type PhotoEmail = { messageId: string; to: string; text: string };

const captions = Array.from({ length: MEMORIES }, (_, index) => `Photo-${100 + index}`);
const eachPhotoOnce = () => new Map(ACTIVE.map((name) => [`${name}@family.example`, captions]));

function photosByRecipient(emails: PhotoEmail[]): Map<string, string[]> {
  const addresses = [...new Set(emails.map(({ to }) => to))].sort();
  return new Map(
    addresses.map((address) => {
      const texts = emails.filter(({ to }) => to === address).map(({ text }) => text);
      return [address, texts.flatMap((text) => text.match(/Photo-\d+/g) ?? []).sort()];
    }),
  );
}

/** Resolves to the photo emails in the dev-outbox at the end. */
async function addMemoriesThroughKills(
  test: Test,
  settings: Record<string, string>,
  seed: number,
): Promise<PhotoEmail[]> {
  test.onTestFailed(() => console.error(`The moments of the kills come from the seed ${seed}`));
  const random = seededRandom(seed);
  const appData = await createAppData(test, settings);
  let app = await appData.start();
  let cookie = '';
  let answered = 0;
  const outbox = join(appData.dataDir, 'outbox');

  /** Repeats a request without a response after the app restarts, as our client does. */
  async function call(method: string, path: string, body?: object | Buffer): Promise<TestResponse> {
    const current = app;
    const client = createTestClient(current.origin);
    client.setCookie(cookie);
    const options = Buffer.isBuffer(body)
      ? { body, headers: { 'Content-Type': 'image/jpeg' } }
      : { json: body };
    try {
      const answer = await client.request(method, path, options);
      if (answer.status >= 400) throw new Error(`${method} ${path}: ${answer.status} ${answer.text}`);
      cookie = client.cookie();
      answered++;
      return answer;
    } catch (error) {
      if (!(error instanceof TypeError)) throw error;
      await vi.waitUntil(() => app !== current, PATIENCE);
      return call(method, path, body);
    }
  }

  async function addMemory(caption: string): Promise<void> {
    const photo = await makePhoto();
    const asked = await call('POST', '/api/objects/upload', {
      contentType: 'image/jpeg',
      size: photo.length,
    });
    const { uploadURL } = asked.body as { uploadURL: string };
    // The port is another after each start.
    const { pathname, search } = new URL(uploadURL);
    await call('PUT', pathname + search, photo);
    await call('POST', '/api/memories/complete-upload', { uploadURL, caption });
  }

  async function addMemories(): Promise<void> {
    const waiting = [...captions];
    const lane = async () => {
      for (let caption = waiting.shift(); caption; caption = waiting.shift()) await addMemory(caption);
    };
    await Promise.all(Array.from({ length: AT_ONCE }, lane));
  }

  const countEvents = async () => answered + (await readdir(outbox).catch(() => [])).length;

  async function killAgainAndAgain(): Promise<void> {
    for (let n = 0; n < KILLS; n++) {
      const moment = (await countEvents()) + Math.floor(random() * MAX_EVENTS_BETWEEN_KILLS);
      const isOver = async () => answered === CALLS && (await appData.isAllSent());
      await vi.waitUntil(async () => (await countEvents()) >= moment || (await isOver()), PATIENCE);
      await delay(random() * MAX_KILL_DELAY_MS);
      await app.kill();
      await appData.expireClaims();
      app = await appData.start();
    }
  }

  await call('POST', '/api/register', {
    email: 'mara@mems.example',
    username: 'mara',
    password: 'correct horse',
  });
  for (const name of NAMES) {
    const added = await call('POST', '/api/contacts', { name, email: `${name}@family.example` });
    const isActive = ACTIVE.includes(name);
    await call('PATCH', `/api/contacts/${(added.body as Contact).id}`, { isActive });
  }
  await Promise.all([addMemories(), killAgainAndAgain()]);
  await vi.waitUntil(() => appData.isAllSent(), PATIENCE);
  const emails = await readOutbox(appData.dataDir);
  return emails.filter(({ subject }) => !subject.includes('added you'));
}

/** A database and a data folder that outlive the app processes. */
async function createAppData(test: Test, settings: Record<string, string>) {
  const database = await createTestDatabase();
  const dataDir = await mkdtemp(join(tmpdir(), 'mems-kills-'));
  const pool = new pg.Pool({ connectionString: database.url });
  // The database may go before its connections have ended.
  pool.on('error', () => undefined);
  let running: AppProcess | undefined;
  test.onTestFinished(async () => {
    await running?.kill();
    await pool.end();
    await database.drop();
    await rm(dataDir, { recursive: true, force: true });
  });
  return {
    dataDir,
    async start(): Promise<AppProcess> {
      running = await startAppProcess({ DATABASE_URL: database.url, DATA_DIR: dataDir, ...settings });
      return running;
    },
    expireClaims: () => expireClaims(pool),
    async isAllSent(): Promise<boolean> {
      const { rows } = await pool.query<{ waiting: number }>(`select
        (select count(*) from deliveries where mail_id is null) +
        (select count(*) from mails where status = 'waiting') as waiting`);
      return Number(rows[0]?.waiting) === 0;
    },
  };
}

/** Numbers from 0 to 1, the same ones for the same seed (mulberry32). */
function seededRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
