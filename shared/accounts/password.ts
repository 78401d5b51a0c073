import * as z from 'zod/mini';

/** Hashing longer ones with argon2 would allow denial of service. */
const MAX_LENGTH = 1024;
const MIN_LENGTH = 6;
const TOO_SHORT = `Password must be at least ${MIN_LENGTH} characters`;
const TOO_LONG = `Password must be at most ${MAX_LENGTH} characters`;
/** A decomposed character has at most four code units, the composed one has one. */
const MAX_TYPED_LENGTH = 4 * MAX_LENGTH;

/**
 * The same for all ways to type a password: keyboards differ in how they write accents and spaces.
 * https://www.rfc-editor.org/rfc/rfc8265#section-4.2
 */
export function toOpaqueString(password: string): string {
  return password.replace(/\p{Zs}/gu, ' ').normalize('NFC');
}

/** Also of one that an earlier release hashed as it was typed. */
function isTooLong(typed: string): boolean {
  return Math.min(typed.length, toOpaqueString(typed).length) > MAX_LENGTH;
}

export const newPassword = z.string({ error: TOO_SHORT }).check(
  z.maxLength(MAX_TYPED_LENGTH, { error: TOO_LONG, abort: true }),
  z.refine((typed) => toOpaqueString(typed).length >= MIN_LENGTH, { error: TOO_SHORT }),
  z.refine((typed) => toOpaqueString(typed).length <= MAX_LENGTH, { error: TOO_LONG }),
);

/** To sign in. One that an earlier release hashed may have been long enough only as it was typed. */
export const signInPassword = z.string({ error: TOO_SHORT }).check(
  z.maxLength(MAX_TYPED_LENGTH, { error: TOO_LONG, abort: true }),
  z.refine((typed) => typed.normalize('NFD').length >= MIN_LENGTH, { error: TOO_SHORT }),
  z.refine((typed) => !isTooLong(typed), { error: TOO_LONG }),
);

export function typedPassword({ missing, wrong }: { missing: string; wrong: string }) {
  return z.string({ error: missing }).check(
    z.maxLength(MAX_TYPED_LENGTH, { error: wrong, abort: true }),
    z.refine((typed) => !isTooLong(typed), { error: wrong }),
  );
}
