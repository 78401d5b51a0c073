import * as z from 'zod/mini';

export function parseTags(text: string): string[] {
  return cleanTags(text.split(','));
}

function cleanTags(tags: readonly string[]): string[] {
  return [...new Set(tags.map((tag) => tag.trim()).filter((tag) => tag !== ''))];
}

/** A list, or comma-separated text from a form. */
export const TagsInput = z.pipe(
  z.union([z.string(), z.array(z.string())], { error: 'Tags must be text or a list of texts' }),
  z.transform((input) => (typeof input === 'string' ? parseTags(input) : cleanTags(input))),
);
