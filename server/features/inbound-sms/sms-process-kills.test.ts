import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import type { Memory } from '#shared/memory';
import { startAppProcess, type AppProcess } from '../../testing/app-process.ts';
import { expireClaims } from '../../testing/expire-claims.ts';
import { makePhoto } from '../../testing/photos.ts';
import { createTestClient } from '../../testing/test-client.ts';
import { createTestDatabase } from '../../testing/test-database.ts';
import { toSmsForm, signAsTwilio, verifyNumber } from '../../testing/inbound-sms.ts';
import { startTwilioServer, TWILIO_ACCOUNT, type TestTwilioServer } from '../../testing/twilio-server.ts';

const PHONE = '+12065550123';
/** Generous, for a busy machine. */
const PATIENCE_MS = 120_000;
const PATIENCE = { timeout: PATIENCE_MS, interval: 20 };

let twilio: TestTwilioServer;
let dataDir: string;
let database: Awaited<ReturnType<typeof createTestDatabase>>;
let app: AppProcess;

const start = async () => {
  app = await startAppProcess({
    DATABASE_URL: database.url,
    DATA_DIR: dataDir,
    TWILIO_ACCOUNT_SID: TWILIO_ACCOUNT.sid,
    TWILIO_AUTH_TOKEN: TWILIO_ACCOUNT.authToken,
    TWILIO_PHONE_NUMBER: '+12025550100',
    TWILIO_API_URL: twilio.url,
    TWILIO_MEDIA_URLS: twilio.media.cdnUrl,
  });
};

beforeAll(async () => {
  twilio = await startTwilioServer();
  dataDir = await mkdtemp(join(tmpdir(), 'mems-kills-'));
  database = await createTestDatabase();
  await start();
}, PATIENCE_MS);
afterAll(async () => {
  await app.kill();
  await database.drop();
  await rm(dataDir, { recursive: true, force: true });
});

async function killAndStartAgain(): Promise<void> {
  await app.kill();
  const pool = new pg.Pool({ connectionString: database.url });
  await expireClaims(pool);
  await pool.end();
  await start();
}

async function bring(media: string[]): Promise<void> {
  const form = toSmsForm({ from: PHONE, media });
  const answer = await createTestClient(app.origin).request('POST', '/api/sms/incoming', {
    body: new URLSearchParams(form).toString(),
    headers: {
      'Content-Type': 'application/x-www-form-urlencoded',
      'X-Twilio-Signature': signAsTwilio(`${app.origin}/api/sms/incoming`, form),
    },
  });
  expect(answer.status).toBe(200);
}

describe('the app, killed while it downloads photos of an SMS', { timeout: 2 * PATIENCE_MS }, () => {
  it('neither loses nor duplicates a photo', async () => {
    const photo = await makePhoto();
    let cookie = '';
    const owner = () => {
      const client = createTestClient(app.origin);
      client.setCookie(cookie);
      return client;
    };
    const account = { email: 'mara@mems.example', username: 'mara', password: 'correct horse' };
    const signUp = owner();
    await signUp.post('/api/register', account);
    cookie = signUp.cookie();
    await verifyNumber(twilio, owner(), PHONE);
    twilio.received.length = 0;

    const media = [1, 2, 3].map(() => twilio.media.attach(photo, 'image/jpeg'));
    // The first two downloads succeed; the third hangs until the app is killed.
    const asTheyShould = media
      .slice(0, 2)
      .map((url) => ({ redirect: `${twilio.media.cdnUrl}/${url.slice(-34)}` }));
    twilio.media.failNext(...asTheyShould, 'silence');
    await bring(media);
    const isAtTheThird = () => twilio.media.requests.filter(({ host }) => host === 'api').length === 3;
    await vi.waitUntil(isAtTheThird, PATIENCE);
    expect((await owner().get('/api/memories')).body as Memory[]).toHaveLength(2);
    await killAndStartAgain();
    await vi.waitUntil(() => twilio.received.length === 1, PATIENCE);

    expect((await owner().get('/api/memories')).body as Memory[]).toHaveLength(3);
    expect(twilio.received.map(({ Body }) => Body)).toEqual([
      'Added 3 photos. Reply UNDO to take them back.',
    ]);
  });
});
