/** File systems limit a name to 255 bytes, and Windows a whole path to 260 characters. */
const MAX_FOLDER_BYTES = 60;
const MAX_CAPTION_BYTES = 90;

const graphemes = new Intl.Segmenter('en', { granularity: 'grapheme' });

/** Not allowed on Windows (the first ones), or invisible: controls of the writing direction could disguise the extension. */
const FORBIDDEN = /[\\/:*?"<>|\p{Cc}\p{Zl}\p{Zp}]+/gu;
/** Emoji and Persian need the joiners. macOS rejects characters that Unicode has not assigned. */
const INVISIBLE = /(?![\u200c\u200d])[\p{Cf}\p{Cs}\p{Co}\p{Cn}]/gu;
/** Device names of Windows, also before an extension. */
const RESERVED = /^(con|prn|aux|nul|com[0-9¹²³]|lpt[0-9¹²³]|conin\$|conout\$) *(\.|$)/i;

/** A part of a file name for Windows, macOS and Linux; empty if nothing of the text can stand in one. */
export function toFileNameText(text: string, maxBytes: number): string {
  const clean = text.normalize('NFC').replace(FORBIDDEN, ' ').replace(INVISIBLE, '').replace(/\s+/gu, ' ');
  let short = '';
  let bytes = 0;
  // Cut before: the segmenter copies its whole text for each grapheme.
  for (const { segment } of graphemes.segment(clean.slice(0, maxBytes + 1))) {
    bytes += Buffer.byteLength(segment);
    if (bytes > maxBytes) break;
    short += segment;
  }
  // Windows drops dots and spaces at the end; a dot at the start hides the file.
  return short.replace(/^[. ]+|[. ]+$/gu, '');
}

export function toFolderName(name: string | null, fallback: string): string {
  const text = toFileNameText(name ?? '', MAX_FOLDER_BYTES) || fallback;
  return RESERVED.test(text) ? `_${text}` : text;
}

/** The last digits: the first ones of a UUID v7 are its time, which photos of a minute share. */
function toShortId(id: string): string {
  return id.slice(-8);
}

const EXTENSIONS: Record<string, string> = {
  'image/jpeg': 'jpg',
  'image/png': 'png',
  'image/webp': 'webp',
  'image/heic': 'heic',
  'image/avif': 'avif',
  'image/gif': 'gif',
};

function toExtension(contentType: string): string {
  return EXTENSIONS[contentType] ?? 'bin';
}

/** Distinct also where case does not count. */
export function createPathNames() {
  const taken = new Set<string>();

  /** `<start> <text> <id8>.<ext>` in the folder; with the whole id if that is taken. */
  return function toPath(file: {
    folder: string;
    start: string;
    text: string | null;
    id: string;
    contentType: string;
  }): string {
    const text = toFileNameText(file.text ?? '', MAX_CAPTION_BYTES);
    const named = (id: string) =>
      `${file.folder}/${[file.start, text, id].filter(Boolean).join(' ')}.${toExtension(file.contentType)}`;
    const short = named(toShortId(file.id));
    const path = taken.has(short.toLowerCase()) ? named(file.id) : short;
    taken.add(path.toLowerCase());
    return path;
  };
}

/** The sidecar or the preview of a file has its name. */
export function withExtension(path: string, extension: string): string {
  return `${path.slice(0, path.lastIndexOf('.'))}.${extension}`;
}
