import * as z from 'zod/mini';

/** Of the scripts that people write. */
const COMMA = /[,،、，､﹐﹑︐︑߸፣᠂]/u;

export function parseTags(text: string): string[] {
  return cleanTags(text.split(COMMA));
}

/** Composed, since keyboards differ in how they write accents. */
function cleanTags(tags: readonly string[]): string[] {
  return [...new Set(tags.map((tag) => tag.normalize().trim()).filter((tag) => tag !== ''))];
}

/** A list, or comma-separated text from a form. */
export const TagsInput = z.pipe(
  z.union([z.string(), z.array(z.string())], { error: 'Tags must be text or a list of texts' }),
  z.transform((input) => (typeof input === 'string' ? parseTags(input) : cleanTags(input))),
);
