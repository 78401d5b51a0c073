import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import type { Memory } from '#shared/album/memory';
import { postSmsFormTo, PRODUCT_NUMBER, toSmsForm, verifyNumber } from '../../testing/data/inbound-sms.ts';
import {
  startTwilioServer,
  TWILIO_ACCOUNT,
  type TestTwilioServer,
} from '../../testing/fakes/twilio-server.ts';
import { createInstallation, type Installation } from '../../testing/faults/installation.ts';
import { copyOfPhoto, makePhoto } from '../../testing/photos/photos.ts';

const PHONE = '+12065550123';
/** Generous, for a busy machine. */
const PATIENCE_MS = 120_000;
const PATIENCE = { timeout: PATIENCE_MS, interval: 20 };

let twilio: TestTwilioServer;
let installation: Installation;

beforeAll(async () => {
  twilio = await startTwilioServer();
  installation = await createInstallation({
    TWILIO_ACCOUNT_SID: TWILIO_ACCOUNT.sid,
    TWILIO_AUTH_TOKEN: TWILIO_ACCOUNT.authToken,
    TWILIO_PHONE_NUMBER: PRODUCT_NUMBER,
    TWILIO_API_URL: twilio.url,
    TWILIO_MEDIA_URLS: twilio.media.cdnUrl,
  });
  await installation.start();
}, PATIENCE_MS);
afterAll(() => installation.remove());

async function bring(media: string[]): Promise<void> {
  const form = toSmsForm({ from: PHONE, media });
  const { status } = await installation.untilResponse((origin) => postSmsFormTo(origin, form));
  expect(status).toBe(200);
}

describe('the app, killed while it downloads photos of an SMS', { timeout: 2 * PATIENCE_MS }, () => {
  it('neither loses nor duplicates a photo', async () => {
    const photo = await makePhoto();
    const owner = installation.client();
    await owner.post('/api/register', {
      email: 'mara@mems.example',
      username: 'mara',
      password: 'correct horse',
    });
    await verifyNumber(twilio, owner, PHONE);
    twilio.received.length = 0;

    const media = [1, 2, 3].map(() => twilio.media.attach(copyOfPhoto(photo), 'image/jpeg'));
    // The first two downloads succeed; the third hangs until the app is killed.
    const asTheyShould = media
      .slice(0, 2)
      .map((url) => ({ redirect: `${twilio.media.cdnUrl}/${url.slice(-34)}` }));
    twilio.media.failNext(...asTheyShould, 'silence');
    await bring(media);
    const isAtTheThird = () => twilio.media.requests.filter(({ host }) => host === 'api').length === 3;
    await vi.waitUntil(isAtTheThird, PATIENCE);
    expect((await owner.get('/api/memories')).body as Memory[]).toHaveLength(2);
    await installation.killAndRestart();
    await vi.waitUntil(() => twilio.received.length === 1, PATIENCE);

    expect((await owner.get('/api/memories')).body as Memory[]).toHaveLength(3);
    expect(twilio.received.map(({ Body }) => Body)).toEqual([
      'Added 3 photos. Reply UNDO to take them back.',
    ]);
  });
});
