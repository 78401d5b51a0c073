import { randomInt } from 'node:crypto';
import { v7 as uuidv7 } from 'uuid';
import {
  formatPhoneNumber,
  RESEND_AFTER_SECONDS,
  VERIFICATION_CODE_LENGTH,
  VERIFICATION_CODE_LIFETIME_MINUTES,
} from '#shared/text/phone';
import type { AppContext } from '../../platform/context.ts';
import { AppError, InvalidError, UnavailableError } from '../../platform/errors.ts';
import type { RateLimit } from '../../platform/limits/rate-limits.ts';
import { SmsRejectedError, SmsUnavailableError } from '../../platform/sms/sms-sender.ts';
import { requireBillableAccess, type BillableUser } from '../accounts/users/require-billable-access.ts';
import type { UserRow } from '../accounts/users/user-queries.ts';
import { allowResend, hashCode, replacePhoneCode } from './phone-code-queries.ts';
import { parsePhoneNumber } from './phone-number.ts';

const MINUTE_MS = 60_000;

const REJECTION_MESSAGES = {
  unreachable: 'We cannot text this number. Please check it, or use another one.',
  'opted-out': 'This number has opted out of our texts. Please text START to us from it, then try again.',
};

const MISCONFIGURED =
  'We cannot text this number because of a setting on our side. Please tell the person who runs this site.';

/** Waits for the provider instead of enqueueing a job, because the user has to learn about a failure. @returns E.164 */
export async function sendVerificationCode(
  context: AppContext,
  owner: Pick<UserRow, 'id'> & BillableUser,
  { phoneNumber: typed, clientIp }: { phoneNumber: string; clientIp: string },
): Promise<string> {
  const { config, db, clock, keyedHash } = context;
  const { id: ownerId } = owner;
  if (!context.smsSender.isEmbedded) requireBillableAccess(context, owner);
  const phoneNumber = parsePhoneNumber(typed, config.sms.countries);
  const uses = await consumeRateLimits(context, { ownerId, phoneNumber, clientIp });
  const now = clock.now();
  const code = String(randomInt(10 ** VERIFICATION_CODE_LENGTH)).padStart(VERIFICATION_CODE_LENGTH, '0');
  const sent = { ownerId, id: uuidv7(), phoneNumber };
  const isNew = await replacePhoneCode(
    db,
    {
      ...sent,
      codeHash: hashCode(keyedHash, ownerId, phoneNumber, code),
      resendAt: new Date(now.getTime() + RESEND_AFTER_SECONDS * 1000),
      expiresAt: new Date(now.getTime() + VERIFICATION_CODE_LIFETIME_MINUTES * MINUTE_MS),
    },
    now,
  );
  if (!isNew) {
    await uses.giveBack();
    return phoneNumber;
  }
  try {
    await context.smsSender.send({ id: sent.id, to: phoneNumber, text: toSmsText(code) });
  } catch (error) {
    await allowResend(db, sent, clock.now());
    // Failures on our side refund the rate limits.
    if (error instanceof SmsUnavailableError) await uses.giveBack();
    throw toAppError(context, error);
  }
  return phoneNumber;
}

/** The code comes first, where a lock screen shows it. */
function toSmsText(code: string): string {
  return (
    `${code} is your Mems Are Forever code. It works for ${VERIFICATION_CODE_LIFETIME_MINUTES} minutes. ` +
    'If you did not request it, ignore this text.'
  );
}

function toAppError({ logger }: AppContext, error: unknown): unknown {
  if (error instanceof SmsRejectedError) {
    logger.warn({ err: error }, 'The SMS provider rejected a number');
    const message = REJECTION_MESSAGES[error.reason];
    return new InvalidError(message, { phoneNumber: message });
  }
  if (error instanceof SmsUnavailableError) {
    // A plain 503 without Retry-After, since retrying does not help. The error handler logs the cause.
    if (error.isMisconfigured) return new AppError(503, MISCONFIGURED, {}, { cause: error });
    const message = 'We cannot send texts right now. Please try again in a moment.';
    return new UnavailableError(message, error, error.retryAfterSeconds ?? undefined);
  }
  return error;
}

/** The installation's limit comes last: only requests that pass the other limits count towards it. */
async function consumeRateLimits(
  { rateLimits }: AppContext,
  { ownerId, phoneNumber, clientIp }: { ownerId: string; phoneNumber: string; clientIp: string },
): Promise<{ giveBack(): Promise<void> }> {
  const uses: [RateLimit, string, string?][] = [
    [rateLimits.phoneCodePerIp, clientIp],
    [rateLimits.phoneCodePerUser, ownerId],
    [rateLimits.phoneCodePerNumber, phoneNumber],
    [rateLimits.phoneCodePerDay, 'all', 'No more texts can be sent today.'],
  ];
  for (const [limit, key, message] of uses) await limit.consume(key, message);
  return {
    async giveBack() {
      for (const [limit, key] of uses) await limit.giveBack(key);
    },
  };
}

export function describeSentCode({ smsSender }: Pick<AppContext, 'smsSender'>, phoneNumber: string): string {
  const number = formatPhoneNumber(phoneNumber);
  return smsSender.isEmbedded
    ? `Your ${VERIFICATION_CODE_LENGTH}-digit code for ${number} is at /dev/outbox, because no text provider is set up.`
    : `We texted a ${VERIFICATION_CODE_LENGTH}-digit code to ${number}.`;
}
