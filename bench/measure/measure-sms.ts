import { randomBytes } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';
import { createTwilioSignature } from '../../server/platform/sms/sms-signature.ts';
import sharp from 'sharp';
import { copyOfPhoto } from '../../server/testing/photos/photos.ts';
import { loadDemoPhotos } from '../data/demo-photos.ts';
import { createAlbumClient, request } from '../environment/album-client.ts';
import { signUp } from '../environment/sign-up.ts';
import { formatRatio, markdownTable, toRatio } from '../markdown-table.ts';
import { median } from './statistics.ts';
import type { Environment } from '../environment/start-environment.ts';
import { SMS_ACCOUNT } from '../environment/fake-twilio.ts';

const PHONE = '+12065550123';
const WARM_UP_ROUNDS = 3;
const POLLING_INTERVAL_MS = 5;

/** Milliseconds of one round. */
export type SmsRound = {
  /** From the webhook's request to its response. */
  response: number;
  /** From the webhook's request to the memory in the list. */
  memory: number;
  /** A like, the app's smallest write. */
  like: number;
  /** The same photo uploaded: URL, PUT, completion. */
  upload: number;
};

/** Sends SMS with one photo, each compared to a like and an upload of the same photo. */
export async function measureSms(environment: Environment, rounds: number): Promise<SmsRound[]> {
  const { app, data, twilio } = environment;
  const owner = await signUp(app, 'sms');
  await setPhoneNumber(data.databaseUrl, owner.id);
  const [photo] = await loadDemoPhotos();
  if (!photo) throw new Error('There is no photo to send');
  const jpeg = await sharp(photo.bytes).jpeg().toBuffer();
  twilio.photo(jpeg);
  const { call, addPhoto } = createAlbumClient(app, owner.cookie);

  async function untilNewest(caption: string): Promise<void> {
    for (;;) {
      const [newest] = (await (await call('GET', '/api/memories?limit=1')).json()) as { caption: string }[];
      if (newest?.caption === caption) return;
      await delay(POLLING_INTERVAL_MS);
    }
  }

  async function round(): Promise<SmsRound> {
    const start = performance.now();
    const { id } = await addPhoto(copyOfPhoto(jpeg));
    const uploaded = performance.now();
    await call('PATCH', `/api/memories/${id}`, { isLiked: true });
    const liked = performance.now();
    // A random moment: jobs that nothing waits for are found by polling.
    await delay(Math.random() * 1000);
    const caption = randomBytes(8).toString('hex');
    const sent = performance.now();
    await deliver(environment, caption);
    const answered = performance.now();
    await untilNewest(caption);
    const memory = performance.now() - sent;
    return { response: answered - sent, memory, like: liked - uploaded, upload: uploaded - start };
  }

  for (let n = 0; n < WARM_UP_ROUNDS; n++) await round();
  const measured: SmsRound[] = [];
  for (let n = 0; n < rounds; n++) measured.push(await round());
  return measured;
}

/** Calls the webhook as Twilio does, signed for the app's base URL. */
async function deliver({ app, twilio }: Environment, caption: string): Promise<void> {
  const params = {
    Body: caption,
    From: PHONE,
    MessageSid: `MM${randomBytes(16).toString('hex')}`,
    NumMedia: '1',
    MediaContentType0: 'image/jpeg',
    MediaUrl0: `${twilio.origin}/photo`,
  };
  const url = `${app}/api/sms/incoming`;
  await request(url, {
    method: 'POST',
    headers: { 'X-Twilio-Signature': createTwilioSignature(SMS_ACCOUNT.authToken).sign({ url, params }) },
    body: new URLSearchParams(params),
  });
}

async function setPhoneNumber(databaseUrl: string, userId: string): Promise<void> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  await client.query('update users set phone_number = $2, phone_verified_at = now() where id = $1', [
    userId,
    PHONE,
  ]);
  await client.end();
}

function medianOf(rounds: SmsRound[], figure: (round: SmsRound) => number): number {
  return median(rounds.map(figure));
}

const MAX_MEMORY_RATIO = 1.5;

/** In Markdown. */
export function smsTable(rounds: SmsRound[]): string {
  const row = (
    name: string,
    maxRatio: number | null,
    sms: (round: SmsRound) => number,
    other: (round: SmsRound) => number,
  ) => {
    const ratio = toRatio(rounds.map((round) => sms(round) / other(round)));
    return [
      name,
      `${medianOf(rounds, sms).toFixed(1)} ms`,
      `${medianOf(rounds, other).toFixed(1)} ms`,
      formatRatio(ratio),
      maxRatio === null ? '' : `${maxRatio}: ${ratio.median <= maxRatio ? 'yes' : '**no**'}`,
    ];
  };
  return markdownTable(
    ['a photo by SMS', 'SMS', 'other', 'SMS / other', 'target'],
    [
      row(
        'webhook response, compared to a like',
        null,
        ({ response }) => response,
        ({ like }) => like,
      ),
      row(
        'until the memory is listed, compared to an upload',
        MAX_MEMORY_RATIO,
        ({ memory }) => memory,
        ({ upload }) => upload,
      ),
    ],
  );
}
