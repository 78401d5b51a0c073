/** What one check of another mail server said: `dkim=pass header.d=mems.example`. */
export type AuthenticationResult = { method: string; result: string; properties: Map<string, string> };

const MAX_LENGTH = 16 * 1024;

/**
 * An Authentication-Results header (RFC 8601), when it is the named server's. Null for anybody else's: those are the
 * sender's own word. What is not understood says nothing.
 */
export function parseAuthenticationResults(value: string, authservId: string): AuthenticationResult[] | null {
  if (value.length > MAX_LENGTH) return null;
  const [about = '', ...results] = split(withoutComments(value), ';');
  // A version may follow the name.
  const [name = ''] = split(about.trim(), ' ');
  if (unquoted(name).toLowerCase() !== authservId.toLowerCase()) return null;
  return results.flatMap((each) => {
    const [verdict = '', ...properties] = split(each.replace(/[ \t]*=[ \t]*/g, '='), ' ').filter(Boolean);
    const [, method, result] = /^([a-z0-9-]+)(?:\/\d+)?=([a-z]+)$/i.exec(verdict) ?? [];
    if (!method || !result) return [];
    const pairs = properties.flatMap((property): [string, string][] => {
      const [, key, told] = /^([a-z]+\.[a-z0-9-]+)=(.+)$/i.exec(property) ?? [];
      return key && told ? [[key.toLowerCase(), unquoted(told)]] : [];
    });
    return [{ method: method.toLowerCase(), result: result.toLowerCase(), properties: new Map(pairs) }];
  });
}

/** What stands in parentheses, also within others, is said to people; in quotes they are only signs. */
function withoutComments(text: string): string {
  let kept = '';
  let depth = 0;
  let isQuoted = false;
  for (let at = 0; at < text.length; at++) {
    const sign = text.charAt(at);
    if (sign === '\\' && (isQuoted || depth > 0)) {
      if (depth === 0) kept += sign + text.charAt(at + 1);
      at++;
    } else if (isQuoted) {
      kept += sign;
      isQuoted = sign !== '"';
    } else if (sign === '(') depth++;
    else if (sign === ')' && depth > 0) depth--;
    else if (depth === 0) {
      kept += /\s/.test(sign) ? ' ' : sign;
      isQuoted = sign === '"';
    }
  }
  return kept;
}

/** At each such sign that stands in no quotes. */
function split(text: string, at: string): string[] {
  const parts = [''];
  let isQuoted = false;
  for (let n = 0; n < text.length; n++) {
    const sign = text.charAt(n);
    if (sign === '"') isQuoted = !isQuoted;
    const isEscape = isQuoted && sign === '\\';
    if (sign === at && !isQuoted) parts.push('');
    else parts[parts.length - 1] += isEscape ? sign + text.charAt(++n) : sign;
  }
  return parts;
}

function unquoted(text: string): string {
  return text.startsWith('"') ? text.replace(/^"|"$/g, '').replace(/\\(.)/g, '$1') : text;
}
