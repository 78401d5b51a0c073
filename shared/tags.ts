import * as z from 'zod/mini';

/** Splits comma-separated text into tags: each is trimmed, empty ones are dropped, repeated ones kept once. */
export function parseTags(text: string): string[] {
  return cleanTags(text.split(','));
}

function cleanTags(tags: readonly string[]): string[] {
  return [...new Set(tags.map((tag) => tag.trim()).filter((tag) => tag !== ''))];
}

/** Tags as a request may carry them: a list, or the comma-separated text of a form. Always a clean list after parsing. */
export const TagsInput = z.pipe(
  z.union([z.string(), z.array(z.string())], { error: 'Tags must be text or a list of texts' }),
  z.transform((input) => (typeof input === 'string' ? parseTags(input) : cleanTags(input))),
);
