import twilio from 'twilio';
import type { Config } from '../config/config.ts';
import { SmsRefusedError, SmsUnavailableError, type SmsSender } from './sms-sender.ts';
import { explainTwilioFailure } from './twilio-errors.ts';

type TwilioConfig = Omit<Extract<Config['sms']['transport'], { kind: 'twilio' }>, 'mediaUrls'>;

/** Somebody waits for the answer. */
const TIMEOUT_MS = 10_000;
const ANSWER_MAX_BYTES = 64 * 1024;

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

/**
 * Ends in time and reads no endless answer: the library's own waits between two bytes, however many. And it throws what
 * is no success itself: the library's error has no headers, and so no Retry-After.
 */
function boundedHttpClient(timeoutMs: number) {
  const client = new twilio.RequestClient({ timeout: timeoutMs });
  client.axios.defaults.maxContentLength = ANSWER_MAX_BYTES;
  client.axios.interceptors.request.use((request) => ({
    ...request,
    signal: AbortSignal.timeout(timeoutMs),
  }));
  client.axios.interceptors.response.use((response) => {
    const { status, headers } = response;
    const body: unknown = response.data;
    if (status < 200 || status >= 300) throw explainTwilioFailure({ status, body, headers });
    return response;
  });
  return client;
}

/** In words of ours: the library's errors carry the request, with the account's password and the code that was sent. */
function explain(error: unknown): SmsRefusedError | SmsUnavailableError {
  if (error instanceof SmsRefusedError || error instanceof SmsUnavailableError) return error;
  const { code, name } = error as { code?: unknown; name?: unknown };
  return new SmsUnavailableError(`Twilio did not answer: ${String(code ?? name)}`);
}
