const graphemes = new Intl.Segmenter('en', { granularity: 'grapheme' });

/** Shortens a text to a number of graphemes. The last one becomes an ellipsis if it was longer. */
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
