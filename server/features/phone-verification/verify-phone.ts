import { timingSafeEqual } from 'node:crypto';
import type { VerifyPhoneRequest } from '#shared/phone';
import type { AppContext } from '../../platform/context.ts';
import { InvalidError } from '../../platform/errors.ts';
import type { UserRow } from '../users/user-queries.ts';
import { hashCode } from './hash-code.ts';
import { countWrongTry, deletePhoneCode, lockPhoneCode } from './phone-code-queries.ts';
import { removePhoneNumber, takePhoneNumber } from './phone-number-queries.ts';
import { checkPhoneNumber } from './phone-number.ts';

const MOST_WRONG_TRIES = 5;

const WRONG = 'Please check your code and try again';
const IS_OVER = 'This code no longer works. Please request a new one.';

/**
 * With the right code the number is this account's, whoever had it before: who reads its texts has the number. A code
 * works once, for the number that it was sent to.
 * @throws InvalidError for a wrong code, or one that is used, old or void
 */
export async function verifyPhone(
  { config, db, clock, keyedHash }: Pick<AppContext, 'config' | 'db' | 'clock' | 'keyedHash'>,
  ownerId: string,
  { phoneNumber: typed, code }: VerifyPhoneRequest,
): Promise<UserRow> {
  const phoneNumber = checkPhoneNumber(typed, config.sms.countries);
  const now = clock.now();
  const outcome = await db.transaction(async (tx) => {
    const sent = await lockPhoneCode(tx, ownerId);
    if (!sent || sent.phoneNumber !== phoneNumber || sent.expiresAt <= now) return IS_OVER;
    if (sent.wrongTries >= MOST_WRONG_TRIES) return IS_OVER;
    if (!isSame(sent.codeHash, hashCode(keyedHash, ownerId, phoneNumber, code))) {
      await countWrongTry(tx, ownerId);
      return WRONG;
    }
    await deletePhoneCode(tx, ownerId);
    return takePhoneNumber(tx, ownerId, phoneNumber, now);
  });
  // Only now: a wrong try counts, so its transaction must not be undone.
  if (typeof outcome === 'string') throw new InvalidError(WRONG, { code: outcome });
  return outcome;
}

/** Texts from it are a stranger's again, and a code that is on its way brings it back no more. */
export async function forgetPhone({ db }: Pick<AppContext, 'db'>, ownerId: string): Promise<void> {
  await db.transaction(async (tx) => {
    await deletePhoneCode(tx, ownerId);
    await removePhoneNumber(tx, ownerId);
  });
}

function isSame(one: string, other: string): boolean {
  return timingSafeEqual(Buffer.from(one), Buffer.from(other));
}
