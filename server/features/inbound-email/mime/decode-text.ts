import iconv from 'iconv-lite';

const UTF_7 = /^(x-)?(unicode-1-1-|cs-?unicode-?11-?)?utf-?7$/i;
const FALLBACK = 'windows-1252';
const MAX_HEADER_TEXT = 16 * 1024;
const ENCODED_WORD = /=\?([^?\s]{1,60})\?([QqBb])\?([^?]*)\?=/g;

function isUtf7(charset: string | null): boolean {
  return charset !== null && UTF_7.test(charset);
}

/** Tries the likely charsets in turn when the bytes are declared as UTF-8 or not at all, and are not UTF-8. */
export function decodeText(bytes: Buffer, charset: string | null, likely: (string | null)[] = []): string {
  for (const each of [charset, ...likely]) {
    const text = each && !isUnspecific(each) ? decodeStrictly(bytes, each) : decodeStrictly(bytes, 'utf-8');
    if (text !== null) return text;
  }
  return new TextDecoder(FALLBACK).decode(bytes);
}

/** Some programs declare `us-ascii` whatever they write. */
function isUnspecific(charset: string): boolean {
  return /^(us-ascii|ascii|utf-?8|unknown-8bit|x-unknown)$/i.test(charset);
}

function decodeStrictly(bytes: Buffer, charset: string): string | null {
  if (isUtf7(charset)) return iconv.decode(bytes, 'utf-7');
  try {
    return new TextDecoder(charset, { fatal: /^utf-?8$/i.test(charset) }).decode(bytes);
  } catch {
    return iconv.encodingExists(charset) && charset !== 'utf-8' ? iconv.decode(bytes, charset) : null;
  }
}

type Piece = { bytes: Buffer; charset: string | null };

/** Raw bytes between encoded words (RFC 2047) have the charset of the words around, else the body's. */
export function decodeHeaderText(raw: string, bodyCharset: string | null): string {
  const pieces = splitPieces(raw.slice(0, MAX_HEADER_TEXT));
  const likely = [pieces.find(({ charset }) => charset !== null)?.charset ?? null, bodyCharset];
  return pieces
    .map(({ bytes, charset }) => {
      const isPlain =
        charset === null && isUtf7(bodyCharset) && /\+[A-Za-z0-9+/]+-?/.test(bytes.toString('latin1'));
      return decodeText(bytes, isPlain ? bodyCharset : charset, likely);
    })
    .join('');
}

/** Joins adjacent words of one charset: a character may be split between them. */
function splitPieces(raw: string): Piece[] {
  const pieces: Piece[] = [];
  let at = 0;
  for (const found of raw.matchAll(ENCODED_WORD)) {
    const [word, label = '', encoding = '', content = ''] = found;
    const between = raw.slice(at, found.index);
    const charset = label.replace(/\*.*$/, '').toLowerCase();
    const bytes = /b/i.test(encoding) ? Buffer.from(content, 'base64') : decodeQ(content);
    const before = pieces.at(-1);
    const isBesideWord = before !== undefined && before.charset !== null && /^[ \t]*$/.test(between);
    if (between && !isBesideWord) pieces.push({ bytes: Buffer.from(between, 'latin1'), charset: null });
    // UTF-7 cannot be joined: each word has its own base64 state.
    if (isBesideWord && before.charset === charset && !isUtf7(charset)) {
      before.bytes = Buffer.concat([before.bytes, bytes]);
    } else pieces.push({ bytes, charset });
    at = found.index + word.length;
  }
  if (at < raw.length) pieces.push({ bytes: Buffer.from(raw.slice(at), 'latin1'), charset: null });
  return pieces;
}

function decodeQ(content: string): Buffer {
  const decoded = content
    .replace(/_/g, ' ')
    .replace(/=([0-9A-Fa-f]{2})/g, (_, hex: string) => String.fromCharCode(parseInt(hex, 16)));
  return Buffer.from(decoded, 'latin1');
}
