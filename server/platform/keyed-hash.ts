import { createHmac, hkdfSync } from 'node:crypto';

/**
 * A hash that only this installation can make. Under it also what is short enough to be guessed is safe from whoever
 * reads the database.
 */
export type KeyedHash = (purpose: string, ...parts: string[]) => string;

/** The key is made from a secret that has another use, too: neither tells of the other. */
export function createKeyedHash(secret: string): KeyedHash {
  const key = Buffer.from(hkdfSync('sha256', secret, '', 'mems-are-forever keyed hash', 32));
  return (...parts) => createHmac('sha256', key).update(JSON.stringify(parts)).digest('base64url');
}
