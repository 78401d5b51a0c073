import { createHash, timingSafeEqual } from 'node:crypto';

/** Compares in constant time. Hashes first, since `timingSafeEqual` needs equal lengths. */
export function isSameSecret(given: string | undefined, secret: string): boolean {
  const [one, other] = [given ?? '', secret].map((each) => createHash('sha256').update(each).digest());
  return given !== undefined && one !== undefined && other !== undefined && timingSafeEqual(one, other);
}
