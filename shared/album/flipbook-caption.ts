/** The display sizes of captions at the book's own page size, in pixels on the screen and points in the PDF. */
export const CAPTION_SIZES = {
  large: { size: 44, maxLines: 4, charactersPerLine: 17 },
  middle: { size: 32, maxLines: 6, charactersPerLine: 24 },
  small: { size: 22, maxLines: 12, charactersPerLine: 36 },
} as const;
export type CaptionSize = keyof typeof CAPTION_SIZES;

const WIDE = /[\u1100-\u115F\u2E80-\uA4CF\uAC00-\uD7A3\uF900-\uFAFF\uFE30-\uFE4F\uFF00-\uFF60\uFFE0-\uFFE6]/;

/** The largest size of which a caption fills few lines; null for long captions, which are set as running text. */
export function captionSize(caption: string): CaptionSize | null {
  const sizes = Object.keys(CAPTION_SIZES) as CaptionSize[];
  return sizes.find((size) => fits(caption, CAPTION_SIZES[size])) ?? null;
}

/** Estimated, so that it needs no layout: on average a letter is half as wide as it is high. */
function fits(
  caption: string,
  { maxLines, charactersPerLine }: (typeof CAPTION_SIZES)[CaptionSize],
): boolean {
  if (caption.length > maxLines * charactersPerLine) return false;
  const lines = caption.split('\n').map((line) => Math.max(1, Math.ceil(widthOf(line) / charactersPerLine)));
  const widestWord = Math.max(...caption.split(/[\s-]/).map(widthOfWord));
  return lines.reduce((sum, count) => sum + count) <= maxLines && widestWord <= charactersPerLine;
}

function widthOf(text: string): number {
  return [...text].reduce((sum, character) => sum + (WIDE.test(character) ? 2 : 1), 0);
}

/** Scripts with wide characters break lines anywhere. */
function widthOfWord(word: string): number {
  return WIDE.test(word) ? 0 : widthOf(word);
}
