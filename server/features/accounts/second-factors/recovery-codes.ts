import { randomInt } from 'node:crypto';
import type { KeyedHash } from '../../../platform/security/keyed-hash.ts';

const RECOVERY_CODE_COUNT = 10;
/** Without characters that look alike. Twelve of them have 59 bits. */
const CHARACTERS = '23456789abcdefghjkmnpqrstuvwxyz';
const GROUPS = 3;
const GROUP_LENGTH = 4;

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
