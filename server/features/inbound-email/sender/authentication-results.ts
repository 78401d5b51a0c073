/** The result of one check: `dkim=pass header.d=mems.example`. */
type AuthenticationResult = { method: string; result: string; properties: Map<string, string> };

const MAX_LENGTH = 16 * 1024;

/** RFC 8601. Null for another server's header, which anyone can forge. */
export function parseAuthenticationResults(value: string, authservId: string): AuthenticationResult[] | null {
  if (value.length > MAX_LENGTH) return null;
  const [server = '', ...results] = split(stripComments(value), ';');
  // A version may follow the name.
  const [name = ''] = split(server.trim(), ' ');
  if (unquote(name).toLowerCase() !== authservId.toLowerCase()) return null;
  return results.flatMap((each) => {
    const [verdict = '', ...properties] = split(each.replace(/[ \t]*=[ \t]*/g, '='), ' ').filter(Boolean);
    const [, method, result] = /^([a-z0-9-]+)(?:\/\d+)?=([a-z]+)$/i.exec(verdict) ?? [];
    if (!method || !result) return [];
    const pairs = properties.flatMap((property): [string, string][] => {
      const [, key, content] = /^([a-z]+\.[a-z0-9-]+)=(.+)$/i.exec(property) ?? [];
      return key && content ? [[key.toLowerCase(), unquote(content)]] : [];
    });
    return [{ method: method.toLowerCase(), result: result.toLowerCase(), properties: new Map(pairs) }];
  });
}

/** Comments nest; within quotes parentheses are literal. */
function stripComments(text: string): string {
  let stripped = '';
  let depth = 0;
  let isQuoted = false;
  for (let at = 0; at < text.length; at++) {
    const character = text.charAt(at);
    if (character === '\\' && (isQuoted || depth > 0)) {
      if (depth === 0) stripped += character + text.charAt(at + 1);
      at++;
    } else if (isQuoted) {
      stripped += character;
      isQuoted = character !== '"';
    } else if (character === '(') depth++;
    else if (character === ')' && depth > 0) depth--;
    else if (depth === 0) {
      stripped += /\s/.test(character) ? ' ' : character;
      isQuoted = character === '"';
    }
  }
  return stripped;
}

function split(text: string, separator: string): string[] {
  const parts = [''];
  let isQuoted = false;
  for (let n = 0; n < text.length; n++) {
    const character = text.charAt(n);
    if (character === '"') isQuoted = !isQuoted;
    const isEscape = isQuoted && character === '\\';
    if (character === separator && !isQuoted) parts.push('');
    else parts[parts.length - 1] += isEscape ? character + text.charAt(++n) : character;
  }
  return parts;
}

function unquote(text: string): string {
  return text.startsWith('"') ? text.replace(/^"|"$/g, '').replace(/\\(.)/g, '$1') : text;
}
