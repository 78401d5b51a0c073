import * as z from 'zod/mini';

/** SMTP's limit (RFC 5321). */
const MAX_LENGTH = 254;
const NON_ASCII = /[^\0-\x7f]/;
/** Characters that end the host when a URL is parsed. */
const URL_SYNTAX = /[\s/\\?#@:%[\]]/;

declare const URL: new (url: string) => { hostname: string };

/** By the rule of browsers for `type="email"`. A Unicode domain becomes punycode, as mail servers know it. */
export function emailAddress(error = 'Please enter a valid email address') {
  return z
    .string({ error })
    .check(
      z.trim(),
      z.overwrite(withAsciiDomain),
      z.regex(z.regexes.html5Email, { error }),
      z.maxLength(MAX_LENGTH, { error }),
    );
}

/** For comparisons of senders. */
export function lowerCaseEmailAddress(error: string) {
  return emailAddress(error).check(z.toLowerCase());
}

function withAsciiDomain(address: string): string {
  const at = address.lastIndexOf('@') + 1;
  const domain = address.slice(at);
  if (!NON_ASCII.test(domain) || URL_SYNTAX.test(domain)) return address;
  try {
    return address.slice(0, at) + new URL(`http://${domain}`).hostname;
  } catch {
    return address;
  }
}
