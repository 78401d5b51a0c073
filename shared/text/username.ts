import * as z from 'zod/mini';

/** Control characters, changes of the writing direction, zero-width and other characters that nobody sees. */
const INVISIBLE = /[\p{C}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/u;
/** Makes the character before it an emoji. */
const EMOJI_SELECTOR = /\uFE0F/g;
const LETTER = /\p{L}/u;
const WRITTEN_WITH_ALL = /[\p{Script=Common}\p{Script=Inherited}]/u;

/** Scripts that people write names in. Some are used together. */
const SCRIPTS = [
  /\p{scx=Latin}/u,
  /\p{scx=Cyrillic}/u,
  /\p{scx=Greek}/u,
  /\p{scx=Arabic}/u,
  /\p{scx=Hebrew}/u,
  /\p{scx=Armenian}/u,
  /\p{scx=Georgian}/u,
  /[\p{scx=Han}\p{scx=Hiragana}\p{scx=Katakana}]/u,
  /[\p{scx=Han}\p{scx=Hangul}]/u,
  /[\p{scx=Han}\p{scx=Bopomofo}]/u,
  /\p{scx=Devanagari}/u,
  /\p{scx=Bengali}/u,
  /\p{scx=Gurmukhi}/u,
  /\p{scx=Gujarati}/u,
  /\p{scx=Oriya}/u,
  /\p{scx=Tamil}/u,
  /\p{scx=Telugu}/u,
  /\p{scx=Kannada}/u,
  /\p{scx=Malayalam}/u,
  /\p{scx=Sinhala}/u,
  /\p{scx=Thai}/u,
  /\p{scx=Lao}/u,
  /\p{scx=Khmer}/u,
  /\p{scx=Myanmar}/u,
  /\p{scx=Tibetan}/u,
  /\p{scx=Mongolian}/u,
  /\p{scx=Ethiopic}/u,
  /\p{scx=Thaana}/u,
  /\p{scx=Tifinagh}/u,
  /\p{scx=Nko}/u,
  /\p{scx=Cherokee}/u,
  /\p{scx=Canadian_Aboriginal}/u,
];

/** Letters of two scripts can look like another person's name. */
function isOfOneScript(value: string): boolean {
  const letters = [...value].filter((each) => LETTER.test(each) && !WRITTEN_WITH_ALL.test(each));
  return letters.length === 0 || SCRIPTS.some((script) => letters.every((each) => script.test(each)));
}

const TOO_LONG = { error: 'Username must be at most 50 characters', abort: true };
/** Some characters become 18 with NFKC, and each is looked at. */
const MAX_TYPED_LENGTH = 200;

/** Two that look the same are the same: with the usual form of each character, and without what nobody sees. */
export const username = z.string({ error: 'Username must be at least 3 characters' }).check(
  z.maxLength(MAX_TYPED_LENGTH, TOO_LONG),
  z.overwrite((value) => value.replace(EMOJI_SELECTOR, '').normalize('NFKC').trim()),
  z.minLength(3, { error: 'Username must be at least 3 characters' }),
  z.maxLength(50, TOO_LONG),
  z.refine((value) => !INVISIBLE.test(value), { error: 'Please use characters that can be seen' }),
  z.refine(isOfOneScript, { error: 'Please use letters of one alphabet' }),
);
