import type { ZxcvbnFactory } from '@zxcvbn-ts/core';
import type { UserRow } from '../user-queries.ts';

/** The words that a thief tries first. */
export type PersonalWords = Pick<UserRow, 'email' | 'username'> & {
  firstName?: string | null | undefined;
  lastName?: string | null | undefined;
};

/** About 1,000 guesses are enough for a lower score, by lists, dates, sequences, repetitions and keyboard patterns. */
const MIN_SCORE = 1;
/** The words of the app's name and of its first page, as easy to think of as the person's own. */
const APP_WORDS = ['mems', 'are', 'forever', 'login'];
/** The time of a check grows with the square of the length, and it holds up all other requests. */
const MAX_CHECKED_LENGTH = 32;
/** Letters and digits, besides the person's own words. */
const MIN_OTHER_CHARACTERS = 3;
/** "password!" is guessed right after "password", and so is "root123". */
const SIGNS_AT_THE_END = /[^\p{L}\p{N}]+$/u;
const COUNTING_AT_THE_END = /1(?:2(?:3(?:4(?:5(?:6)?)?)?)?)?$/;
/** Of keyboards in France and Germany; those of an American one are on the list. */
const KEYBOARD_ROWS = ['qwertzuiop', 'yxcvbnm', 'azertyuiop', 'qsdfghjklm', 'wxcvbn'];
/** For "1", which is also an "l", the caller decides. */
const LETTERS_OF_SIGNS: Record<string, string> = {
  '!': 'i',
  4: 'a',
  '@': 'a',
  0: 'o',
  3: 'e',
  5: 's',
  $: 's',
  7: 't',
};

type Lists = { estimator: ZxcvbnFactory; listed: ReadonlySet<string | number> };
const NO_LETTERS_OR_DIGITS = /[^\p{L}\p{N}]+/gu;
let lists: Promise<Lists> | undefined;

/** Whether it is among the 49,000 passwords that leaked lists contain most often, or as easy to guess as these. */
export async function isEasyToGuess(password: string, person: PersonalWords): Promise<boolean> {
  const { estimator, listed } = await (lists ??= loadLists());
  const plain = password.toLowerCase();
  const words = toWords(person);
  const isWellKnown = (form: string) =>
    listed.has(form) || KEYBOARD_ROWS.some((row) => row.includes(form)) || isOwnWords(form, words);
  if (formsOf(plain).some(isWellKnown)) return true;
  return estimator.check(password.slice(0, MAX_CHECKED_LENGTH), words).score < MIN_SCORE;
}

/** What it may have been made of. */
function formsOf(plain: string): string[] {
  const word = plain.replace(SIGNS_AT_THE_END, '');
  const stems = [plain, word, word.replace(COUNTING_AT_THE_END, '')].filter((stem) => stem.length > 2);
  const spelled = stems.flatMap((stem) => [stem, toLetters(stem, 'i'), toLetters(stem, 'l')]);
  return spelled.flatMap((form) => [form, [...form].reverse().join('')]);
}

function toLetters(text: string, one: string): string {
  return text.replace(/[!@$0-9]/g, (sign) => (sign === '1' ? one : (LETTERS_OF_SIGNS[sign] ?? sign)));
}

/** In lower case, the longest first. */
function toWords({ email, username, firstName, lastName }: PersonalWords): string[] {
  const names = [email, username, firstName ?? '', lastName ?? ''].map((each) => each.toLowerCase());
  const parts = names.flatMap((each) => each.split(NO_LETTERS_OR_DIGITS));
  const words = new Set([...names, ...parts, ...APP_WORDS].filter((each) => each.length > 2));
  return [...words].sort((one, other) => other.length - one.length);
}

function isOwnWords(plain: string, words: string[]): boolean {
  const rest = words.reduce((left, word) => left.replaceAll(word, ' '), plain);
  return rest !== plain && rest.replaceAll(NO_LETTERS_OR_DIGITS, '').length < MIN_OTHER_CHARACTERS;
}

/** On first use: unpacking the lists takes a quarter of a second and 35 MB, and most processes never need them. */
async function loadLists(): Promise<Lists> {
  const [{ ZxcvbnFactory }, { adjacencyGraphs, dictionary }] = await Promise.all([
    import('@zxcvbn-ts/core'),
    import('@zxcvbn-ts/language-common'),
  ]);
  return {
    estimator: new ZxcvbnFactory({ dictionary, graphs: adjacencyGraphs }),
    listed: new Set(dictionary['passwords-common']),
  };
}
