/** What mail programs take for the beginnings of an address or a link. */
const LINKING = /(?<=\S)([.@:/])(?=\S)/gu;
const WORD_JOINER = '\u2060';

/**
 * A name or a caption as it was written, in which no mail program finds a link to click: an invisible character keeps
 * `evil.example` from being one.
 */
export function preventAutolinks(text: string): string {
  return text.replace(LINKING, `${WORD_JOINER}$1${WORD_JOINER}`);
}
