import { createHash } from 'node:crypto';
import { isAutomatic } from './automatic-email.ts';
import { firstWrittenLine, plainTextLines } from './email-body.ts';
import { decodeBody } from './mime/decode-body.ts';
import { decodeHeaderText, decodeText } from './mime/decode-text.ts';
import { headerOf, parameterOf, parseSection, type MimeHeader } from './mime/headers.ts';
import { listParts, type MimePart } from './mime/list-parts.ts';
import { isImage } from './mime/image-bytes.ts';
import { parseHtml, type ParsedHtml } from './mime/parse-html.ts';
import { signedContent } from './mime/signed-content.ts';
import { isTnef, tnefAttachments } from './mime/tnef.ts';
import { splitUuencoded, type UuencodedText } from './mime/uuencode.ts';

/** Of the whole message, as it is sent. */
export const MAX_EMAIL_BYTES = 40 * 1024 * 1024;
export const EMAIL_MAX_PHOTOS = 40;

export type EmailPhoto = {
  bytes: Buffer;
  /** Shown within the text only, as signatures are, and not attached. */
  isEmbedded: boolean;
  /** As the sender gave it; empty if there is none. */
  fileName: string;
};

export type ParsedEmail = {
  /** Decoded, in one line, with prefixes such as `Re:`. */
  subject: string;
  firstLine: string;
  /** Without duplicates, in the order of the email. */
  photos: EmailPhoto[];
  leftOut: number;
  /** Number of attachments that are not images by their bytes. */
  otherFiles: number;
  isEncrypted: boolean;
  isAutomatic: boolean;
};

/** Null for a message that is too large or has too many parts or headers. */
export function parseEmail(raw: Buffer): ParsedEmail | null {
  const section = raw.length <= MAX_EMAIL_BYTES ? parseSection(raw) : null;
  const parts = section && listParts(section.headers, section.body);
  if (!section || !parts) return null;
  const { headers } = section;
  const files = extractFiles(parts, { signaturesLeft: MAX_NESTED_SIGNATURES });
  const photos = pickPhotos(files);
  return {
    subject: readSubject(headers, parts),
    firstLine: readFirstLine(readTexts(parts).filter(({ part }) => part.depth === 0)),
    photos: photos.slice(0, EMAIL_MAX_PHOTOS),
    leftOut: Math.max(0, photos.length - EMAIL_MAX_PHOTOS),
    otherFiles: files.filter((file) => file.kind === 'other').length,
    isEncrypted: files.some((file) => file.kind === 'encrypted'),
    isAutomatic: isAutomatic(headers),
  };
}

export function messageIdOf(headers: Pick<MimeHeader, 'name' | 'value'>[]): string | null {
  const found = /<([^<>\s\p{Cc}]{1,900})>/u.exec(headerOf(headers, 'message-id'));
  return found?.[1] ?? null;
}

type File = { kind: 'image' | 'other' | 'encrypted'; bytes: Buffer; isEmbedded: boolean; fileName: string };

const LOGO_MAX_BYTES = 24 * 1024;
/** Parts that mail programs add: not reported as attachments. */
const IGNORED_TYPES =
  /^(application\/(x-)?pkcs7-signature|application\/pgp-(signature|keys)|text\/(calendar|x-vcard|vcard|x-amp-html)|message\/|multipart\/)/;

/** A text part with a file name is an attachment. */
function isText({ type, isAttachment, headers }: MimePart): boolean {
  const isNamed = /;\s*name\b/i.test(headerOf(headers, 'content-type'));
  return (type === 'text/plain' || type === 'text/html') && !isAttachment && !isNamed;
}

/** Bounds the work: each signed part may hold as many parts as a whole email, and signed ones among them. */
const MAX_NESTED_SIGNATURES = 5;
type Budget = { signaturesLeft: number };

function extractFiles(parts: MimePart[], budget: Budget): File[] {
  return parts.flatMap((part, at) =>
    isText(part) ? separateUuencoded(part).files.map(toFile) : extractFile(part, parts[at - 1], budget),
  );
}

function separateUuencoded({ type, headers, body }: MimePart): UuencodedText {
  const text = decodeBody(body, headerOf(headers, 'content-transfer-encoding'));
  return type === 'text/plain' ? splitUuencoded(text) : { text, files: [] };
}

/** An attachment, or the files in its container: TNEF, uuencode or S/MIME. */
function extractFile(part: MimePart, partBefore: MimePart | undefined, budget: Budget): File[] {
  const bytes = decodeBody(part.body, headerOf(part.headers, 'content-transfer-encoding'));
  const { isEmbedded, type } = part;
  const fileName = nameOf(part);
  if (isImage(bytes)) return [{ kind: 'image', bytes, isEmbedded, fileName }];
  if (isTnef(bytes)) return tnefAttachments(bytes).map(toFile);
  const { files } = splitUuencoded(bytes);
  if (files.length > 0 && bytes.toString('latin1', 0, 6) === 'begin ') return files.map(toFile);
  if (isPgp(part, partBefore)) return [{ kind: 'encrypted', bytes, isEmbedded, fileName }];
  if (isSmime(part)) return unwrapSignedPart(bytes, budget);
  // Report an empty image, which was meant to be a photo, but not the empty texts that some programs add.
  const isEmpty = bytes.length === 0 && !type.startsWith('image/');
  return IGNORED_TYPES.test(type) || isEmpty ? [] : [{ kind: 'other', bytes, isEmbedded, fileName }];
}

