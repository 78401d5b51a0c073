import * as z from 'zod/mini';

/** The longest that SMTP carries (RFC 5321). */
const MAX_LENGTH = 254;

/** An e-mail address as someone types it. */
export function emailAddress(error: string) {
  return z.string({ error }).check(z.trim(), z.email({ error }), z.maxLength(MAX_LENGTH, { error }));
}
