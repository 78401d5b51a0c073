/** Longer words are stored, and searched, by their beginning: so many code points. */
const LONGEST_WORD = 64;
/** A caption may hold a book of 256 KiB; a hostile one would otherwise fill the index with ten times as much. */
export const MOST_WORDS = 50_000;
/** A pet's name is written anew for each of its memories whenever it changes. */
const MOST_WORDS_OF_NAME = 32;

/** A run of letters and digits with their marks (Thai and Devanagari vowels are marks), or of other visible signs. */
const RUN = /[\p{L}\p{N}][\p{L}\p{N}\p{M}]*|[^\p{L}\p{N}\s]+/gu;
const LETTER = /[\p{L}\p{N}]/u;
/** What cannot be taken apart: a letter with its marks, a flag, an emoji with its skin tone. */
const UNIT = /\p{RI}{2}|.[\p{M}\p{EMod}\u{E0020}-\u{E007F}]*/gsu;
/** Scripts without spaces between their words, and signs: a word may begin anywhere in them. */
const SPACELESS =
  /^(?:[\p{scx=Han}\p{scx=Hira}\p{scx=Kana}\p{scx=Thai}\p{scx=Laoo}\p{scx=Khmr}\p{scx=Mymr}]|[^\p{L}\p{N}])/u;
const BEGINNING = new RegExp(`^.{1,${LONGEST_WORD}}`, 'su');

/** Accents (Latin, Greek, Cyrillic), Hebrew points and Arabic harakat: most people leave them out. */
const ACCENTS =
  /[\u0300-\u036f\u0483-\u0487\u0591-\u05bd\u05bf\u05c1\u05c2\u05c4\u05c5\u05c7\u0610-\u061a\u0640\u064b-\u065f\u0670\u06d6-\u06dc\u06df-\u06e4\u06e7\u06e8\u06ea-\u06ed]/gu;
/** Soft hyphens, directions, joiners and variation selectors: nobody sees them. Tags stay, flags are made of them. */
const INVISIBLE = /[\u{FE00}-\u{FE0F}\u{E0100}-\u{E01EF}]|(?![\u{E0020}-\u{E007F}])\p{Cf}/gu;
/** Letters that Unicode does not take apart, as people type them without their own keyboard. */
const PLAIN_LETTERS: Record<string, string> = {
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
const OTHER_LETTERS = new RegExp(`[${Object.keys(PLAIN_LETTERS).join('')}]`, 'gu');

/**
 * Every word that a text is found by, each once, as the index spells them. A searched word finds it as the beginning
 * of one of these.
 */
export function wordsIn(text: string, atMost = MOST_WORDS): string[] {
  const words = new Set<string>();
  for (const [run] of spell(text).matchAll(RUN)) {
    for (const word of wordsOfRun(run)) {
      if (words.size === atMost) return [...words];
      words.add(word);
    }
  }
  return [...words];
}

/** What a pet's memories are found by: the first words of its name, which are all of them in a name that is one. */
export function wordsInName(name: string): string[] {
  return wordsIn(name, MOST_WORDS_OF_NAME);
}

/** The words of a search, each once. Signs beside letters are left out; an emoji, or ":)", alone is a word. */
export function searchedWords(text: string): string[] {
  const tokens = spell(text).split(/\s+/u);
  return [...new Set(tokens.flatMap(wordsOfToken).map((word) => fromPlace(word, 0)))];
}

/** Upper case, accents and ways to encode the same letter fall together. */
export function spell(text: string): string {
  return text
    .normalize('NFKD')
    .toLowerCase()
    .replace(ACCENTS, '')
    .replace(INVISIBLE, '')
    .replace(OTHER_LETTERS, (letter) => PLAIN_LETTERS[letter] ?? letter);
}

/** The whole run, and where words are not told apart by spaces, its rest from each place on: 雪 finds 初雪の日. */
function* wordsOfRun(run: string): Generator<string> {
  let mayBegin = true;
  for (const { 0: unit, index } of run.matchAll(UNIT)) {
    const isSpaceless = SPACELESS.test(unit);
    if (mayBegin || isSpaceless) yield fromPlace(run, index);
    mayBegin = isSpaceless;
  }
}

function wordsOfToken(token: string): string[] {
  const runs = token.match(RUN) ?? [];
  return LETTER.test(token) ? runs.filter((run) => LETTER.test(run)) : runs;
}

/** A code point is at most two UTF-16 units long. */
function fromPlace(run: string, index: number): string {
  return BEGINNING.exec(run.slice(index, index + 2 * LONGEST_WORD))?.[0] ?? '';
}
