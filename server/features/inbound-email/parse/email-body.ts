import { isDeviceLine } from './device-lines.ts';
import { foldWord } from './fold-word.ts';
import { isQuoteStart } from './quoted-message.ts';

/** Prefixes of replies and forwards, in many languages: https://en.wikipedia.org/wiki/List_of_email_subject_abbreviations */
const PREFIXES = new Set(
  `re fw fwd aw antw wg sv vs vb tr rv r i rif res enc encam odp pd doorst ynt ilt ref trs réf ré
   απ σχετ πρθ на отв ha пересл fs vl bls továbbítás továbbitás vá továb ang atb att yml ylt
   回复 回覆 答复 答覆 转发 轉寄 轉發 返信 転送 답장 회신 전달 전달됨 ตอบ ส่งต่อ إعادة رد השב הועבר`
    .split(/\s+/)
    .map(foldWord),
);
const PREFIX = /^\s*([\p{L}\p{M}]{1,12})\s*(?:\[\d{1,3}\]|\(\d{1,3}\)|\^\d{1,3})?\s*[:：]\s*/u;
/** Mail servers of companies tag external email. */
const TAG = /^\s*\[(?:external|extern|externo|externe|ext)\]\s*:?\s*/iu;
const MAX_PREFIXES = 30;

/** A pet's name is not a prefix: `Vs: at the beach` may be about a pet called Vs. */
export function stripSubjectPrefixes(
  subject: string,
  isPetName: (word: string) => boolean = () => false,
): string {
  let text = subject.trim();
  for (let n = 0; n < MAX_PREFIXES; n++) {
    const tag = TAG.exec(text);
    const prefix = PREFIX.exec(text);
    const word = prefix?.[1] ?? '';
    const isPrefix = PREFIXES.has(foldWord(word)) && !isPetName(word);
    const found = tag?.[0] ?? (isPrefix ? prefix?.[0] : undefined);
    if (found === undefined) break;
    text = text.slice(found.length);
  }
  return isPlaceholderSubject(text) ? '' : text.trim();
}

/** Written by mail programs for a subject that is empty. */
const NO_SUBJECT = new Set(
  `no subject|none|untitled|kein betreff|ohne betreff|sans objet|aucun objet|pas de sujet|sin asunto|sin titulo|nessun oggetto|
  senza oggetto|geen onderwerp|sem assunto|inget amne|intet emne|ingen emne|ikke noget emne|ei aihetta|ei otsikkoa|brak tematu|
  bez tematu|bez predmetu|zadny predmet|bez predmeta|nincs targy|targy nelkul|fara subiect|niciun subiect|χωρις θεμα|
  κανενα θεμα|konu yok|konusuz|без темы|без теми|нет темы|без тема|без предмета|无主题|無主題|無主旨|没有主题|件名なし|無題|제목 없음|제목없음|
  khong co tieu de|khong co chu de|tanpa subjek|tiada subjek|tidak ada subjek|ไม่มีชื่อเรื่อง|ไม่มีหัวเรื่อง|ไม่มีหัวข้อ|بدون موضوع|
  لا يوجد موضوع|بلا موضوع|ללא נושא|אין נושא|sense assumpte|pealkirjata|teema puudub|be temos|bez temata|कोई विषय नहीं`
    .split('|')
    .map((each) => foldWord(each).trim()),
);

function isPlaceholderSubject(subject: string): boolean {
  const [, inner = subject] = /^[([<（【＜「](.{1,60})[)\]>）】＞」]$/u.exec(subject.trim()) ?? [];
  return NO_SUBJECT.has(foldWord(inner).replace(/\s+/g, ' ').trim());
}

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
