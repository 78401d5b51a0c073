import type { Emoji, EmojiLibrary } from './emoji-library.ts';
import type { Face, FontLibrary, HanStyle, LoadedFont } from './font-library.ts';

/** A grapheme with the font or emoji that renders it. `start` is its index in the text. */
export type Cluster = {
  start: number;
  text: string;
  isSpace: boolean;
  /** A zero-width non-joiner follows: the next letter must not be joined. */
  isNonJoining: boolean;
  glyphs: { font: LoadedFont } | { emoji: Emoji } | null;
};

export type Libraries = { fonts: FontLibrary; emojis: EmojiLibrary };

const REPLACEMENT = '…';

const graphemes = new Intl.Segmenter('und', { granularity: 'grapheme' });
const IS_SPACE = /^[\p{White_Space}\u200B]+$/u;
const IS_EMOJI = /^\p{Emoji_Presentation}|\uFE0F|\u200D.*\p{Extended_Pictographic}/u;
const EMOJI_PARTS = /\p{Emoji_Presentation}|\p{Extended_Pictographic}/gu;
/** Controls, direction marks, joiners, variation selectors, tags. */
const INVISIBLE = /[\p{Cc}\p{Default_Ignorable_Code_Point}]/gu;
const NON_JOINER = '\u200C';
/** Unicode's stream-safe text has at most 30 marks on a letter; thousands would take seconds to shape. */
const MAX_SEGMENT_LENGTH = 64;

export async function splitIntoClusters(text: string, face: Face, libraries: Libraries): Promise<Cluster[]> {
  const han = detectHanStyle(text);
  const clusters: Cluster[] = [];
  for (const { segment: whole, index } of graphemes.segment(text)) {
    const segment = whole.slice(0, MAX_SEGMENT_LENGTH);
    for (const rendered of await renderSegment(segment, face, han, libraries)) {
      const last = clusters.at(-1);
      // One replacement per word, not per letter.
      if (rendered.text === REPLACEMENT && last?.text === REPLACEMENT && text[last.start] !== REPLACEMENT)
        continue;
      const isNonJoining = segment.endsWith(NON_JOINER);
      clusters.push({ start: index, isSpace: rendered.text === ' ', isNonJoining, ...rendered });
    }
  }
  return clusters;
}

type Rendered = Pick<Cluster, 'text' | 'glyphs'>;

async function renderSegment(
  segment: string,
  face: Face,
  han: HanStyle,
  { fonts, emojis }: Libraries,
): Promise<Rendered[]> {
  if (IS_SPACE.test(segment)) {
    const font = await fonts.find(face, ' ', han);
    return font ? [{ text: ' ', glyphs: { font } }] : [];
  }
  if (IS_EMOJI.test(segment)) {
    const images = await renderEmoji(segment, emojis);
    if (images.length > 0) return images;
  }
  const visible = segment.replace(INVISIBLE, '').normalize('NFC');
  if (visible === '') return [{ text: '', glyphs: null }];
  for (const candidate of new Set([visible, visible.normalize('NFKC')])) {
    const font = await fonts.find(face, candidate, han);
    if (font) return [{ text: candidate, glyphs: { font } }];
  }
  const images = await renderEmoji(segment, emojis);
  if (images.length > 0) return images;
  // No font has the letter with its marks: try the bare letter.
  const [letter = ''] = visible.normalize('NFD');
  const font = await fonts.find(face, letter, han);
  if (font) return [{ text: letter, glyphs: { font } }];
  const mark = await fonts.find(face, REPLACEMENT, han);
  return mark ? [{ text: REPLACEMENT, glyphs: { font: mark } }] : [];
}

/** Falls back to the parts of an emoji sequence that is newer than the image set. */
async function renderEmoji(segment: string, emojis: EmojiLibrary): Promise<Rendered[]> {
  const whole = await emojis.find(segment);
  if (whole) return [{ text: segment, glyphs: { emoji: whole } }];
  const parts: Rendered[] = [];
  for (const [part] of segment.matchAll(EMOJI_PARTS)) {
    const emoji = await emojis.find(part);
    if (emoji) parts.push({ text: part, glyphs: { emoji } });
  }
  return parts;
}

/** Guesses the language of Han characters by the other scripts in the text. */
function detectHanStyle(text: string): HanStyle {
  if (/[\p{Script=Hiragana}\p{Script=Katakana}]/u.test(text)) return 'jp';
  return /\p{Script=Hangul}/u.test(text) ? 'kr' : 'sc';
}
