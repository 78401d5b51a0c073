import { createHash } from 'node:crypto';
import { isAutomatic } from './automatic-email.ts';
import { firstBodyLine, firstWrittenLine, plainTextLines } from './email-body.ts';
import { decodeBody } from '../mime/decode-body.ts';
import { decodeHeaderText, decodeText } from '../mime/decode-text.ts';
import { headerOf, parameterOf, parseSection, type MimeHeader } from '../mime/headers.ts';
import { listParts, type MimePart } from '../mime/list-parts.ts';
import { isImage } from '../mime/image-bytes.ts';
import { imageSizeOf } from '../mime/image-size.ts';
import { parseHtml, type ParsedHtml } from '../mime/parse-html.ts';
import { signedContent } from '../mime/signed-content.ts';
import { isTnef, tnefAttachments } from '../mime/tnef.ts';
import { splitUuencoded, type UuencodedText } from '../mime/uuencode.ts';

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
  /** Of the plain text, or else of the HTML. */
  lines: string[];
  /** Without duplicates, in the order of the email. */
  photos: EmailPhoto[];
  leftOut: number;
  /** Number of pictures in the text that are too small for a photo. */
  logos: number;
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
  const texts = readTexts(parts);
  const files = extractFiles(parts, texts, { signaturesLeft: MAX_NESTED_SIGNATURES });
  const photos = pickPhotos(files);
  const ownTexts = texts.filter(({ part }) => part.depth === 0);
  return {
    subject: readSubject(headers, parts),
    firstLine: readFirstLine(ownTexts) || readAttachedText(parts),
    lines: readLines(ownTexts),
    photos: photos.slice(0, EMAIL_MAX_PHOTOS),
    leftOut: Math.max(0, photos.length - EMAIL_MAX_PHOTOS),
    logos: files.filter(({ kind, bytes }) => kind === 'logo' && !isSpacer(bytes)).length,
    otherFiles: files.filter((file) => file.kind === 'other').length,
    isEncrypted: files.some((file) => file.kind === 'encrypted'),
    isAutomatic: isAutomatic(headers),
  };
}

export function messageIdOf(headers: Pick<MimeHeader, 'name' | 'value'>[]): string | null {
  const found = /<([^<>\s\p{Cc}]{1,900})>/u.exec(headerOf(headers, 'message-id'));
  return found?.[1] ?? null;
}

type File = {
  kind: 'image' | 'logo' | 'other' | 'encrypted';
  bytes: Buffer;
  isEmbedded: boolean;
  fileName: string;
};

/** Of a picture that the HTML shows by its Content-ID. */
const LOGO_MAX_BYTES = 24 * 1024;
/** Of the shorter side of a picture within the HTML. */
const PHOTO_MIN_SIDE = 100;
/** Lines, corners and pixels that count opened mails. */
const SPACER_MAX_SIDE = 16;
/** Parts that phones and mail programs add: not reported as attachments. */
const IGNORED_TYPES =
  /^(application\/((x-)?pkcs7-signature|pgp-(signature|keys)|smil|applefile|ics|vcard)|text\/(plain|html|calendar|x-vcalendar|x-vcard|vcard|directory|x-amp-html)|message\/|multipart\/)/;
const IGNORED_NAMES = /^(ATT\d{5}(\.\w{1,4})?|.*\.(smil?|vcf|ics))$/i;
const APPLE_DOUBLE = Buffer.from('00051607', 'hex');

/** A text part with a file name is an attachment. */
function isText({ type, isAttachment, headers }: MimePart): boolean {
  const isNamed = /;\s*name\b/i.test(headerOf(headers, 'content-type'));
  return (type === 'text/plain' || type === 'text/html') && !isAttachment && !isNamed;
}

/** Bounds the work: each signed part may hold as many parts as a whole email, and signed ones among them. */
const MAX_NESTED_SIGNATURES = 5;
type Budget = { signaturesLeft: number };

function extractFiles(parts: MimePart[], texts: EmailText[], budget: Budget): File[] {
  const shown = new Set(texts.flatMap(({ html }) => html?.contentIds ?? []));
  const htmlOf = new Map(texts.map(({ part, html }) => [part, html]));
  return parts.flatMap((part, at) =>
    isText(part)
      ? [
          ...separateUuencoded(part).files.map(toFile),
          ...(htmlOf.get(part)?.images ?? []).map(toEmbeddedFile),
        ]
      : extractFile(part, { before: parts[at - 1], shown }, budget),
  );
}

