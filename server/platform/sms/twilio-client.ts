import twilio from 'twilio';
import type { Config } from '../config/config.ts';
import { SmsRejectedError, SmsUnavailableError } from './sms-sender.ts';
import { toSmsError } from './twilio-errors.ts';

export type TwilioConfig = Omit<Extract<Config['sms']['transport'], { kind: 'twilio' }>, 'mediaUrls'>;

/** Short, since a person waits for the SMS. */
const TIMEOUT_MS = 10_000;
const RESPONSE_MAX_BYTES = 64 * 1024;

export function createTwilioClient(config: TwilioConfig, timeoutMs = TIMEOUT_MS) {
  const client = twilio(config.accountSid, config.authToken, { httpClient: boundedHttpClient(timeoutMs) });
  client.api.baseUrl = config.apiUrl;
  return client;
}

/** @throws SmsRejectedError, SmsUnavailableError */
export async function callTwilio<Result>(call: () => Promise<Result>): Promise<Result> {
  try {
    return await call();
  } catch (error) {
    throw explain(error);
  }
}

/** The library's timeout restarts with each byte, and its error has no headers and so no Retry-After. */
function boundedHttpClient(timeoutMs: number) {
  const client = new twilio.RequestClient({ timeout: timeoutMs });
  client.axios.defaults.maxContentLength = RESPONSE_MAX_BYTES;
  client.axios.interceptors.request.use((request) => ({
    ...request,
    signal: AbortSignal.timeout(timeoutMs),
  }));
  client.axios.interceptors.response.use((response) => {
    const { status, headers } = response;
    const body: unknown = response.data;
    if (status < 200 || status >= 300) throw toSmsError(status, body, headers);
    return response;
  });
  return client;
}

/** With our own message: the library's error contains the request with the auth token and the verification code. */
function explain(error: unknown): SmsRejectedError | SmsUnavailableError {
  if (error instanceof SmsRejectedError || error instanceof SmsUnavailableError) return error;
  const { code, name } = error as { code?: unknown; name?: unknown };
  return new SmsUnavailableError(`Twilio did not answer: ${String(code ?? name)}`);
}
