import { createHmac, hkdfSync } from 'node:crypto';

/** A keyed hash (HMAC): values short enough to guess stay secret even from readers of the database. */
export type KeyedHash = (purpose: string, ...parts: string[]) => string;

/** Derives the key from a secret that also has another use, so that neither reveals the other. */
export function createKeyedHash(secret: string): KeyedHash {
  const key = Buffer.from(hkdfSync('sha256', secret, '', 'mems-are-forever keyed hash', 32));
  return (...parts) => createHmac('sha256', key).update(JSON.stringify(parts)).digest('base64url');
}
