import * as z from 'zod/mini';

/** SMTP's limit (RFC 5321). */
const MAX_LENGTH = 254;
const STRICT = /^[a-z0-9.!#$%&'*+/=?^_`{|}~-]{1,64}@[a-z0-9-]+(\.[a-z0-9-]+)+$/;

export function emailAddress(error: string) {
  return z.string({ error }).check(z.trim(), z.email({ error }), z.maxLength(MAX_LENGTH, { error }));
}

/** In lower case. Stricter than SMTP, which allows `rex..@home.example`; email programs do not write such addresses. */
export function strictEmailAddress(error: string) {
  return z
    .string({ error })
    .check(z.trim(), z.toLowerCase(), z.regex(STRICT, { error }), z.maxLength(MAX_LENGTH, { error }));
}
