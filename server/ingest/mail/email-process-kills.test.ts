import { randomInt } from 'node:crypto';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { createKeyedHash } from '../../keyed-hash.ts';
import { bundleApp, startAppProcess, type AppProcess } from '../../testing/app-process.ts';
import { inboundEmailOf } from '../../testing/mailed-photos.ts';
import { readOutbox } from '../../testing/outbox.ts';
import { makePhoto } from '../../testing/photos.ts';
import { createTestClient } from '../../testing/test-client.ts';
import { createTestDatabase } from '../../testing/test-database.ts';
import { createLocalMailKey, inboundSecretOf } from './local-mail-key.ts';
import { writeSignedEmail } from './write-email.ts';

const MAILS = 6;
const PHOTOS_EACH = 2;
const KILLS = 3;
const LONGEST_MOMENT_MS = 60;
/** Nothing takes so long; a busy machine may make it seem so. */
const PATIENCE_MS = 120_000;
const PATIENCE = { timeout: PATIENCE_MS, interval: 10 };
const SESSION_SECRET = 'a session secret of more than thirty-two characters';
const FROM = 'mara@mems.example';
const keyedHash = createKeyedHash(SESSION_SECRET);

/** To repeat a run that failed, put its moments here: after how many things that have happened each kill comes. */
const MOMENTS = Array.from({ length: KILLS }, (_, n) => {
  const each = Math.floor((MAILS * (1 + PHOTOS_EACH)) / KILLS);
  return n * each + randomInt(each);
});

let database: Awaited<ReturnType<typeof createTestDatabase>>;
let dataDir: string;
let pool: pg.Pool;
let app: AppProcess;

const start = async () => {
  app = await startAppProcess({
    DATABASE_URL: database.url,
    DATA_DIR: dataDir,
    SESSION_SECRET,
    INBOUND_MAIL_ANSWERS_PER_HOUR: '100',
  });
};

beforeAll(async () => {
  database = await createTestDatabase();
  dataDir = await mkdtemp(join(tmpdir(), 'mems-kills-'));
  pool = new pg.Pool({ connectionString: database.url });
  // The database may go before its connections have ended.
  pool.on('error', () => undefined);
  await bundleApp();
  await start();
}, PATIENCE_MS);
afterAll(async () => {
  await app.kill();
  await pool.end();
  await database.drop();
  await rm(dataDir, { recursive: true, force: true });
});

async function numberOf(query: string): Promise<number> {
  const { rows } = await pool.query<{ number: string }>(`select count(*) as number from ${query}`);
  return Number(rows[0]?.number);
}

let acknowledged = 0;

/** As a mail server does: what was not acknowledged is pushed again, once the app is back. */
async function push(to: string, raw: Buffer): Promise<void> {
  const current = app;
  try {
    const { status, text } = await createTestClient(current.origin).request('POST', '/api/email/incoming', {
      body: raw,
      headers: {
        Authorization: `Bearer ${inboundSecretOf(null, keyedHash)}`,
        'X-Original-To': to,
        'Content-Type': 'message/rfc822',
      },
    });
    if (status !== 202) throw new Error(`The mail was not taken: ${status} ${text}`);
    acknowledged++;
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    await vi.waitUntil(() => app !== current, PATIENCE);
    await push(to, raw);
  }
}

async function killAgainAndAgain(): Promise<void> {
  for (const moment of MOMENTS) {
    await vi.waitUntil(async () => acknowledged + (await numberOf('memories')) >= moment, PATIENCE);
    await delay(randomInt(LONGEST_MOMENT_MS));
    await app.kill();
    // At once what the queue does after two minutes.
    await pool.query(`update pgboss.job set state = 'retry', start_after = now() where state = 'active'`);
    await start();
  }
}

describe('the app, killed while photos come in by mail', { timeout: 2 * PATIENCE_MS }, () => {
  it('loses no mail that it has acknowledged, and adds and answers none twice', async ({ onTestFailed }) => {
    onTestFailed(() => console.error(`The kills came after ${MOMENTS.join(', ')} things`));
    const owner = createTestClient(app.origin);
    await owner.post('/api/register', { email: FROM, username: 'mara', password: 'correct horse' });
    const to = await inboundEmailOf(owner);
    let width = 60;
    const mails: Buffer[] = [];
    for (let n = 0; n < MAILS; n++) {
      const photos = [];
      while (photos.length < PHOTOS_EACH)
        photos.push({ name: 'a.jpg', bytes: await makePhoto({ width: width++ }) });
      const mail = { from: FROM, to, subject: `Mail ${n}`, text: '', photos };
      mails.push(await writeSignedEmail(mail, createLocalMailKey(keyedHash)));
    }
    const sendAll = async () => {
      for (const raw of mails) await push(to, raw);
    };
    await Promise.all([sendAll(), killAgainAndAgain()]);
    const isOver = async () =>
      (await numberOf(`inbound_emails where status = 'received'`)) === 0 &&
      (await numberOf(
        `pgboss.job where name in ('answer-email', 'ingest-emails') and state < 'completed'`,
      )) === 0;
    await vi.waitUntil(isOver, PATIENCE);

    const { rows } = await pool.query<{ caption: string }>('select caption from memories order by caption');
    const each = mails.flatMap((_, n) => Array<string>(PHOTOS_EACH).fill(`Mail ${n}`));
    expect(rows.map(({ caption }) => caption)).toEqual(each);
    const answers = (await readOutbox(dataDir))
      .map(({ subject }) => subject)
      .filter((each) => each.startsWith('Re:'));
    expect(answers.sort()).toEqual(mails.map((_, n) => `Re: Mail ${n}`));
    // What was not acknowledged is cleared away later: nothing is kept that no row tells of.
    const kept = await readdir(join(dataDir, 'objects', 'inbound-mail'));
    const told = await pool.query<{ id: string }>('select id from inbound_emails where is_stored');
    expect(told.rows.map(({ id }) => id)).toEqual(expect.arrayContaining(kept));
  });
});
