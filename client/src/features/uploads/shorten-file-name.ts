const MAX_WIDTH = 26;
/** Characters before the extension that are not cut. */
const TAIL_LENGTH = 4;
/** CJK characters and emoji are about twice as wide as others. */
const WIDE = /[\u1100-\u11ff\u2e80-\uffdc]|\p{Extended_Pictographic}/u;

/** Cuts the middle of the name, so that it fits on one line. */
export function shortenFileName(name: string): string {
  if (widthOf(name) <= MAX_WIDTH) return name;
  const extension = /\.[^.\s]{1,8}$/.exec(name)?.[0] ?? '';
  const letters = [...new Intl.Segmenter().segment(name.slice(0, name.length - extension.length))].map(
    ({ segment }) => segment,
  );
  const tail = letters.slice(-TAIL_LENGTH).join('') + extension;
  let head = '';
  for (const letter of letters) {
    if (widthOf(`${head}${letter}…${tail}`) > MAX_WIDTH) break;
    head += letter;
  }
  return `${head}…${tail}`;
}

function widthOf(text: string): number {
  return [...new Intl.Segmenter().segment(text)].reduce(
    (sum, { segment }) => sum + (WIDE.test(segment) ? 2 : 1),
    0,
  );
}
