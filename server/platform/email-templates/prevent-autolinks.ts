/** The characters by which email clients recognize addresses and links. */
const LINKING = /(?<=\S)([.@:/])(?=\S)/gu;
const WORD_JOINER = '\u2060';

/**
 * Keeps email clients from turning parts of a name or caption into links: invisible characters in `evil.example` leave its
 * look unchanged.
 */
export function preventAutolinks(text: string): string {
  return text.replace(LINKING, `${WORD_JOINER}$1${WORD_JOINER}`);
}