function toFile(bytes: Buffer): File {
  return { kind: isImage(bytes) ? 'image' : 'other', bytes, isEmbedded: false, fileName: '' };
}

/** The two parts of PGP/MIME (RFC 3156, 4), or a single encrypted file. */
function isPgp(part: MimePart, partBefore: MimePart | undefined): boolean {
  const pgp = 'application/pgp-encrypted';
  if (part.type !== 'application/octet-stream') return part.type === pgp;
  return partBefore?.type === pgp || /\.(pgp|gpg)$/i.test(nameOf(part));
}

function isSmime(part: MimePart): boolean {
  const { type } = part;
  const isNamedSmime = /^smime\.p7m$/i.test(nameOf(part));
  return /^application\/(x-)?pkcs7-mime$/.test(type) || (type === 'application/octet-stream' && isNamedSmime);
}

function nameOf({ headers }: MimePart): string {
  const declared = parameterOf(headerOf(headers, 'content-type'), 'name');
  return declared ?? parameterOf(headerOf(headers, 'content-disposition'), 'filename') ?? '';
}

function unwrapSignedPart(bytes: Buffer, budget: Budget): File[] {
  const content = budget.signaturesLeft-- > 0 ? signedContent(bytes) : null;
  const section = content && parseSection(content);
  const parts = section && listParts(section.headers, section.body);
  return parts
    ? extractFiles(parts, budget)
    : [{ kind: 'encrypted', bytes, isEmbedded: false, fileName: '' }];
}

function pickPhotos(files: File[]): EmailPhoto[] {
  const photos = new Map<string, EmailPhoto>();
  for (const { kind, bytes, isEmbedded, fileName } of files) {
    const isLogo = isEmbedded && bytes.length < LOGO_MAX_BYTES;
    if (kind !== 'image' || isLogo) continue;
    const key = createHash('sha256').update(bytes).digest('hex');
    const same = photos.get(key);
    photos.set(key, {
      bytes,
      isEmbedded: isEmbedded && (same?.isEmbedded ?? true),
      fileName: same?.fileName || fileName,
    });
  }
  return [...photos.values()];
}

/** HTML is read where there is one: plain text loses where lines end. */
function readFirstLine(texts: EmailText[]): string {
  const isHtml = ({ part, html }: EmailText) => html?.hasText && part.alternative;
  const withHtml = new Set(texts.filter(isHtml).map(({ part }) => part.alternative));
  const chosen = texts.filter(
    ({ part, html }) => html?.hasText || (!html && !withHtml.has(part.alternative)),
  );
  return firstWrittenLine(chosen.flatMap(({ lines }) => lines));
}

type EmailText = { part: MimePart; lines: string[]; html: ParsedHtml | null };

function readTexts(parts: MimePart[]): EmailText[] {
  return parts
    .filter((part) => isText(part))
    .map((part) => {
      const contentType = headerOf(part.headers, 'content-type');
      const bytes = separateUuencoded(part).text;
      const charset = parameterOf(contentType, 'charset');
      if (part.type === 'text/html') {
        const html = parseHtml(decodeText(bytes, charset ?? charsetOfHtml(bytes)));
        return { part, lines: html.lines, html };
      }
      const isFlowed = /^flowed$/i.test(parameterOf(contentType, 'format') ?? '');
      const deletesSpaces = /^yes$/i.test(parameterOf(contentType, 'delsp') ?? '');
      const text = decodeText(bytes, charset).slice(0, TEXT_MAX_LENGTH);
      return { part, lines: plainTextLines(text, { isFlowed, deletesSpaces }), html: null };
    });
}

/** Of plain text. */
const TEXT_MAX_LENGTH = 64 * 1024;

function charsetOfHtml(bytes: Buffer): string | null {
  return (
    /<meta[^>]{1,200}charset\s*=\s*["']?([\w-]{1,40})/i.exec(bytes.toString('latin1', 0, 2048))?.[1] ?? null
  );
}

/** Raw bytes without a declared charset are most likely in that of the text. */
function readSubject(headers: MimeHeader[], parts: MimePart[]): string {
  const text = parts.find((part) => part.depth === 0 && isText(part));
  const charset = text ? parameterOf(headerOf(text.headers, 'content-type'), 'charset') : null;
  const subject = headers.find(({ name }) => name === 'subject');
  return oneLine(decodeHeaderText(subject?.raw ?? '', charset));
}

function oneLine(text: string): string {
  return text.replace(/[\s\p{Cc}]+/gu, ' ').trim();
}
