import { decodeBody } from './decode-body.ts';
import { headerOf, mediaTypeOf, parameterOf, parseSection, type MimeHeader } from './headers.ts';

export type MimePart = {
  headers: MimeHeader[];
  type: string;
  isAttachment: boolean;
  /** Shown within the HTML, as logos in signatures are. */
  isEmbedded: boolean;
  /** Number of forwarded messages around it. */
  depth: number;
  /** The innermost multipart/alternative around it: its parts say the same in other formats. Null for none. */
  alternative: number | null;
  /** Not yet decoded. */
  body: Buffer;
};

const MAX_DEPTH = 20;
const MAX_FORWARDS = 5;
const MAX_PARTS = 1_000;
/** Lines that start like a boundary. */
const MAX_CANDIDATES = 10_000;
/** RFC 2046; a longer one makes the search slow. */
const MAX_BOUNDARY = 70;

/** Linear time, without copies. Own: a hostile email kept postal-mime busy for a minute (decision 14). */
export function listParts(headers: MimeHeader[], body: Buffer): MimePart[] | null {
  const parts: MimePart[] = [];
  let sections = 0;
  const isComplete = visit(headers, body, { depth: 0, forwards: 0, isRelated: false, alternative: null });
  return isComplete ? parts : null;

  type Position = { depth: number; forwards: number; isRelated: boolean; alternative: number | null };

  function visit(headers: MimeHeader[], body: Buffer, position: Position): boolean {
    if (++sections > MAX_PARTS || position.depth > MAX_DEPTH) return false;
    const contentType = headerOf(headers, 'content-type');
    const type = mediaTypeOf(contentType) || 'text/plain';
    const disposition = mediaTypeOf(headerOf(headers, 'content-disposition'));
    const isRelated = type === 'multipart/related';
    const inner = { ...position, depth: position.depth + 1 };
    if (type.startsWith('multipart/')) {
      const found = splitParts(body, parameterOf(contentType, 'boundary'));
      const alternative = type === 'multipart/alternative' ? sections : position.alternative;
      if (found) return found.every((part) => visitBytes(part, { ...inner, isRelated, alternative }));
    }
    if (isMessage(type, headers) && position.forwards < MAX_FORWARDS) {
      const message = decodeBody(body, headerOf(headers, 'content-transfer-encoding'));
      const forwards = position.forwards + 1;
      return visitBytes(message, { ...inner, forwards, isRelated: false, alternative: null });
    }
    parts.push({
      headers,
      type: type.startsWith('multipart/') ? 'text/plain' : type,
      isAttachment: disposition === 'attachment',
      isEmbedded: headerOf(headers, 'content-id') !== '' && (position.isRelated || disposition === 'inline'),
      depth: position.forwards,
      alternative: position.alternative,
      body,
    });
    return true;
  }

  function visitBytes(bytes: Buffer, position: Position): boolean {
    const section = parseSection(bytes);
    return section !== null && visit(section.headers, section.body, position);
  }
}

/** A forwarded message; some programs attach it as an .eml file. */
function isMessage(type: string, headers: MimeHeader[]): boolean {
  if (type === 'message/rfc822' || type === 'message/global') return true;
  if (type !== 'application/octet-stream') return false;
  const name = parameterOf(`;${headerOf(headers, 'content-disposition')}`, 'filename') ?? '';
  return name.toLowerCase().endsWith('.eml');
}

/** Falls back to the first line like a boundary: some programs declare none, or another. Null without any. */
function splitParts(body: Buffer, boundary: string | null): Buffer[] | null {
  const declared = boundary && boundary.length <= MAX_BOUNDARY ? splitAt(body, boundary) : null;
  if (declared) return declared;
  const guessed = /(?:^|\n)--([^\r\n]{1,70})\r?\n/.exec(body.toString('latin1', 0, 4096))?.[1];
  return guessed ? splitAt(body, guessed.trimEnd()) : null;
}

/** The parts between boundary lines. The closing one may be missing. */
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
    const end = parseBoundaryEnd(body, at + line.length);
    if (!end) continue;
    if (partStart !== -1)
      parts.push(body.subarray(partStart, Math.max(partStart, beforeLineBreak(body, at))));
    partStart = end.after;
    if (end.isLast) return parts;
    if (parts.length > MAX_PARTS) break;
  }
  if (partStart === -1) return null;
  parts.push(body.subarray(partStart));
  return parts;
}

/** Null when the line only starts with the boundary. */
function parseBoundaryEnd(body: Buffer, from: number): { isLast: boolean; after: number } | null {
  const rest = body.toString('latin1', from, from + 100);
  const found = /^(--)?[ \t]*(\r?\n|$)/.exec(rest);
  return found && { isLast: found[1] !== undefined, after: from + found[0].length };
}

/** The line break before a boundary is part of it. */
function beforeLineBreak(body: Buffer, at: number): number {
  return body[at - 2] === 0x0d ? at - 2 : at - 1;
}
