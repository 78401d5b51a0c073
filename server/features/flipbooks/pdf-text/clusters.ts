import type { Emoji, EmojiLibrary } from './emoji-library.ts';
import type { Face, FontLibrary, HanStyle, LoadedFont } from './font-library.ts';

/** What a reader takes for one character, and what draws it. It is a piece of the text, from `start` on. */
export type Cluster = {
  start: number;
  /** As it is drawn: without what is invisible. */
  text: string;
  isSpace: boolean;
  /** The next letter is written as if this one were not there: a zero-width non-joiner is between them. */
  isLoose: boolean;
  /** Null: nothing is to be seen. */
  ink: { font: LoadedFont } | { emoji: Emoji } | null;
};

export type Libraries = { fonts: FontLibrary; emojis: EmojiLibrary };

/** Stands for characters that we can draw by no means: something was written here. */
const UNKNOWN = '…';

const graphemes = new Intl.Segmenter('und', { granularity: 'grapheme' });
const IS_SPACE = /^[\p{White_Space}\u200B]+$/u;
const IS_EMOJI = /^\p{Emoji_Presentation}|\uFE0F|\u200D.*\p{Extended_Pictographic}/u;
const EMOJI_PARTS = /\p{Emoji_Presentation}|\p{Extended_Pictographic}/gu;
/** Draws nothing by itself: controls, direction marks, joiners, variation selectors, tags. */
const INVISIBLE = /[\p{Cc}\p{Default_Ignorable_Code_Point}]/gu;
const NON_JOINER = '\u200C';
/** A letter with as many marks as Unicode's stream-safe text allows it; heaps of thousands would take seconds each. */
const LONGEST_SEGMENT = 64;

/** Splits a text into what is drawn one by one, and finds a font or a picture for each. */
export async function splitIntoClusters(text: string, face: Face, libraries: Libraries): Promise<Cluster[]> {
  const han = hanStyleOf(text);
  const clusters: Cluster[] = [];
  for (const { segment: whole, index } of graphemes.segment(text)) {
    const segment = whole.slice(0, LONGEST_SEGMENT);
    for (const ink of await inksFor(segment, face, han, libraries)) {
      const last = clusters.at(-1);
      // A word that we can't draw is one mark, not one for each letter.
      if (ink.text === UNKNOWN && last?.text === UNKNOWN && text[last.start] !== UNKNOWN) continue;
      const isLoose = segment.endsWith(NON_JOINER);
      clusters.push({ start: index, isSpace: ink.text === ' ', isLoose, ...ink });
    }
  }
  return clusters;
}

type Ink = Pick<Cluster, 'text' | 'ink'>;

async function inksFor(
  segment: string,
  face: Face,
  han: HanStyle,
  { fonts, emojis }: Libraries,
): Promise<Ink[]> {
  if (IS_SPACE.test(segment)) {
    const font = await fonts.find(face, ' ', han);
    return font ? [{ text: ' ', ink: { font } }] : [];
  }
  if (IS_EMOJI.test(segment)) {
    const pictures = await emojiInks(segment, emojis);
    if (pictures.length > 0) return pictures;
  }
  const visible = segment.replace(INVISIBLE, '').normalize('NFC');
  if (visible === '') return [{ text: '', ink: null }];
  for (const candidate of new Set([visible, visible.normalize('NFKC')])) {
    const font = await fonts.find(face, candidate, han);
    if (font) return [{ text: candidate, ink: { font } }];
  }
  const pictures = await emojiInks(segment, emojis);
  if (pictures.length > 0) return pictures;
  // A letter under a heap of marks that no font has.
  const [letter = ''] = visible.normalize('NFD');
  const font = await fonts.find(face, letter, han);
  if (font) return [{ text: letter, ink: { font } }];
  const mark = await fonts.find(face, UNKNOWN, han);
  return mark ? [{ text: UNKNOWN, ink: { font: mark } }] : [];
}

/** The picture of an emoji; of one that is newer than our pictures, those of its parts. */
async function emojiInks(segment: string, emojis: EmojiLibrary): Promise<Ink[]> {
  const whole = await emojis.find(segment);
  if (whole) return [{ text: segment, ink: { emoji: whole } }];
  const inks: Ink[] = [];
  for (const [part] of segment.matchAll(EMOJI_PARTS)) {
    const emoji = await emojis.find(part);
    if (emoji) inks.push({ text: part, ink: { emoji } });
  }
  return inks;
}

/** Kana are Japanese, Hangul is Korean; Chinese characters alone are read as Chinese. */
function hanStyleOf(text: string): HanStyle {
  if (/[\p{Script=Hiragana}\p{Script=Katakana}]/u.test(text)) return 'jp';
  return /\p{Script=Hangul}/u.test(text) ? 'kr' : 'sc';
}
