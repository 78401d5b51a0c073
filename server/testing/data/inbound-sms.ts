import { createHmac, randomUUID } from 'node:crypto';
import type { Overrides } from '../../app/compose.ts';
import { hashPassword } from '../../features/accounts/users/passwords/password.ts';
import { createUser, updateUser } from '../../features/accounts/users/user-queries.ts';
import { createTestClient, type TestClient, type TestResponse } from '../clients/test-client.ts';
import { TWILIO_ACCOUNT, type TestTwilioServer } from '../fakes/twilio-server.ts';
import { copyOfPhoto, makePhoto } from '../photos/photos.ts';
import { startTestServer, type TestServer } from '../test-server.ts';

export const PRODUCT_NUMBER = '+12025550100';

/**
 * A server that sends and receives SMS through this Twilio. Since texts cost money, it is not open to strangers, and its
 * accounts have a verified address.
 */
export async function startSmsServer(
  twilio: TestTwilioServer,
  { env, overrides }: { env?: NodeJS.ProcessEnv; overrides?: Overrides } = {},
): Promise<TestServer> {
  const server = await startTestServer({
    ...(overrides && { overrides }),
    env: {
      PUBLIC_URL: 'https://mems.example',
      REGISTRATION: 'invite',
      TWILIO_ACCOUNT_SID: TWILIO_ACCOUNT.sid,
      TWILIO_AUTH_TOKEN: TWILIO_ACCOUNT.authToken,
      TWILIO_PHONE_NUMBER: PRODUCT_NUMBER,
      TWILIO_API_URL: twilio.url,
      TWILIO_MEDIA_URLS: twilio.media.cdnUrl,
      PHONE_CODES_PER_ADDRESS: '1000',
      ...env,
    },
  });
  return {
    ...server,
    signUp: (name) => addOwner(server, name),
    async signUpAdmin(name) {
      const admin = await addOwner(server, name);
      await updateUser(server.context.db, admin.userId, { isAdmin: true });
      return admin;
    },
  };
}

async function addOwner(
  server: TestServer,
  username = `owner-${randomUUID().slice(0, 8)}`,
): Promise<TestClient & { userId: string }> {
  const email = `${username}@mems.example`;
  const password = 'correct horse';
  const { id: userId } = await createUser(server.context.db, {
    email,
    username,
    firstName: null,
    lastName: null,
    passwordHash: await hashPassword(server.context, password),
    emailVerifiedAt: server.context.clock.now(),
  });
  const client = server.visitor();
  const { status, text } = await client.post('/api/login', { email, password });
  if (status !== 200) throw new Error(`${username} could not sign in: ${text}`);
  return Object.assign(client, { userId });
}

/** An account with a verified phone. */
export type SmsOwner = TestClient & {
  userId: string;
  phone: string;
  /** Uploads photos to Twilio and returns their URLs. */
  photos(count: number): string[];
  /** Delivers an SMS without running its job. */
  sendSms(message: Omit<TestSms, 'from'>): Promise<TestResponse>;
  /** Delivers an SMS and runs its jobs. */
  sendSmsAndWait(message: Omit<TestSms, 'from'>): Promise<void>;
};

export async function signUpSmsOwner(server: TestServer, twilio: TestTwilioServer): Promise<SmsOwner> {
  const owner = await server.signUp();
  const phone = newNumber();
  await verifyNumber(twilio, owner, phone);
  twilio.received.length = 0;
  const photo = await makePhoto();
  const sendSms: SmsOwner['sendSms'] = (message) => postSms(server, { from: phone, ...message });
  return Object.assign(owner, {
    phone,
    photos: (count: number) =>
      Array.from({ length: count }, () => twilio.media.attach(copyOfPhoto(photo), 'image/jpeg')),
    sendSms,
    async sendSmsAndWait(message: Omit<TestSms, 'from'>) {
      const { status } = await sendSms(message);
      if (status !== 200) throw new Error(`The SMS was not accepted: ${status}`);
      await server.drainJobs();
    },
  });
}

let numbers = 0;

/** Unique in this file. */
export function newNumber(): string {
  return `+1206555${1000 + ++numbers}`;
}

/** The SMS that were sent to this number. */
export function repliesTo({ received }: TestTwilioServer, number: string): string[] {
  return received.filter(({ To }) => To === number).map(({ Body }) => Body ?? '');
}

/** Per Twilio's documentation: signs the URL, then each field's name and value, sorted by name. */
export function signAsTwilio(url: string, fields: Record<string, string>): string {
  const signed = Object.keys(fields)
    .sort()
    .reduce((text, name) => text + name + (fields[name] ?? ''), url);
  return createHmac('sha1', TWILIO_ACCOUNT.authToken).update(signed).digest('base64');
}

export type TestSms = { from: string; body?: string; media?: string[]; sid?: string };

/** The webhook's form of an SMS. */
export function toSmsForm({ from, body = '', media = [], sid = newMessageSid() }: TestSms) {
  const form: Record<string, string> = {
    AccountSid: TWILIO_ACCOUNT.sid,
    ApiVersion: '2010-04-01',
    Body: body,
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

export function newMessageSid(): string {
  return `MM${randomUUID().replaceAll('-', '')}`;
}

/** Posts a form to the webhook as Twilio does, signed for the server's public URL unless given a signature. */
export function postSmsForm(
  server: TestServer,
  form: Record<string, string>,
  { signature = signAsTwilio(incomingUrl(server), form), query = '' } = {},
): Promise<TestResponse> {
  return postForm(server.visitor(), form, signature, query);
}

/** As `postSmsForm`, signed for this address of the server. */
export function postSmsFormTo(origin: string, form: Record<string, string>): Promise<TestResponse> {
  return postForm(createTestClient(origin), form, signAsTwilio(`${origin}/api/sms/incoming`, form));
}

function postForm(client: TestClient, form: Record<string, string>, signature: string, query = '') {
  return client.request('POST', `/api/sms/incoming${query}`, {
    body: new URLSearchParams(form).toString(),
    headers: {
      'Content-Type': 'application/x-www-form-urlencoded; charset=UTF-8',
      'Sec-Fetch-Site': 'cross-site',
      ...(signature && { 'X-Twilio-Signature': signature }),
    },
  });
}

export function postSms(server: TestServer, message: TestSms): Promise<TestResponse> {
  return postSmsForm(server, toSmsForm(message));
}

export function incomingUrl({ context }: TestServer): string {
  return `${context.baseUrl.origin()}/api/sms/incoming`;
}

/** Verifies a phone number by the code in its SMS. */
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
