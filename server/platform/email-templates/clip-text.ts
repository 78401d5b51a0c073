const graphemes = new Intl.Segmenter('en', { granularity: 'grapheme' });

/** At most so many characters as a reader counts them; the last one says that there was more. */
export function clipText(text: string, length: number): string {
  // A character has at least one code unit.
  if (text.length <= length) return text;
  let clipped = '';
  let count = 0;
  for (const { segment, index } of graphemes.segment(text)) {
    if (++count === length) {
      const isLast = index + segment.length === text.length;
      return isLast ? text : `${clipped.trimEnd()}…`;
    }
    clipped += segment;
  }
  return text;
}
