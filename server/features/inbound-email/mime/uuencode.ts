const LF = 0x0a;
const CR = 0x0d;
const BEGIN = Buffer.from('begin ');
const BEGIN_LINE = /^begin [0-7]{3,4} \S/;
const MAX_BEGIN_LINE = 1_000;
const MAX_FILES = 1_000;
/** Lines that start with `begin`. */
const MAX_CANDIDATES = 10_000;

/** Files within a text, as mail programs sent them before MIME, and the text around them. */
export type UuencodedText = { text: Buffer; files: Buffer[] };

/** Files between `begin 644 name` and `end` (POSIX), up to their first invalid line. Linear time. */
export function splitUuencoded(body: Buffer): UuencodedText {
  const files: Buffer[] = [];
  const texts: Buffer[] = [];
  // Shared by all files: a buffer per `begin` would each be as large as the whole email.
  let decoded: Buffer | null = null;
  let used = 0;
  let textStart = 0;
  let candidates = 0;
  for (let at = 0; at < body.length && files.length < MAX_FILES; at = nextLine(body, at)) {
    if (!isBegin(body, at)) continue;
    if (++candidates > MAX_CANDIDATES) break;
    decoded ??= Buffer.alloc(body.length);
    const file = decodeLines(body, nextLine(body, at), decoded, used);
    if (file.length === 0) continue;
    files.push(decoded.subarray(used, used + file.length));
    used += file.length;
    texts.push(body.subarray(textStart, at));
    textStart = file.next;
    // The loop moves on to the next line.
    at = file.next - 1;
  }
  return { text: textStart === 0 ? body : Buffer.concat([...texts, body.subarray(textStart)]), files };
}

function isBegin(body: Buffer, at: number): boolean {
  if (!body.subarray(at, at + BEGIN.length).equals(BEGIN)) return false;
  return BEGIN_LINE.test(body.toString('latin1', at, Math.min(lineEnd(body, at), at + MAX_BEGIN_LINE)));
}

/** Writes the decoded lines at `offset`. Stops at `end`, or before the first invalid line. */
function decodeLines(
  body: Buffer,
  start: number,
  into: Buffer,
  offset: number,
): { length: number; next: number } {
  let written = offset;
  for (let at = start; at < body.length;) {
    const next = nextLine(body, at);
    const end = beforeLineBreak(body, lineEnd(body, at));
    if (body.toString('latin1', at, Math.min(end, at + 4)).trimEnd() === 'end') {
      return { length: written - offset, next };
    }
    // The last line has length zero, encoded as a space, which may have been stripped.
    const length = end === at ? 0 : valueOf(body[at]);
    if (length === -1 || !isData(body, at + 1, end, length)) return { length: written - offset, next: at };
    written = decodeLine(body, at + 1, end, into, written, length);
    at = next;
  }
  return { length: written - offset, next: body.length };
}

/** Allows for stripped trailing spaces, and the checksum that some programs add. */
function isData(body: Buffer, start: number, end: number, length: number): boolean {
  const expected = Math.ceil(length / 3) * 4;
  const found = Math.max(0, end - start);
  if (found > expected + 2 || found * 2 < expected) return false;
  for (let at = start; at < end; at++) if (valueOf(body[at]) === -1) return false;
  return true;
}

function decodeLine(
  body: Buffer,
  start: number,
  end: number,
  into: Buffer,
  offset: number,
  length: number,
): number {
  const value = (at: number) => (at < end ? valueOf(body[at]) : 0);
  for (let done = 0, at = start; done < length; done += 3, at += 4) {
    const bits = (value(at) << 18) | (value(at + 1) << 12) | (value(at + 2) << 6) | value(at + 3);
    for (let n = 0; n < 3 && done + n < length; n++) into[offset + done + n] = (bits >> (16 - 8 * n)) & 0xff;
  }
  return offset + length;
}

/** Six bits; -1 for an invalid character. */
function valueOf(byte = 0): number {
  return byte >= 0x20 && byte <= 0x60 ? (byte - 0x20) & 0x3f : -1;
}

function lineEnd(body: Buffer, at: number): number {
  const found = body.indexOf(LF, at);
  return found === -1 ? body.length : found;
}

function nextLine(body: Buffer, at: number): number {
  return Math.min(lineEnd(body, at) + 1, body.length);
}

function beforeLineBreak(body: Buffer, end: number): number {
  return end > 0 && body[end - 1] === CR ? end - 1 : end;
}
