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
  let end = 0;
  for (const segment of splitGraphemes(text)) {
    end += segment.length;
    const isLast = end === text.length;
    bytes += Buffer.byteLength(segment);
    if ((++count === length && !isLast) || (hasTooManyBytes && bytes > maxBytes))
      return `${clipped.trimEnd()}…`;
    clipped += segment;
  }
  return text;
}

const CHUNK_LENGTH = 128;

/** In chunks: the segmenter copies its whole text for each grapheme, so that 200 KB would take a second. */
function* splitGraphemes(text: string): Generator<string> {
  let start = 0;
  let length = CHUNK_LENGTH;
  while (start < text.length) {
    // Not between surrogates.
    const end = start + length + (/[\ud800-\udbff]/.test(text.charAt(start + length - 1)) ? 1 : 0);
    const chunk = text.slice(start, end);
    let read = 0;
    for (const { segment } of graphemes.segment(chunk)) {
      // The last one may go on in the next chunk.
      if (end < text.length && read + segment.length === chunk.length) break;
      read += segment.length;
      yield segment;
    }
    start += read;
    length = read > 0 ? CHUNK_LENGTH : length * 2;
  }
}
