import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { inspect } from 'node:util';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { SmsRejectedError, SmsUnavailableError, type Sms, type SmsSender } from './sms-sender.ts';
import { startTwilioServer, TWILIO_ACCOUNT } from '../../testing/fakes/twilio-server.ts';
import { createDevOutboxSms } from './dev-outbox-sms.ts';
import { createTwilioSms } from './twilio-sms.ts';

const FROM = '+12025550100';
const server = await startTwilioServer();
const folder = await mkdtemp(join(tmpdir(), 'mems-texts-'));
afterAll(() => rm(folder, { recursive: true }));
beforeEach(() => {
  server.received.length = 0;
});

const config = {
  kind: 'twilio' as const,
  accountSid: TWILIO_ACCOUNT.sid,
  authToken: TWILIO_ACCOUNT.authToken,
  messagingServiceSid: null,
  apiUrl: server.url,
};
const overTwilio = createTwilioSms(config, FROM);
const outbox = createDevOutboxSms(folder, FROM);

let texts = 0;
const aText = (changes: Partial<Sms> = {}): Sms => ({
  id: `text-${++texts}`,
  to: '+12065550123',
  text: '123456 is your code',
  ...changes,
});

type Arrived = { from: string; to: string; text: string };
const adapters: Record<string, { sender: SmsSender; read: (id: string) => Promise<Arrived> }> = {
  'over Twilio': {
    sender: overTwilio,
    read: () => {
      const { From = '', To = '', Body = '' } = server.received.at(-1) ?? {};
      return Promise.resolve({ from: From, to: To, text: Body });
    },
  },
  'the outbox': {
    sender: outbox,
    read: async (id) => JSON.parse(await readFile(join(folder, `${id}.sms.json`), 'utf8')) as Arrived,
  },
};

describe.each(Object.entries(adapters))('a text, %s', (_name, { sender, read }) => {
  it.each(['123456 is your code', 'Räx & Mo = 2 photos + 1%\nאלבום 🐕 "added"'])(
    'arrives whole, from the product’s number: %s',
    async (text) => {
      const sms = aText({ text });
      await sender.send(sms);
      expect(await read(sms.id)).toEqual({ from: FROM, to: sms.to, text });
    },
  );
});

describe('over Twilio', () => {
  it('uses the messaging service if there is one', async () => {
    const messagingServiceSid = `MG${'0'.repeat(32)}`;
    await createTwilioSms({ ...config, messagingServiceSid }, FROM).send(aText());
    expect(server.received).toMatchObject([{ MessagingServiceSid: messagingServiceSid }]);
    expect(server.received[0]).not.toHaveProperty('From');
  });

  it.each([21_211, 21_214, 21_217, 21_614, 21_635, 30_006])(
    'is rejected for what is wrong with the number (%i)',
    async (code) => {
      server.failNext({ status: 400, code });
      await expect(overTwilio.send(aText())).rejects.toMatchObject({
        name: SmsRejectedError.name,
        reason: 'unreachable',
      });
    },
  );

  it.each([
    [400, 21_408, /messaging geo permissions/],
    [400, 21_606, /cannot send texts to this destination/],
    [400, 21_612, /another kind of sender/],
    [403, 20_005, /403 20005/],
    // One that Twilio adds.
    [400, 29_999, /400 29999/],
  ])('never blames the number for a setting of ours (%i %i)', async (status, code, message) => {
    server.failNext({ status, code });
    const error: unknown = await overTwilio.send(aText()).catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ name: SmsUnavailableError.name, isMisconfigured: true });
    expect(String(error)).toMatch(message);
  });

  it.each([
    [429, '40', 40],
    [503, '7', 7],
    [503, undefined, null],
    [429, 'soon', null],
    [429, 'Sun, 06 Nov 1994 08:49:37 GMT', 0],
    [429, '99999999', 24 * 60 * 60],
  ])('passes on how long to wait (%i, Retry-After: %s)', async (status, retryAfter, retryAfterSeconds) => {
    server.failNext({ status, ...(retryAfter && { retryAfter }) });
    await expect(overTwilio.send(aText())).rejects.toMatchObject({
      retryAfterSeconds,
      isMisconfigured: false,
    });
  });

  it('is rejected permanently after the recipient’s STOP', async () => {
    server.failNext({ status: 400, code: 21_610 });
    await expect(overTwilio.send(aText())).rejects.toMatchObject({ reason: 'opted-out' });
  });

  it.each([
    ['too many at once', { status: 429, code: 20_429 }],
    ['a fault of Twilio’s', { status: 503, code: 20_503 }],
    ['a fault without a word of JSON', { status: 502, body: '<html>Bad Gateway</html>' }],
    ['a redirect', { status: 302, body: '' }],
    ['a connection that breaks', 'cut'],
  ] as const)('is not taken this time: %s', async (_name, fault) => {
    server.failNext(fault);
    await expect(overTwilio.send(aText())).rejects.toThrow(SmsUnavailableError);
    await overTwilio.send(aText());
    expect(server.received).toHaveLength(1);
  });

  // After 400 ms; the library alone would read for 20 seconds.
  it('has a timeout for the whole response', { timeout: 15_000 }, async () => {
    const impatient = createTwilioSms(config, FROM, { timeoutMs: 200 });
    server.failNext('silence', 'endless');
    await expect(impatient.send(aText())).rejects.toThrow(SmsUnavailableError);
    await expect(impatient.send(aText())).rejects.toThrow(SmsUnavailableError);
  });

  it('reports a wrong auth token, but contains neither the token nor the text', async () => {
    const stranger = createTwilioSms({ ...config, authToken: 'wrong-password' }, FROM);
    const nowhere = createTwilioSms({ ...config, apiUrl: 'http://127.0.0.1:1' }, FROM);
    for (const sender of [stranger, nowhere]) {
      const error: unknown = await sender.send(aText()).catch((thrown: unknown) => thrown);
      expect(error).toBeInstanceOf(SmsUnavailableError);
      expect(inspect(error, { depth: Infinity, showHidden: true })).not.toMatch(/password|123456|Basic/);
    }
    expect(server.received).toEqual([]);
  });
});

describe('the dev outbox', () => {
  it('writes an SMS once for repeated and concurrent calls', async () => {
    const sms = aText();
    await outbox.send(sms);
    await Promise.all([1, 2, 3].map((n) => outbox.send({ ...sms, text: `Again ${n}` })));
    const files = (await readdir(folder)).filter((name) => name.startsWith(sms.id));
    expect(files).toEqual([`${sms.id}.sms.json`]);
    expect(await readFile(join(folder, files[0] ?? ''), 'utf8')).toContain(sms.text);
  });
});
