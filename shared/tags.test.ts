import { describe, expect, it } from 'vitest';
import * as z from 'zod/mini';
import { parseTags, TagsInput } from './tags.ts';

describe('tags', () => {
  it('are split at commas, trimmed and unique, without empty ones', () => {
    expect(parseTags(' summer, ,birthday,,beach ,summer')).toEqual(['summer', 'birthday', 'beach']);
    expect(parseTags(' , ')).toEqual([]);
  });

  it('are accepted as text or as a list', () => {
    expect(z.parse(TagsInput, 'snow, first snow')).toEqual(['snow', 'first snow']);
    expect(z.parse(TagsInput, [' snow ', '', 'a, b'])).toEqual(['snow', 'a, b']);
    expect(z.safeParse(TagsInput, [1]).success).toBe(false);
  });
});
