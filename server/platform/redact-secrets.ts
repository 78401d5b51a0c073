/** The path segment after one of these alone gives access. */
const PATH_TOKENS = /(\/(?:p|unsubscribe|preferences|api\/invites|companion\/api)\/)[^/?#\s"'<>\\]+/gi;
/** In a query, or in the fragment of a link that was emailed. */
const PARAMETERS =
  /([?&#](?:token|invite|key|signature|state|code|access_token|refresh_token|uppyAuthToken|X-Amz-(?:Signature|Credential|Security-Token))=)[^&#\s"'<>\\]+/gi;
const FRAGMENTS = /(\/(?:verify-email|reset-password)#)[^\s"'<>\\]+/gi;
const PASSWORDS = /(\/\/[^\s/:@"'\\]*:)[^\s/@"'\\]+(?=@)/g;

/** Without what alone gives access: tokens of links, signatures, and passwords in URLs. */
export function redactSecrets(text: string): string {
  return [PATH_TOKENS, PARAMETERS, FRAGMENTS, PASSWORDS].reduce(
    (each, pattern) => each.replace(pattern, '$1[redacted]'),
    text,
  );
}
