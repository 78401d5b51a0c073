import { SmsRejectedError, SmsUnavailableError } from './sms-sender.ts';
import { parseRetryAfter } from '../limits/retry-after.ts';

/** About the recipient's number; titles from https://www.twilio.com/docs/api/errors. All other codes count as ours. */
const NUMBER_CODES: Record<number, SmsRejectedError['reason']> = {
  21_211: 'unreachable', // Invalid 'To' phone number
  21_214: 'unreachable', // 'To' phone number cannot be reached
  21_217: 'unreachable', // Phone number does not appear to be valid
  21_265: 'unreachable', // 'To' number cannot be a short code
  21_266: 'unreachable', // 'To' and 'From' number cannot be the same
  21_610: 'opted-out', // Attempt to send to unsubscribed recipient
  21_614: 'unreachable', // 'To' number is not a valid mobile number
  21_635: 'unreachable', // 'To' number cannot be a landline
  30_005: 'unreachable', // Unknown destination handset
  30_006: 'unreachable', // Landline or unreachable carrier
  60_205: 'unreachable', // SMS is not supported by landline phone number
};

/** Frequent configuration errors, for the log; same source. */
const SETTING_CODES: Record<number, string> = {
  20_003: 'the account SID or the auth token is wrong',
  21_408: "this region is not enabled in the account's messaging geo permissions",
  21_606: 'the sending number cannot send texts to this destination',
  21_608: 'a trial account texts verified numbers only',
  21_612: 'the sending number or messaging service cannot reach this number: another kind of sender may',
  21_659: "the sending number is not the account's",
  21_703: 'the messaging service has no sender',
};

/** With our own message, since Twilio's may contain the verification code. */
export function toSmsError(
  status: number,
  body: unknown,
  headers: Record<string, unknown>,
): SmsRejectedError | SmsUnavailableError {
  const code = codeIn(body);
  const said = `${status}${code === null ? '' : ` ${code}`}`;
  const reason = code === null ? undefined : NUMBER_CODES[code];
  if (reason) return new SmsRejectedError(reason, `Twilio rejected the number: ${said}`);
  const isOurSetting = status >= 400 && status < 500 && status !== 408 && status !== 429;
  const setting = code === null ? undefined : SETTING_CODES[code];
  return new SmsUnavailableError(
    `Twilio did not take the text: ${said}${setting ? `, ${setting}` : ''}`,
    isOurSetting ? { isMisconfigured: true } : { retryAfterSeconds: parseRetryAfter(headers['retry-after']) },
  );
}

/** Twilio's errors are JSON with a `code`; a proxy's have none. */
function codeIn(body: unknown): number | null {
  try {
    const { code } = (typeof body === 'string' ? JSON.parse(body) : body) as { code?: unknown };
    return typeof code === 'number' ? code : null;
  } catch {
    return null;
  }
}
