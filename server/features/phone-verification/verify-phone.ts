import { timingSafeEqual } from 'node:crypto';
import type { VerifyPhoneRequest } from '#shared/text/phone';
import type { RequestSource } from '../../platform/client-info/request-source.ts';
import type { AppContext } from '../../platform/context.ts';
import { InvalidError } from '../../platform/errors.ts';
import { notifyOwner } from '../accounts/users/send-security-notice-job.ts';
import type { UserRow } from '../accounts/users/user-queries.ts';
import { countWrongAttempt, deletePhoneCode, hashCode, lockPhoneCode } from './phone-code-queries.ts';
import { removePhoneNumber, movePhoneNumber } from './phone-number-queries.ts';
import { parsePhoneNumber } from './phone-number.ts';

const MAX_FAILED_ATTEMPTS = 5;

const WRONG_CODE = 'Please check your code and try again';
const EXPIRED = 'This code no longer works. Please request a new one.';

/** Also takes the number from another user: receiving its SMS proves ownership. @throws InvalidError */
export async function verifyPhone(
  context: Pick<AppContext, 'config' | 'db' | 'clock' | 'jobs' | 'keyedHash' | 'mailer' | 'securityLog'>,
  ownerId: string,
  { phoneNumber: typed, code }: VerifyPhoneRequest,
  source: RequestSource,
): Promise<UserRow> {
  const { config, db, clock, keyedHash, securityLog } = context;
  const phoneNumber = parsePhoneNumber(typed, config.sms.countries);
  const now = clock.now();
  const outcome = await db.transaction(async (tx) => {
    const sent = await lockPhoneCode(tx, ownerId);
    if (!sent || sent.phoneNumber !== phoneNumber || sent.expiresAt <= now) return EXPIRED;
    if (sent.failedAttempts >= MAX_FAILED_ATTEMPTS) return EXPIRED;
    if (!isEqual(sent.codeHash, hashCode(keyedHash, ownerId, phoneNumber, code))) {
      await countWrongAttempt(tx, ownerId);
      return WRONG_CODE;
    }
    await deletePhoneCode(tx, ownerId);
    const { user, previousOwner } = await movePhoneNumber(tx, ownerId, phoneNumber, now);
    await notifyOwner(context, tx, user, 'phone-changed', source);
    // The owner of one account must not learn where another was used.
    if (previousOwner) await notifyOwner(context, tx, previousOwner, 'phone-removed', elsewhere(now));
    return { user, previousOwner };
  });
  // Thrown after the transaction: a rollback would lose the count of wrong attempts.
  if (typeof outcome === 'string') throw new InvalidError(WRONG_CODE, { code: outcome });
  if (outcome.previousOwner)
    securityLog.record('phone-removal', 'success', { userId: outcome.previousOwner.id });
  return outcome.user;
}

/** Also deletes a pending code, which could add the number again. @returns false if there was no number */
export function removePhone(
  context: Pick<AppContext, 'db' | 'jobs' | 'mailer'>,
  ownerId: string,
  source: RequestSource,
): Promise<boolean> {
  return context.db.transaction(async (tx) => {
    await deletePhoneCode(tx, ownerId);
    const user = await removePhoneNumber(tx, ownerId);
    if (user) await notifyOwner(context, tx, user, 'phone-removed', source);
    return user !== null;
  });
}

function elsewhere(now: Date): RequestSource {
  return { now, device: null, network: null };
}

function isEqual(one: string, other: string): boolean {
  return timingSafeEqual(Buffer.from(one), Buffer.from(other));
}
