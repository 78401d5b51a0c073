const MAX_LENGTH = 28;
const ELLIPSIS = '…';

/** Fits a file's name on one line: what is left out is its middle, never its extension. */
export function shortenFileName(name: string): string {
  const letters = [...new Intl.Segmenter().segment(name)].map(({ segment }) => segment);
  if (letters.length <= MAX_LENGTH) return name;
  const extension = /\.[^.\s]{1,8}$/.exec(name)?.[0].length ?? 0;
  const tail = extension + 4;
  const head = MAX_LENGTH - tail - ELLIPSIS.length;
  return letters.slice(0, head).join('') + ELLIPSIS + letters.slice(-tail).join('');
}
