import type { KeyedHash } from '../../platform/keyed-hash.ts';

/** What is kept of a code: worth something only to this account and for this number. */
export function hashCode(keyedHash: KeyedHash, ownerId: string, phoneNumber: string, code: string): string {
  return keyedHash('phone-code', ownerId, phoneNumber, code);
}
