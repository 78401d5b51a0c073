import { randomBytes } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';
import { createTwilioSignature } from '../../server/platform/sms/sms-signature.ts';
import { makePhotos } from '../data/make-photos.ts';
import { signUp } from '../data/sign-up.ts';
import { median } from '../measure/statistics.ts';
import type { Stage } from '../stage/start-stage.ts';
import { SMS_ACCOUNT } from './provider-stand-in.ts';

const PHONE = '+12065550123';
const WARM_UP_ROUNDS = 3;
const LOOKS_AGAIN_AFTER_MS = 5;

/** Milliseconds of one round. */
export type TextRound = {
  /** From the webhook's request to its answer. */
  answer: number;
  /** From the webhook's request to the memory in the list. */
  memory: number;
  /** A like: the app's smallest write. */
  like: number;
  /** The same photo uploaded: address, PUT, completed. */
  upload: number;
};

/** One text with a photo after the other, each beside a like and an upload of the same photo. */
export async function measureTexts(stage: Stage, rounds: number): Promise<TextRound[]> {
  const { app, facts, provider } = stage;
  const owner = await signUp(app, 'texter');
  await giveNumber(facts.databaseUrl, owner.id);
  const [photo] = await makePhotos();
  if (!photo) throw new Error('There is no photo to text');
  provider.photo(photo.bytes);
  const call = (method: string, path: string, body?: object) =>
    ask(app + path, {
      method,
      headers: { Cookie: owner.cookie, 'Content-Type': 'application/json' },
      ...(body && { body: JSON.stringify(body) }),
    });

  async function upload(): Promise<string> {
    const asked = await call('POST', '/api/objects/upload', {
      contentType: 'image/jpeg',
      size: photo?.bytes.length,
    });
    const { uploadURL } = (await asked.json()) as { uploadURL: string };
    const { pathname, search } = new URL(uploadURL);
    const body = new Uint8Array(photo?.bytes ?? []);
    await ask(app + pathname + search, { method: 'PUT', headers: { 'Content-Type': 'image/jpeg' }, body });
    const completed = await call('POST', '/api/memories/complete-upload', { uploadURL });
    return ((await completed.json()) as { id: string }).id;
  }

  async function untilNewest(caption: string): Promise<void> {
    for (;;) {
      const [newest] = (await (await call('GET', '/api/memories?limit=1')).json()) as { caption: string }[];
      if (newest?.caption === caption) return;
      await delay(LOOKS_AGAIN_AFTER_MS);
    }
  }

  async function round(): Promise<TextRound> {
    const start = performance.now();
    const id = await upload();
    const uploaded = performance.now();
    await call('PATCH', `/api/memories/${id}`, { isLiked: true });
    const liked = performance.now();
    // Anywhere between two looks of the worker, as a text from outside is.
    await delay(Math.random() * 1000);
    const caption = randomBytes(8).toString('hex');
    const sent = performance.now();
    await bring(stage, caption);
    const answered = performance.now();
    await untilNewest(caption);
    const { answer, memory } = { answer: answered - sent, memory: performance.now() - sent };
    return { answer, memory, like: liked - uploaded, upload: uploaded - start };
  }

  for (let n = 0; n < WARM_UP_ROUNDS; n++) await round();
  const measured: TextRound[] = [];
  for (let n = 0; n < rounds; n++) measured.push(await round());
  return measured;
}

/** Signed for the address that the app found itself at. */
async function bring({ app, provider }: Stage, caption: string): Promise<void> {
  const params = {
    Body: caption,
    From: PHONE,
    MessageSid: `MM${randomBytes(16).toString('hex')}`,
    NumMedia: '1',
    MediaContentType0: 'image/jpeg',
    MediaUrl0: `${provider.origin}/photo`,
  };
  const url = `http://localhost:${new URL(app).port}/api/sms/incoming`;
  await ask(`${app}/api/sms/incoming`, {
    method: 'POST',
    headers: { 'X-Twilio-Signature': createTwilioSignature(SMS_ACCOUNT.authToken).sign({ url, params }) },
    body: new URLSearchParams(params),
  });
}

async function giveNumber(databaseUrl: string, userId: string): Promise<void> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  await client.query('update users set phone_number = $2, phone_verified_at = now() where id = $1', [
    userId,
    PHONE,
  ]);
  await client.end();
}

async function ask(url: string, init: RequestInit): Promise<Response> {
  const response = await fetch(url, init);
  if (!response.ok) throw new Error(`${url} answered ${response.status}: ${await response.text()}`);
  return response;
}

export function medianOf(rounds: TextRound[], figure: (round: TextRound) => number): number {
  return median(rounds.map(figure));
}
