import type { RequestSource } from '../../../platform/client-info/request-source.ts';
import type { AppContext } from '../../../platform/context.ts';
import type { UserRow } from '../users/user-queries.ts';
import type { CheckedCode } from './checked-code.ts';
import { checkRecoveryCode } from './recovery-codes.ts';
import { consumeTimeStep, findTotpKey, type TotpKeyRow } from './second-factor-queries.ts';
import { findTimeStep } from './totp.ts';

const WRONG = 'This code is wrong or has expired. Please enter the one that your app shows now.';
const USED = 'This code was used already. Please wait for the next one in your app.';

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
