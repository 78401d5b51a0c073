import { createHmac, randomUUID } from 'node:crypto';
import type { Overrides } from '../app/compose.ts';
import { makePhoto } from './photos.ts';
import type { TestClient, TestResponse } from './test-client.ts';
import { startTestServer, type TestServer } from './test-server.ts';
import { TWILIO_ACCOUNT, type TestTwilioServer } from './twilio-server.ts';

export const PRODUCT_NUMBER = '+12025550100';

/** A server whose texts come and go by this Twilio. */
export function startTextedServer(
  twilio: TestTwilioServer,
  { env, overrides }: { env?: NodeJS.ProcessEnv; overrides?: Overrides } = {},
): Promise<TestServer> {
  return startTestServer({
    ...(overrides && { overrides }),
    env: {
      PUBLIC_URL: 'https://mems.example',
      TWILIO_ACCOUNT_SID: TWILIO_ACCOUNT.sid,
      TWILIO_AUTH_TOKEN: TWILIO_ACCOUNT.authToken,
      TWILIO_PHONE_NUMBER: PRODUCT_NUMBER,
      TWILIO_API_URL: twilio.url,
      TWILIO_MEDIA_URLS: twilio.media.cdnUrl,
      PHONE_CODES_PER_ADDRESS: '1000',
      ...env,
    },
  });
}

/** An account whose phone is verified, and what that phone does. */
export type Texter = TestClient & {
  userId: string;
  phone: string;
  /** So many of them, for a text that brings them. */
  photos(count: number): string[];
  /** Brought, and no more. */
  text(message: Omit<TextedMessage, 'from'>): Promise<TestResponse>;
  /** Brought, worked on and answered. */
  textAndWait(message: Omit<TextedMessage, 'from'>): Promise<void>;
};

export async function signUpTexter(server: TestServer, twilio: TestTwilioServer): Promise<Texter> {
  const owner = await server.signUp();
  const phone = aNumber();
  await verifyNumber(twilio, owner, phone);
  twilio.received.length = 0;
  const photo = await makePhoto();
  const text: Texter['text'] = (message) => bringText(server, { from: phone, ...message });
  return Object.assign(owner, {
    phone,
    photos: (count: number) => Array.from({ length: count }, () => twilio.media.attach(photo, 'image/jpeg')),
    text,
    async textAndWait(message: Omit<TextedMessage, 'from'>) {
      const { status } = await text(message);
      if (status !== 200) throw new Error(`The text was not taken: ${status}`);
      await server.drainJobs();
    },
  });
}

let numbers = 0;

/** One that no test has used. */
export function aNumber(): string {
  return `+1206555${1000 + ++numbers}`;
}

/** What this number was texted. */
export function repliesTo({ received }: TestTwilioServer, number: string): string[] {
  return received.filter(({ To }) => To === number).map(({ Body }) => Body ?? '');
}

/** What Twilio signs with, from its documentation: the address, then each field's name and value in order of the names. */
export function signAsTwilio(url: string, fields: Record<string, string>): string {
  const signed = Object.keys(fields)
    .sort()
    .reduce((text, name) => text + name + (fields[name] ?? ''), url);
  return createHmac('sha1', TWILIO_ACCOUNT.authToken).update(signed).digest('base64');
}

export type TextedMessage = { from: string; words?: string; media?: string[]; sid?: string };

/** The form of a webhook for a text that came in. */
export function formOf({ from, words = '', media = [], sid = aMessageSid() }: TextedMessage) {
  const form: Record<string, string> = {
    AccountSid: TWILIO_ACCOUNT.sid,
    ApiVersion: '2010-04-01',
    Body: words,
    From: from,
    FromCountry: 'US',
    MessageSid: sid,
    NumMedia: String(media.length),
    NumSegments: '1',
    SmsMessageSid: sid,
    SmsSid: sid,
    SmsStatus: 'received',
    To: PRODUCT_NUMBER,
  };
  for (const [index, url] of media.entries()) {
    form[`MediaUrl${index}`] = url;
    form[`MediaContentType${index}`] = 'image/jpeg';
  }
  return form;
}

export function aMessageSid(): string {
  return `MM${randomUUID().replaceAll('-', '')}`;
}

/** Brings a form to the webhook as Twilio does, signed for the server's public address unless told otherwise. */
export function bringForm(
  server: TestServer,
  form: Record<string, string>,
  { signature = signAsTwilio(incomingUrl(server), form), query = '' } = {},
): Promise<TestResponse> {
  return server.visitor().request('POST', `/api/sms/incoming${query}`, {
    body: new URLSearchParams(form).toString(),
    headers: {
      'Content-Type': 'application/x-www-form-urlencoded; charset=UTF-8',
      // No browser's.
      'Sec-Fetch-Site': 'cross-site',
      ...(signature && { 'X-Twilio-Signature': signature }),
    },
  });
}

export function bringText(server: TestServer, message: TextedMessage): Promise<TestResponse> {
  return bringForm(server, formOf(message));
}

export function incomingUrl({ context }: TestServer): string {
  return `${context.baseUrl.origin()}/api/sms/incoming`;
}

/** The account's phone, proved by the code that was texted to it. */
export async function verifyNumber(
  twilio: TestTwilioServer,
  client: TestClient,
  phoneNumber: string,
): Promise<void> {
  await client.post('/api/sms/send-verification', { phoneNumber });
  const text = twilio.received.findLast(({ To }) => To === phoneNumber)?.['Body'] ?? '';
  const verified = await client.post('/api/sms/verify', { phoneNumber, code: text.slice(0, 6) });
  if (verified.status !== 200) throw new Error(`The number was not verified: ${verified.text}`);
}
