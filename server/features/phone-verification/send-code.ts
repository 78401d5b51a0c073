import { randomInt } from 'node:crypto';
import { v7 as uuidv7 } from 'uuid';
import { formatPhoneNumber, RESEND_AFTER_SECONDS, VERIFICATION_CODE_LENGTH } from '#shared/phone';
import type { AppContext } from '../../platform/context.ts';
import { AppError, InvalidError, UnavailableError } from '../../platform/errors.ts';
import type { RateLimit } from '../../platform/rate-limits.ts';
import { SmsRefusedError, SmsUnavailableError } from '../../platform/sms/sms-sender.ts';
import { hashCode } from './hash-code.ts';
import { allowResend, replacePhoneCode } from './phone-code-queries.ts';
import { checkPhoneNumber } from './phone-number.ts';

const CODE_LIFETIME_MINUTES = 10;
const MINUTE_MS = 60_000;

const REFUSALS = {
  unreachable: 'We cannot text this number. Please check it, or use another one.',
  'opted-out': 'This number has opted out of our texts. Please text START to us from it, then try again.',
};

const MISCONFIGURED =
  'We cannot text this number because of a setting on our side. Please tell the person who runs this site.';

type Context = Pick<
  AppContext,
  'config' | 'db' | 'clock' | 'logger' | 'smsSender' | 'keyedHash' | 'rateLimits'
>;

/**
 * Texts a new code, which replaces the older one. While one has just gone to the same number, nothing is sent: a call
 * that is repeated costs one text. It waits for the text to be taken, since a person waits for it and is to hear when it
 * was not; a process that dies meanwhile leaves a code that nobody knows.
 * @returns the number that it went to
 * @throws InvalidError for a number that cannot be texted, TooManyRequestsError, UnavailableError
 */
export async function sendCode(
  context: Context,
  ownerId: string,
  { phoneNumber: typed, address }: { phoneNumber: string; address: string },
): Promise<string> {
  const { config, db, clock, keyedHash } = context;
  const phoneNumber = checkPhoneNumber(typed, config.sms.countries);
  const uses = await countUses(context, { ownerId, phoneNumber, address });
  const now = clock.now();
  const code = String(randomInt(10 ** VERIFICATION_CODE_LENGTH)).padStart(VERIFICATION_CODE_LENGTH, '0');
  const sent = { ownerId, id: uuidv7(), phoneNumber };
  const isNew = await replacePhoneCode(
    db,
    {
      ...sent,
      codeHash: hashCode(keyedHash, ownerId, phoneNumber, code),
      resendAt: new Date(now.getTime() + RESEND_AFTER_SECONDS * 1000),
      expiresAt: new Date(now.getTime() + CODE_LIFETIME_MINUTES * MINUTE_MS),
    },
    now,
  );
  if (!isNew) {
    await uses.giveBack();
    return phoneNumber;
  }
  try {
    await context.smsSender.send({ id: sent.id, to: phoneNumber, text: inWords(code) });
  } catch (error) {
    await allowResend(db, sent, clock.now());
    // What failed on our side takes nothing from the person.
    if (error instanceof SmsUnavailableError) await uses.giveBack();
    throw explain(context, error);
  }
  return phoneNumber;
}

/** The code comes first: it is all that a locked screen shows. Whoever has the number may know nothing of this. */
function inWords(code: string): string {
  return (
    `${code} is your Mems Are Forever code. It works for ${CODE_LIFETIME_MINUTES} minutes. ` +
    'If you did not request it, ignore this text.'
  );
}

function explain({ logger }: Context, error: unknown): unknown {
  if (error instanceof SmsRefusedError) {
    logger.warn({ err: error }, 'A text was refused');
    const message = REFUSALS[error.reason];
    return new InvalidError(message, { phoneNumber: message });
  }
  if (error instanceof SmsUnavailableError) {
    // Trying again later does not help; the request's log line has the cause, as an error.
    if (error.isMisconfigured) return new AppError(503, MISCONFIGURED, {}, { cause: error });
    const message = 'We cannot send texts right now. Please try again in a moment.';
    return new UnavailableError(message, error, error.retryAfterSeconds ?? undefined);
  }
  return error;
}

/** Each by itself, the whole installation's last: only what is let through by the others may use that up. */
async function countUses(
  { rateLimits }: Context,
  { ownerId, phoneNumber, address }: { ownerId: string; phoneNumber: string; address: string },
): Promise<{ giveBack(): Promise<void> }> {
  const uses: [RateLimit, string, string?][] = [
    [rateLimits.phoneCodePerIp, address],
    [rateLimits.phoneCodePerUser, ownerId],
    [rateLimits.phoneCodePerNumber, phoneNumber],
    [rateLimits.phoneCodePerDay, 'all', 'No more texts can be sent today.'],
  ];
  for (const [limit, key, refusal] of uses) await limit.consume(key, refusal);
  return {
    async giveBack() {
      for (const [limit, key] of uses) await limit.giveBack(key);
    },
  };
}

/** The answer's words: where the person finds the code. */
export function whereTheCodeWent({ smsSender }: Pick<AppContext, 'smsSender'>, phoneNumber: string): string {
  const number = formatPhoneNumber(phoneNumber);
  return smsSender.isEmbedded
    ? `Your 6-digit code for ${number} is at /dev/outbox, because no text provider is set up.`
    : `We texted a 6-digit code to ${number}.`;
}