function separateUuencoded({ type, headers, body }: MimePart): UuencodedText {
  const text = decodeBody(body, headerOf(headers, 'content-transfer-encoding'));
  return type === 'text/plain' ? splitUuencoded(text) : { text, files: [] };
}

/** An attachment, or the files in its container: TNEF, uuencode or S/MIME. */
function extractFile(
  part: MimePart,
  { before, shown }: { before: MimePart | undefined; shown: ReadonlySet<string> },
  budget: Budget,
): File[] {
  const bytes = decodeBody(part.body, headerOf(part.headers, 'content-transfer-encoding'));
  const { type } = part;
  const fileName = nameOf(part);
  const isEmbedded = part.isEmbedded && shown.has(contentIdOf(part));
  if (isImage(bytes)) {
    const isLogo = isEmbedded && bytes.length < LOGO_MAX_BYTES;
    return [{ kind: isLogo ? 'logo' : 'image', bytes, isEmbedded, fileName }];
  }
  if (isTnef(bytes)) return tnefAttachments(bytes).map(toFile);
  const { files } = splitUuencoded(bytes);
  if (files.length > 0 && bytes.toString('latin1', 0, 6) === 'begin ') return files.map(toFile);
  if (isPgp(part, before)) return [{ kind: 'encrypted', bytes, isEmbedded, fileName }];
  if (isSmime(part)) return unwrapSignedPart(bytes, budget);
  // Report an empty image, which was meant to be a photo, but not the empty texts that some programs add.
  const isEmpty = bytes.length === 0 && !type.startsWith('image/');
  const isIgnored =
    IGNORED_TYPES.test(type) || IGNORED_NAMES.test(fileName) || bytes.subarray(0, 4).equals(APPLE_DOUBLE);
  return isIgnored || isEmpty ? [] : [{ kind: 'other', bytes, isEmbedded, fileName }];
}

function toFile(bytes: Buffer): File {
  return { kind: isImage(bytes) ? 'image' : 'other', bytes, isEmbedded: false, fileName: '' };
}

/** A `data:` picture. */
function toEmbeddedFile(bytes: Buffer): File {
  const size = imageSizeOf(bytes);
  const isSmall = size !== null && Math.min(size.width, size.height) < PHOTO_MIN_SIDE;
  const kind = !isImage(bytes) ? 'other' : isSmall ? 'logo' : 'image';
  return { kind, bytes, isEmbedded: true, fileName: '' };
}

function isSpacer(bytes: Buffer): boolean {
  const size = imageSizeOf(bytes);
  return size !== null && Math.min(size.width, size.height) <= SPACER_MAX_SIDE;
}

function contentIdOf({ headers }: MimePart): string {
  return headerOf(headers, 'content-id').replace(/^\s*<|>\s*$/g, '');
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
    ? extractFiles(parts, readTexts(parts), budget)
    : [{ kind: 'encrypted', bytes, isEmbedded: false, fileName: '' }];
}

function pickPhotos(files: File[]): EmailPhoto[] {
  const photos = new Map<string, EmailPhoto>();
  for (const { kind, bytes, isEmbedded, fileName } of files) {
    if (kind !== 'image') continue;
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

function readLines(texts: EmailText[]): string[] {
  const plain = texts.filter(({ html }) => !html);
  return (plain.length > 0 ? plain : texts).flatMap(({ lines }) => lines);
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

/** A gateway of MMS to email attaches what the sender wrote. */
function readAttachedText(parts: MimePart[]): string {
  const attached = parts.find(
    (part) =>
      part.depth === 0 &&
      part.type === 'text/plain' &&
      !isText(part) &&
      !IGNORED_NAMES.test(nameOf(part)) &&
      part.body.length < ATTACHED_TEXT_MAX_BYTES,
  );
  if (!attached) return '';
  const { headers, body } = attached;
  const bytes = decodeBody(body, headerOf(headers, 'content-transfer-encoding'));
  if (isImage(bytes) || splitUuencoded(bytes).files.length > 0) return '';
  return firstBodyLine(decodeText(bytes, parameterOf(headerOf(headers, 'content-type'), 'charset')));
}

const ATTACHED_TEXT_MAX_BYTES = 4 * 1024;
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
