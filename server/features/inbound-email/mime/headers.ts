/** One unfolded header. The name is in lower case; encoded words in the value are not decoded. */
export type MimeHeader = {
  name: string;
  value: string;
  /** The value as latin1: not all programs write UTF-8. */
  raw: string;
};

type MimeSection = { headers: MimeHeader[]; body: Buffer };

/** Bounds the work, and what mail programs could interpret differently. */
const MAX_HEADER_BYTES = 256 * 1024;
const MAX_HEADER_LINES = 2_000;

/** Null when the headers exceed the limits. */
export function parseSection(bytes: Buffer): MimeSection | null {
  const { end, bodyStart } = findHeaderEnd(bytes);
  if (end > MAX_HEADER_BYTES) return null;
  const lines = bytes.toString('latin1', 0, end).split('\n');
  if (lines.length > MAX_HEADER_LINES) return null;
  const unfolded: string[][] = [];
  for (const line of lines.map((each) => stripCarriageReturns(each))) {
    if (/^[ \t]/.test(line) && unfolded.length > 0) unfolded.at(-1)?.push(line);
    else if (line) unfolded.push([line]);
  }
  return { headers: unfolded.map((each) => parseHeader(each.join(''))), body: bytes.subarray(bodyStart) };
}

/** Not by a regular expression: it would take minutes for a line of nothing but returns. */
function stripCarriageReturns(line: string): string {
  let end = line.length;
  while (line[end - 1] === '\r') end--;
  return line.slice(0, end);
}

function findHeaderEnd(bytes: Buffer): { end: number; bodyStart: number } {
  if (bytes[0] === 0x0a) return { end: 0, bodyStart: 1 };
  if (bytes[0] === 0x0d && bytes[1] === 0x0a) return { end: 0, bodyStart: 2 };
  for (let at = bytes.indexOf(0x0a); at !== -1 && at <= MAX_HEADER_BYTES; at = bytes.indexOf(0x0a, at + 1)) {
    if (bytes[at + 1] === 0x0a) return { end: at, bodyStart: at + 2 };
    if (bytes[at + 1] === 0x0d && bytes[at + 2] === 0x0a) return { end: at, bodyStart: at + 3 };
  }
  return { end: bytes.length, bodyStart: bytes.length };
}

function parseHeader(line: string): MimeHeader {
  const colon = line.indexOf(':');
  const raw = line
    .slice(colon + 1)
    .replace(/^[ \t]+/, '')
    .trimEnd();
  return {
    name: colon === -1 ? '' : toText(line.slice(0, colon)).toLowerCase(),
    value: toText(raw),
    raw,
  };
}

function toText(raw: string): string {
  return Buffer.from(raw, 'latin1').toString('utf8').trim();
}

/** The first of that name; empty when it is missing. */
export function headerOf(headers: Pick<MimeHeader, 'name' | 'value'>[], name: string): string {
  return headers.find((header) => header.name === name)?.value ?? '';
}

/** `text/plain` of `Text/Plain; charset=utf-8`. */
export function mediaTypeOf(value: string): string {
  return (/^[^\s;]+/.exec(value)?.[0] ?? '').toLowerCase();
}

export function parameterOf(value: string, name: string): string | null {
  const found = new RegExp(`;\\s*${name}\\s*=\\s*(?:"((?:[^"\\\\]|\\\\.)*)"|([^\\s;"]+))`, 'i').exec(value);
  return found?.[1]?.replace(/\\(.)/g, '$1') ?? found?.[2] ?? null;
}
