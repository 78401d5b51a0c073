import { createHash } from 'node:crypto';
import PostalMime from 'postal-mime';
import { isAutomatic } from './automatic-email.ts';
import { firstOwnLine } from './email-body.ts';
import { decodeBody } from './mime/decode-body.ts';
import { decodeHeaderText, decodeText, isUtf7 } from './mime/decode-text.ts';
import { headerOf, parameterOf, parseSection, type MimeHeader } from './mime/headers.ts';
import { listParts, type MimePart } from './mime/list-parts.ts';
import { isPicture } from './mime/image-bytes.ts';
import { signedContent } from './mime/signed-content.ts';
import { isTnef, tnefAttachments } from './mime/tnef.ts';
import { splitUuencoded, type UuencodedText } from './mime/uuencode.ts';

/** Of a message with its attachments, as it is sent. */
export const EMAIL_MAX_BYTES = 40 * 1024 * 1024;
export const EMAIL_MAX_PHOTOS = 40;

/** A picture of a mail that may become a memory. */
export type MailedPhoto = {
  bytes: Buffer;
  /** Shown in the text, as signatures are; nobody has attached it. */
  isEmbedded: boolean;
};

/** What a mail says and brings. Who really sent it is not asked here. */
export type ParsedEmail = {
  /** Decoded, prefixes and all; one line. */
  subject: string;
  /** The first line that somebody wrote; empty when nobody did. */
  firstLine: string;
  /** Each once, in the order of the mail. */
  photos: MailedPhoto[];
  /** Photos beyond the forty that are taken. */
  leftOut: number;
  /** Attachments that are no pictures, whatever they say they are. */
  otherFiles: number;
  /** Nobody but its recipient's own mail program can open it. */
  isEncrypted: boolean;
  /** No person has sent it, or not to one: nobody is to be answered. */
  isAutomatic: boolean;
};

/** Reads a whole message. Null when it is no message that a person's program writes: too large, too many parts. */
export async function parseEmail(raw: Buffer): Promise<ParsedEmail | null> {
  const section = raw.length <= EMAIL_MAX_BYTES ? parseSection(raw) : null;
  const parts = section && listParts(section.headers, section.body);
  if (!section || !parts) return null;
  const { headers } = section;
  const files = openFiles(parts, { sealsLeft: MAX_SEALS });
  const photos = pickPhotos(files);
  return {
    subject: readSubject(headers, parts),
    firstLine: firstOwnLine(await readText(parts)),
    photos: photos.slice(0, EMAIL_MAX_PHOTOS),
    leftOut: Math.max(0, photos.length - EMAIL_MAX_PHOTOS),
    otherFiles: files.filter((file) => file.kind === 'other').length,
    isEncrypted: files.some((file) => file.kind === 'encrypted'),
    isAutomatic: isAutomatic(headers),
  };
}

/** Without its angle brackets. Null when there is none, or one that could be anything. */
export function messageIdOf(headers: Pick<MimeHeader, 'name' | 'value'>[]): string | null {
  const found = /<([^<>\s\p{Cc}]{1,900})>/u.exec(headerOf(headers, 'message-id'));
  return found?.[1] ?? null;
}

type File = { kind: 'picture' | 'other' | 'encrypted'; bytes: Buffer; isEmbedded: boolean };

/** Below this a picture within the text is a logo, not a photo. */
const LOGO_MAX_BYTES = 24 * 1024;
/** What accompanies a mail and is no file that anybody attached. */
const COMPANIONS =
  /^(application\/(x-)?pkcs7-signature|application\/pgp-(signature|keys)|text\/(calendar|x-vcard|vcard|x-amp-html)|message\/|multipart\/)/;

/** What has a name is a file, whatever it says it is. */
function isText({ type, isAttachment, headers }: MimePart): boolean {
  const isNamed = /;\s*name\b/i.test(headerOf(headers, 'content-type'));
  return (type === 'text/plain' || type === 'text/html') && !isAttachment && !isNamed;
}

/** How many signatures of a mail are opened: each may hold as many parts as a whole mail, and signatures as well. */
const MAX_SEALS = 5;
type Budget = { sealsLeft: number };

function openFiles(parts: MimePart[], budget: Budget): File[] {
  return parts.flatMap((part, at) =>
    isText(part) ? splitText(part).files.map(fileOf) : openFile(part, parts[at - 1], budget),
  );
}

/** A text without the files that are written into it. */
function splitText({ type, headers, body }: MimePart): UuencodedText {
  const text = decodeBody(body, headerOf(headers, 'content-transfer-encoding'));
  return type === 'text/plain' ? splitUuencoded(text) : { text, files: [] };
}

/** What an attachment holds: itself, or what its sender's program has packed into it. */
function openFile(part: MimePart, partBefore: MimePart | undefined, budget: Budget): File[] {
  const bytes = decodeBody(part.body, headerOf(part.headers, 'content-transfer-encoding'));
  const { isEmbedded, type } = part;
  if (isPicture(bytes)) return [{ kind: 'picture', bytes, isEmbedded }];
  if (isTnef(bytes)) return tnefAttachments(bytes).map(fileOf);
  const { files } = splitUuencoded(bytes);
  if (files.length > 0 && bytes.toString('latin1', 0, 6) === 'begin ') return files.map(fileOf);
  if (isPgp(part, partBefore)) return [{ kind: 'encrypted', bytes, isEmbedded }];
  if (isSealed(part)) return openSealed(bytes, budget);
  // An empty photo was meant to come along, and its sender hears that it has not; other programs add empty texts.
  const isNothing = bytes.length === 0 && !type.startsWith('image/');
  return COMPANIONS.test(type) || isNothing ? [] : [{ kind: 'other', bytes, isEmbedded }];
}

