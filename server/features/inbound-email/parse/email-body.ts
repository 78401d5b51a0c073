import { isDeviceLine } from './device-lines.ts';
import { isQuoteStart } from './quoted-message.ts';

const MAX_LINES = 500;
const LINE_MAX_LENGTH = 1_000;

/** Lines of a text/plain part. Sentences that the mail program wrapped are whole again. */
export function plainTextLines(text: string, { isFlowed = false, deletesSpaces = false } = {}): string[] {
  const lines = text
    .split(/\r\n|[\r\n\u2028\u2029]/, MAX_LINES)
    .map((line) => line.slice(0, LINE_MAX_LENGTH));
  return isFlowed ? joinFlowed(lines, deletesSpaces) : joinWrapped(lines.map((line) => line.trim()));
}

/** RFC 3676: a line that ends with a space goes on in the next one. */
function joinFlowed(lines: string[], deletesSpaces: boolean): string[] {
  const joined: string[] = [];
  let isOpen = false;
  for (const line of lines) {
    const text = line.replace(/^ /, '');
    const isSignature = text === '-- ';
    const before = isOpen && !isSignature && !text.startsWith('>') ? joined.pop() : undefined;
    isOpen = text.endsWith(' ') && !isSignature && !text.startsWith('>');
    joined.push((before ?? '') + (isOpen && deletesSpaces ? text.slice(0, -1) : text));
  }
  return joined.map((line) => line.trim());
}

/** Mail programs wrap at 65 to 80 columns. */
const WRAP_COLUMNS = { min: 60, typical: 72, max: 80 };

/** Joins a line that ends only because the next word did not fit. A text with a longer line was not wrapped. */
function joinWrapped(lines: string[]): string[] {
  const isWrapped = !lines.some((line) => columnsOf(line) > WRAP_COLUMNS.max && /\s/u.test(line));
  if (!isWrapped) return lines;
  const joined: string[] = [];
  lines.forEach((line, index) => {
    const before = lines[index - 1];
    const last = before !== undefined && isWrappedAt(before, line) ? joined.pop() : undefined;
    if (last === undefined) joined.push(line);
    else joined.push(isWide(last.at(-1)) && isWide(line[0]) ? last + line : `${last} ${line}`);
  });
  return joined;
}

function isWrappedAt(line: string, next: string): boolean {
  if (/[.!?…。！？]["'”’»)]*$/u.test(line) || !/^[\p{L}\p{N}\p{Extended_Pictographic}"'“‘«([¿¡]/u.test(next))
    return false;
  if (/^\d{1,3}[.)]\s/.test(next) || line.startsWith('>')) return false;
  const nextWord = isWide(next[0]) ? next.slice(0, 1) : (/^\S+/u.exec(next)?.[0] ?? '');
  const columns = columnsOf(line);
  const isLong = columns >= WRAP_COLUMNS.min && columns <= WRAP_COLUMNS.max;
  return isLong && columns + 1 + columnsOf(nextWord) > WRAP_COLUMNS.typical;
}

/** A character of Chinese, Japanese or Korean takes two. */
function columnsOf(text: string): number {
  return text.length + (text.match(WIDE)?.length ?? 0);
}

const WIDE = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\u3000-\u303f\uff00-\uff60]/gu;

function isWide(character = ''): boolean {
  return character.search(WIDE) !== -1;
}

const PICTURE =
  'image|picture|photo|bild|bilder|imagen|imagene|immagine|immagini|afbeelding|imagem|imagen|obraz|obrázek|kép|kuva|bilde|billede|resim|rysunek|imagine|εικόνα|изображение|картинка|зображення|画像|图片|圖片|图像|圖像|이미지|รูปภาพ|תמונה|صورة';
/** Stands for a picture in plain text: Gmail's [image: IMG_1234.jpg], Outlook's [cid:…], Apple's <IMG_1234.jpg>. */
const PICTURES = [
  /[[<]\s*cid:[^\]>]{1,300}[\]>]/giu,
  /[[<](?:[^[\]<>]{1,60}[:：])?\s*[^[\]<>]{1,200}\.(?:jpe?g|png|gif|hei[cf]|webp|avif|bmp|tiff?)\s*[\]>]/giu,
  new RegExp(
    `\\[(?:\\p{L}+[ -]){0,3}(?:${PICTURE})s?(?:\\s?\\p{L}+){0,2}\\s?(?:\\d{1,3}|[:：][^[\\]]{0,300})\\]`,
    'giu',
  ),
  new RegExp(`\\[(?:(?:inline|embedded|attached)[ -])?(?:${PICTURE})s?\\]`, 'giu'),
  /\ufffc/gu,
];

/** The first line that the sender wrote. Own: email-reply-parser requires Node 22, and email-forward-parser finds no replies. */
export function firstWrittenLine(lines: string[]): string {
  const trimmed = lines.map((line) => removePictures(stripControls(line.slice(0, LINE_MAX_LENGTH))).trim());
  // Gmail marks the direction of names and addresses.
  const undirected = trimmed.map((line) => line.replace(/\p{Bidi_Control}/gu, '').trim());
  for (const [index, line] of undirected.entries()) {
    if (isQuoteStart(undirected, index)) return '';
    if (line === '' || line.startsWith('>') || isDeviceLine(line)) continue;
    if (/[\p{L}\p{N}\p{Extended_Pictographic}]/u.test(line)) return trimmed[index] ?? '';
  }
  return '';
}

export function firstBodyLine(text: string): string {
  return firstWrittenLine(plainTextLines(text));
}

function removePictures(line: string): string {
  return PICTURES.reduce((text, picture) => text.replace(picture, ''), line);
}

/** Postgres accepts no NUL. */
function stripControls(line: string): string {
  return line.replace(/[^\P{Cc}\t]/gu, '');
}
