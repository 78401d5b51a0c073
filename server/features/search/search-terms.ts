import { toAsciiDigits } from '#shared/text/digits';

/** In code points: longer words are stored, and searched, by this prefix. */
const MAX_TERM_LENGTH = 64;
/** The words of a long story. A caption has up to 256 KiB; a malicious one would fill the index with ten times as much. */
export const MAX_TERMS = 5_000;
/** Renaming a pet rewrites these terms for each of its memories. */
const MAX_PET_NAME_TERMS = 32;

/** A run of letters and digits with their marks (Thai and Devanagari vowels are marks), or of other visible symbols. */
const RUN = /[\p{L}\p{N}][\p{L}\p{N}\p{M}]*|[^\p{L}\p{N}\s]+/gu;
const LETTER = /[\p{L}\p{N}]/u;
/** A letter with its marks, a flag, or an emoji with its skin tone. */
const GRAPHEME = /\p{RI}{2}|.[\p{M}\p{EMod}\u{E0020}-\u{E007F}]*/gsu;
/** Symbols, and scripts without spaces: a word may start at any grapheme. */
const SPACELESS =
  /^(?:[\p{scx=Han}\p{scx=Hira}\p{scx=Kana}\p{scx=Thai}\p{scx=Laoo}\p{scx=Khmr}\p{scx=Mymr}]|[^\p{L}\p{N}])/u;
const PREFIX = new RegExp(`^.{1,${MAX_TERM_LENGTH}}`, 'su');

/** Accents (Latin, Greek, Cyrillic), Hebrew points and Arabic harakat, which most people do not type. */
const ACCENTS =
  /[\u0300-\u036f\u0483-\u0487\u0591-\u05bd\u05bf\u05c1\u05c2\u05c4\u05c5\u05c7\u0610-\u061a\u0640\u064b-\u065f\u0670\u06d6-\u06dc\u06df-\u06e4\u06e7\u06e8\u06ea-\u06ed]/gu;
/** Soft hyphens, direction marks, joiners and variation selectors. Tags stay, since flags consist of them. */
const INVISIBLE = /[\u{FE00}-\u{FE0F}\u{E0100}-\u{E01EF}]|(?![\u{E0020}-\u{E007F}])\p{Cf}/gu;
/** ASCII spellings of letters that NFKD does not decompose. */
const TRANSLITERATIONS: Record<string, string> = {
  ß: 'ss',
  æ: 'ae',
  œ: 'oe',
  ø: 'o',
  đ: 'd',
  ð: 'd',
  þ: 'th',
  ł: 'l',
  ħ: 'h',
  ı: 'i',
  ŋ: 'n',
  ŧ: 't',
  ς: 'σ',
};
/** Arabic, Persian and Urdu keyboards have other letters where people mean the same. */
const ARABIC_LETTERS: Record<string, string> = {
  '\u0649': '\u064a', // Alef maksura, yeh
  '\u06cc': '\u064a', // Farsi yeh
  '\u06a9': '\u0643', // Keheh, kaf
  '\u06aa': '\u0643', // Swash kaf
  '\u0629': '\u0647', // Teh marbuta, heh
  '\u06d5': '\u0647', // Ae
  '\u06c1': '\u0647', // Heh goal
  '\u06c3': '\u0647', // Teh marbuta goal
  '\u06be': '\u0647', // Heh doachashmee
  '\u0671': '\u0627', // Alef wasla, alef
  '\u0672': '\u0627', // Alef with wavy hamza above
  '\u0673': '\u0627', // Alef with wavy hamza below
};
const REPLACEMENTS: Record<string, string> = { ...TRANSLITERATIONS, ...ARABIC_LETTERS };
const REPLACED = new RegExp(`[${Object.keys(REPLACEMENTS).join('')}]`, 'gu');

/** Terms of earlier releases have these letters, and digits of other scripts. */
export const OUTDATED_LETTERS = Object.keys(ARABIC_LETTERS).join('');

/** The distinct terms under which a text is indexed. A search term matches as the prefix of one. */
export function toSearchTerms(text: string, limit = MAX_TERMS): string[] {
  const terms = new Set<string>();
  for (const [run] of normalizeText(text).matchAll(RUN)) {
    for (const term of termsOfRun(run)) {
      if (terms.size === limit) return [...terms];
      terms.add(term);
    }
  }
  return [...terms];
}

export function toPetNameTerms(name: string): string[] {
  return toSearchTerms(name, MAX_PET_NAME_TERMS);
}

/** The distinct terms of a search. Symbols count only when they stand alone, like an emoji or ":)". */
export function parseSearchQuery(text: string): string[] {
  const tokens = normalizeText(text).split(/\s+/u);
  return [...new Set(tokens.flatMap(toRuns).map((run) => prefixAt(run, 0)))];
}

/** Removes differences of case, accents, keyboards, digits and Unicode encoding. */
export function normalizeText(text: string): string {
  const plain = text
    .normalize('NFKD')
    .toLowerCase()
    .replace(ACCENTS, '')
    .replace(INVISIBLE, '')
    .replace(REPLACED, (letter) => REPLACEMENTS[letter] ?? letter);
  return toAsciiDigits(plain);
}

/** The run itself; in scripts without spaces also its suffix from each grapheme, so that 雪 finds 初雪の日. */
function* termsOfRun(run: string): Generator<string> {
  let canStart = true;
  for (const { 0: grapheme, index } of run.matchAll(GRAPHEME)) {
    const isSpaceless = SPACELESS.test(grapheme);
    if (canStart || isSpaceless) yield prefixAt(run, index);
    canStart = isSpaceless;
  }
}

function toRuns(token: string): string[] {
  const runs = token.match(RUN) ?? [];
  return LETTER.test(token) ? runs.filter((run) => LETTER.test(run)) : runs;
}

/** Slices before matching: a code point has at most two UTF-16 units. */
function prefixAt(run: string, index: number): string {
  return PREFIX.exec(run.slice(index, index + 2 * MAX_TERM_LENGTH))?.[0] ?? '';
}