function fileOf(bytes: Buffer): File {
  return { kind: isPicture(bytes) ? 'picture' : 'other', bytes, isEmbedded: false };
}

/** A part that says how, and then the message itself (RFC 3156, 4); or a file that was encrypted by itself. */
function isPgp(part: MimePart, partBefore: MimePart | undefined): boolean {
  const pgp = 'application/pgp-encrypted';
  if (part.type !== 'application/octet-stream') return part.type === pgp;
  return partBefore?.type === pgp || /\.(pgp|gpg)$/i.test(nameOf(part));
}

function isSealed(part: MimePart): boolean {
  const { type } = part;
  const isNamedSo = /^smime\.p7m$/i.test(nameOf(part));
  return /^application\/(x-)?pkcs7-mime$/.test(type) || (type === 'application/octet-stream' && isNamedSo);
}

function nameOf({ headers }: MimePart): string {
  const told = parameterOf(headerOf(headers, 'content-type'), 'name');
  return told ?? parameterOf(headerOf(headers, 'content-disposition'), 'filename') ?? '';
}

/** Signed it is opened; encrypted it stays closed. */
function openSealed(bytes: Buffer, budget: Budget): File[] {
  const content = budget.sealsLeft-- > 0 ? signedContent(bytes) : null;
  const section = content && parseSection(content);
  const parts = section && listParts(section.headers, section.body);
  return parts ? openFiles(parts, budget) : [{ kind: 'encrypted', bytes, isEmbedded: false }];
}

/** Without logos, and each once. */
function pickPhotos(files: File[]): MailedPhoto[] {
  const photos = new Map<string, MailedPhoto>();
  for (const { kind, bytes, isEmbedded } of files) {
    const isLogo = isEmbedded && bytes.length < LOGO_MAX_BYTES;
    if (kind !== 'picture' || isLogo) continue;
    const key = sha256(bytes);
    const isOnlyEmbedded = isEmbedded && (photos.get(key)?.isEmbedded ?? true);
    photos.set(key, { bytes, isEmbedded: isOnlyEmbedded });
  }
  return [...photos.values()];
}

/** Enough for its first line, and little enough to be read at once. */
const TEXT_MAX_BYTES = 64 * 1024;
const TEXT_MAX_LINES = 2_000;
const BOUNDARY = '=_mems-are-forever-text';

/** The words of the message itself, plain where it says them plainly. */
async function readText(parts: MimePart[]): Promise<string> {
  const own = parts.filter((part) => part.depth === 0 && isText(part) && part.body.length > 0);
  const part = own.find(({ type }) => type === 'text/plain') ?? own[0];
  if (!part) return '';
  const { type, encoding, bytes } = toReadable(part);
  // Beside a plain part, even an empty one, the library gives HTML as plain text, too.
  const message = Buffer.concat([
    Buffer.from(
      `Content-Type: multipart/mixed; boundary=${BOUNDARY}\r\n\r\n--${BOUNDARY}\r\n\r\n--${BOUNDARY}\r\n` +
        `${type && `Content-Type: ${type}\r\n`}${encoding && `Content-Transfer-Encoding: ${encoding}\r\n`}\r\n`,
    ),
    beginningOf(bytes),
  ]);
  const { text = '' } = await PostalMime.parse(message);
  return text;
}

/** What the library reads: neither files written into a text nor UTF-7 is. */
function toReadable(part: MimePart): { type: string; encoding: string; bytes: Buffer } {
  const told = headerOf(part.headers, 'content-type');
  const type = told.toLowerCase().startsWith('multipart/') ? '' : told;
  const charset = parameterOf(told, 'charset');
  const { text, files } = splitText(part);
  if (isUtf7(charset)) {
    return {
      type: `${part.type}; charset=utf-8`,
      encoding: '8bit',
      bytes: Buffer.from(decodeText(text, charset)),
    };
  }
  if (files.length > 0) return { type, encoding: '8bit', bytes: text };
  return { type, encoding: headerOf(part.headers, 'content-transfer-encoding'), bytes: part.body };
}

/** What it says in bytes of no told character set is most likely in that of the text. */
function readSubject(headers: MimeHeader[], parts: MimePart[]): string {
  const text = parts.find((part) => part.depth === 0 && isText(part));
  const charset = text ? parameterOf(headerOf(text.headers, 'content-type'), 'charset') : null;
  const subject = headers.find(({ name }) => name === 'subject');
  return oneLine(decodeHeaderText(subject?.raw ?? '', charset));
}

function beginningOf(body: Buffer): Buffer {
  let end = 0;
  for (let lines = 0; lines < TEXT_MAX_LINES && end < TEXT_MAX_BYTES; lines++) {
    const lineEnd = body.indexOf(0x0a, end);
    end = lineEnd === -1 ? body.length : lineEnd + 1;
    if (lineEnd === -1) break;
  }
  return body.subarray(0, Math.min(end, TEXT_MAX_BYTES));
}

function oneLine(text: string): string {
  return text.replace(/[\s\p{Cc}]+/gu, ' ').trim();
}

function sha256(bytes: Buffer): string {
  return createHash('sha256').update(bytes).digest('hex');
}
