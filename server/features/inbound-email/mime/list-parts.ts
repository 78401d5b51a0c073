import { decodeBody } from './decode-body.ts';
import { headerOf, mediaTypeOf, parameterOf, parseSection, type MimeHeader } from './headers.ts';

/** A leaf of a message's tree: a text, a picture, a file. */
export type MimePart = {
  headers: MimeHeader[];
  /** As it says itself; `text/plain` when it says nothing. */
  type: string;
  isAttachment: boolean;
  /** A page of the mail shows it in its place: what signatures do with their logos. */
  isEmbedded: boolean;
  /** How many forwarded messages it lies in. */
  depth: number;
  /** Not yet decoded. */
  body: Buffer;
};

const MAX_DEPTH = 20;
const MAX_FORWARDS = 5;
const MAX_PARTS = 1_000;
/** Lines that begin as a boundary does. */
const MAX_CANDIDATES = 10_000;
/** RFC 2046. A longer one only makes looking for it slow. */
const MAX_BOUNDARY = 70;

/**
 * The leaves of a message, in their order, those of messages forwarded in it too. Each byte is looked at a bounded
 * number of times, and nothing is copied. Null for a message with more parts or headers than anybody writes.
 */
export function listParts(headers: MimeHeader[], body: Buffer): MimePart[] | null {
  const parts: MimePart[] = [];
  let sections = 0;
  const isWhole = visit(headers, body, { depth: 0, forwards: 0, isRelated: false });
  return isWhole ? parts : null;

  type Place = { depth: number; forwards: number; isRelated: boolean };

  function visit(headers: MimeHeader[], body: Buffer, place: Place): boolean {
    if (++sections > MAX_PARTS || place.depth > MAX_DEPTH) return false;
    const contentType = headerOf(headers, 'content-type');
    const type = mediaTypeOf(contentType) || 'text/plain';
    const disposition = mediaTypeOf(headerOf(headers, 'content-disposition'));
    const isRelated = type === 'multipart/related';
    const inner = { ...place, depth: place.depth + 1 };
    if (type.startsWith('multipart/')) {
      const found = splitParts(body, parameterOf(contentType, 'boundary'));
      if (found) return found.every((part) => visitBytes(part, { ...inner, isRelated }));
    }
    if (isMessage(type, headers) && place.forwards < MAX_FORWARDS) {
      const message = decodeBody(body, headerOf(headers, 'content-transfer-encoding'));
      return visitBytes(message, { ...inner, forwards: place.forwards + 1, isRelated: false });
    }
    parts.push({
      headers,
      type: type.startsWith('multipart/') ? 'text/plain' : type,
      isAttachment: disposition === 'attachment',
      isEmbedded: headerOf(headers, 'content-id') !== '' && (place.isRelated || disposition === 'inline'),
      depth: place.forwards,
      body,
    });
    return true;
  }

  function visitBytes(bytes: Buffer, place: Place): boolean {
    const section = parseSection(bytes);
    return section !== null && visit(section.headers, section.body, place);
  }
}

/** A forwarded message; some programs give it as a file with such a name. */
function isMessage(type: string, headers: MimeHeader[]): boolean {
  if (type === 'message/rfc822' || type === 'message/global') return true;
  if (type !== 'application/octet-stream') return false;
  const name = parameterOf(`;${headerOf(headers, 'content-disposition')}`, 'filename') ?? '';
  return name.toLowerCase().endsWith('.eml');
}

/** Null when there is no such line, nor another that could be meant: some programs forget to tell, or tell another. */
function splitParts(body: Buffer, boundary: string | null): Buffer[] | null {
  const told = boundary && boundary.length <= MAX_BOUNDARY ? splitAt(body, boundary) : null;
  if (told) return told;
  const guessed = /(?:^|\n)--([^\r\n]{1,70})\r?\n/.exec(body.toString('latin1', 0, 4096))?.[1];
  return guessed ? splitAt(body, guessed.trimEnd()) : null;
}

/** What stands between the lines that are the boundary; the last part may lack its end. */
function splitAt(body: Buffer, boundary: string): Buffer[] | null {
  const line = Buffer.from(`--${boundary}`);
  const lineAfterBreak = Buffer.from(`\n--${boundary}`);
  const parts: Buffer[] = [];
  let partStart = -1;
  const next = (from: number) => {
    const found = body.indexOf(lineAfterBreak, from);
    return found === -1 ? -1 : found + 1;
  };
  const first = body.subarray(0, line.length).equals(line) ? 0 : next(0);
  let candidates = 0;
  for (let at = first; at !== -1 && candidates < MAX_CANDIDATES; at = next(at), candidates++) {
    const end = endOfBoundary(body, at + line.length);
    if (!end) continue;
    if (partStart !== -1) parts.push(body.subarray(partStart, Math.max(partStart, withoutBreak(body, at))));
    partStart = end.after;
    if (end.isLast) return parts;
    if (parts.length > MAX_PARTS) break;
  }
  if (partStart === -1) return null;
  parts.push(body.subarray(partStart));
  return parts;
}

/** Where the next line begins; null when the boundary was only the beginning of another word. */
function endOfBoundary(body: Buffer, from: number): { isLast: boolean; after: number } | null {
  const rest = body.toString('latin1', from, from + 100);
  const found = /^(--)?[ \t]*(\r?\n|$)/.exec(rest);
  return found && { isLast: found[1] !== undefined, after: from + found[0].length };
}

/** The break before a boundary belongs to the boundary. */
function withoutBreak(body: Buffer, at: number): number {
  return body[at - 2] === 0x0d ? at - 2 : at - 1;
}
