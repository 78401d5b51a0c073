import * as z from 'zod/mini';

/** The longest that SMTP carries (RFC 5321). */
const MAX_LENGTH = 254;
const WRITTEN = /^[a-z0-9.!#$%&'*+/=?^_`{|}~-]{1,64}@[a-z0-9-]+(\.[a-z0-9-]+)+$/;

/** An email address as someone types it. */
export function emailAddress(error: string) {
  return z.string({ error }).check(z.trim(), z.email({ error }), z.maxLength(MAX_LENGTH, { error }));
}

/** The same as mail programs write it, in lower case: more than that can be somebody's, as `rex..@home.example` is. */
export function strictEmailAddress(error: string) {
  return z
    .string({ error })
    .check(z.trim(), z.toLowerCase(), z.regex(WRITTEN, { error }), z.maxLength(MAX_LENGTH, { error }));
}
