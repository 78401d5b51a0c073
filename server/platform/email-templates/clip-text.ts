const graphemes = new Intl.Segmenter('en', { granularity: 'grapheme' });

/**
 * Shortens a text to a number of graphemes, and of bytes in UTF-8: a grapheme can have any number of combining marks. Ends with
 * an ellipsis if it was longer.
 */
export function clipText(text: string, length: number, maxBytes = Infinity): string {
  const hasTooManyBytes = Buffer.byteLength(text) > maxBytes;
  // A character has at least one code unit.
  if (text.length <= length && !hasTooManyBytes) return text;
  let clipped = '';
  let count = 0;
  let bytes = Buffer.byteLength('…');
  for (const { segment, index } of graphemes.segment(text)) {
    const isLast = index + segment.length === text.length;
    bytes += Buffer.byteLength(segment);
    if ((++count === length && !isLast) || (hasTooManyBytes && bytes > maxBytes))
      return `${clipped.trimEnd()}…`;
    clipped += segment;
  }
  return text;
}
