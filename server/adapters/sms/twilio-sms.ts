import twilio from 'twilio';
import type { Config } from '../../config.ts';
import { SmsRefusedError, SmsUnavailableError, type SmsSender } from '../../ports/sms-sender.ts';

type TwilioConfig = Omit<Extract<Config['sms']['transport'], { kind: 'twilio' }>, 'mediaUrls'>;

/** Somebody waits for the answer. */
const TIMEOUT_MS = 10_000;
const ANSWER_MAX_BYTES = 64 * 1024;

/** Whoever has the number has answered STOP. */
const OPTED_OUT = 21_610;
/**
 * What a 400 says about us and not about the number: sender, words, messaging service. Twilio adds codes as it goes;
 * one that is not here is taken to be about the number.
 */
const OURS = new Set([
  21_212, 21_602, 21_603, 21_605, 21_606, 21_607, 21_608, 21_617, 21_619, 21_659, 21_660, 21_701, 21_702,
  21_703,
]);

/** Through Twilio's Messages API, from the product's number or by a messaging service. */
export function createTwilioSms(
  config: TwilioConfig,
  from: string | null,
  { timeoutMs = TIMEOUT_MS } = {},
): SmsSender {
  const client = twilio(config.accountSid, config.authToken, { httpClient: boundedHttpClient(timeoutMs) });
  client.api.baseUrl = config.apiUrl;
  const sender = config.messagingServiceSid
    ? { messagingServiceSid: config.messagingServiceSid }
    : { from: from ?? '' };
  return {
    isEmbedded: false,
    async send({ to, text }) {
      try {
        await client.messages.create({ ...sender, to, body: text });
      } catch (error) {
        throw explain(error);
      }
    },
  };
}

/** The library's own waits between two bytes, however many: this one ends in time and reads no endless answer. */
function boundedHttpClient(timeoutMs: number) {
  const client = new twilio.RequestClient({ timeout: timeoutMs });
  client.axios.defaults.maxContentLength = ANSWER_MAX_BYTES;
  client.axios.interceptors.request.use((request) => ({
    ...request,
    signal: AbortSignal.timeout(timeoutMs),
  }));
  return client;
}

/** In words of ours: the library's errors carry the request, with the account's password and the code that was sent. */
function explain(error: unknown): SmsRefusedError | SmsUnavailableError {
  const { status, code, message } = error as { status?: number; code?: number | string; message?: string };
  if (status !== 400 || OURS.has(Number(code))) {
    const answer = [status, code, message].filter((part) => part !== undefined).join(' ');
    return new SmsUnavailableError(`Twilio did not take the text: ${answer}`);
  }
  return new SmsRefusedError(
    code === OPTED_OUT ? 'opted-out' : 'unreachable',
    `Twilio refused the number: ${code ?? 'without a code'}`,
  );
}
