import type { RequestSource } from '../../../platform/client-info/request-source.ts';
import type { AppContext } from '../../../platform/context.ts';
import { notifyOwner } from '../users/send-security-notice-job.ts';
import type { UserRow } from '../users/user-queries.ts';
import { hashRecoveryCode } from './recovery-codes.ts';
import {
  consumeRecoveryCode,
  consumeTimeStep,
  findTotpKey,
  isRecoveryCodeUsed,
  type TotpKeyRow,
} from './second-factor-queries.ts';
import { findTimeStep } from './totp.ts';

const WRONG = 'This code is wrong or has expired. Please enter the one that your app shows now.';
const USED = 'This code was used already. Please wait for the next one in your app.';
const WRONG_RECOVERY_CODE = 'This is not one of your recovery codes.';
const USED_RECOVERY_CODE = 'This recovery code was used already. Please enter another one.';

export type CheckedCode =
  { isRight: true; method: 'totp' | 'recovery-code' } | { isRight: false; message: string };

type Context = Pick<AppContext, 'db' | 'encryption' | 'jobs' | 'keyedHash' | 'mailer'>;

/** Whether signing in with the password needs a code. */
export async function isTotpOn({ db }: Pick<AppContext, 'db'>, userId: string): Promise<boolean> {
  return Boolean((await findTotpKey(db, userId))?.confirmedAt);
}

/** Checks and consumes a code of the authenticator app or a recovery code. */
export async function checkCode(
  context: Context,
  user: UserRow,
  code: string,
  source: RequestSource,
): Promise<CheckedCode> {
  const digits = code.replace(/\s/g, '');
  return /^\d{6}$/.test(digits)
    ? checkTotp(context, user.id, { digits, now: source.now })
    : checkRecoveryCode(context, user, code, source);
}

async function checkTotp(
  context: Context,
  userId: string,
  { digits, now }: { digits: string; now: Date },
): Promise<CheckedCode> {
  const key = await findTotpKey(context.db, userId);
  const step = key?.confirmedAt ? findTimeStep(decryptSecret(context, key), digits, now) : null;
  if (step === null) return { isRight: false, message: WRONG };
  const isFirstUse = await consumeTimeStep(context.db, userId, step);
  return isFirstUse ? { isRight: true, method: 'totp' } : { isRight: false, message: USED };
}

/** @throws Error once the session secret was replaced */
export function decryptSecret({ encryption }: Pick<AppContext, 'encryption'>, key: TotpKeyRow): string {
  return encryption.decrypt(key.encryptedSecret, 'totp', key.ownerId);
}

async function checkRecoveryCode(
  context: Context,
  user: UserRow,
  code: string,
  source: RequestSource,
): Promise<CheckedCode> {
  const { db, keyedHash } = context;
  const ownerId = user.id;
  const codeHash = hashRecoveryCode(keyedHash, ownerId, code);
  const isRight = await db.transaction(async (tx) => {
    const isConsumed = await consumeRecoveryCode(tx, { ownerId, codeHash, now: source.now });
    if (isConsumed) await notifyOwner(context, tx, user, 'recovery-code-used', source);
    return isConsumed;
  });
  if (isRight) return { isRight, method: 'recovery-code' };
  const isUsed = await isRecoveryCodeUsed(db, ownerId, codeHash);
  return { isRight, message: isUsed ? USED_RECOVERY_CODE : WRONG_RECOVERY_CODE };
}
