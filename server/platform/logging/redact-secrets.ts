/** The path segment after one of these alone gives access. */
const PATH_TOKENS =
  /(\/(?:p|unsubscribe|preferences|api\/invit(?:e|ation)s|companion\/api)\/)[^/?#\s"'<>\\]+/gi;
/** In a query, or in the fragment of a link that was emailed. */
const PARAMETERS =
  /([?&#](?:token|invite|key|signature|state|code|access_token|refresh_token|uppyAuthToken|X-Amz-(?:Signature|Credential|Security-Token))=)[^&#\s"'<>\\]+/gi;
const FRAGMENTS =
  /(\/(?:verify-email|reset-password|start-again|not-me|confirm-email|undo-email|secure-account)#)[^\s"'<>\\]+/gi;
const PASSWORDS = /(\/\/[^\s/:@"'\\]*:)[^\s/@"'\\]+(?=@)/g;
/** Mail servers quote the recipient in their replies. */
const EMAIL_ADDRESSES = /()[\w.+%=-]{1,64}@(?:[\w-]{1,63}\.){1,8}[a-z]{2,63}/gi;
const PHONE_NUMBERS = /()(?:\+|%2B)\d{8,15}(?!\d)/gi;

const PATTERNS = [PATH_TOKENS, PARAMETERS, FRAGMENTS, PASSWORDS, EMAIL_ADDRESSES, PHONE_NUMBERS];

/** Without what alone gives access (tokens of links, signatures, passwords in URLs), and without addresses and numbers of people. */
export function redactSecrets(text: string): string {
  return PATTERNS.reduce((each, pattern) => each.replace(pattern, '$1[redacted]'), text);
}
