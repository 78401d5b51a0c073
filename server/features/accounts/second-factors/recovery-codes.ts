import { randomInt } from 'node:crypto';
import type { RequestSource } from '../../../platform/client-info/request-source.ts';
import type { AppContext } from '../../../platform/context.ts';
import type { KeyedHash } from '../../../platform/security/keyed-hash.ts';
import { notifyOwner } from '../users/send-security-notice-job.ts';
import type { UserRow } from '../users/user-queries.ts';
import type { CheckedCode } from './checked-code.ts';
import { consumeRecoveryCode, isRecoveryCodeUsed } from './second-factor-queries.ts';

const RECOVERY_CODE_COUNT = 10;
/** Without characters that look alike. Twelve of them have 59 bits. */
const CHARACTERS = '23456789abcdefghjkmnpqrstuvwxyz';
const GROUPS = 3;
const GROUP_LENGTH = 4;

const WRONG = 'This is not one of your recovery codes.';
const USED = 'This recovery code was used already. Please enter another one.';

export function generateRecoveryCodes(): string[] {
  return Array.from({ length: RECOVERY_CODE_COUNT }, generateCode);
}

/** `abcd-efgh-jkmn` */
function generateCode(): string {
  const groups = Array.from({ length: GROUPS }, () =>
    Array.from({ length: GROUP_LENGTH }, () => CHARACTERS[randomInt(CHARACTERS.length)]).join(''),
  );
  return groups.join('-');
}

/** In any case, with or without separators. */
export function hashRecoveryCode(keyedHash: KeyedHash, ownerId: string, code: string): string {
  return keyedHash('recovery-code', ownerId, code.toLowerCase().replace(/[^a-z0-9]/g, ''));
}

/** Checks and consumes it. */
export async function checkRecoveryCode(
  context: Pick<AppContext, 'db' | 'jobs' | 'keyedHash' | 'mailer'>,
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
  return { isRight, message: isUsed ? USED : WRONG };
}
