import { describe, expect, it } from 'vitest';
import * as z from 'zod/mini';
import { parseTags, TagsInput } from './tags.ts';

describe('tags', () => {
  it('are split at commas, trimmed and unique, without empty ones', () => {
    expect(parseTags(' summer, ,birthday,,beach ,summer')).toEqual(['summer', 'birthday', 'beach']);
    expect(parseTags(' , ')).toEqual([]);
  });

  it.each([
    ['犬、雪', ['犬', '雪']],
    ['狗，雪', ['狗', '雪']],
    ['كلب، ثلج', ['كلب', 'ثلج']],
    ['ｲﾇ､ﾕｷ', ['ｲﾇ', 'ﾕｷ']],
    ['ውሻ፣ በረዶ', ['ውሻ', 'በረዶ']],
    ['dog, 犬、 شتاء، 狗，dog', ['dog', '犬', 'شتاء', '狗']],
  ])('are split at the commas of other scripts: %j', (text, tags) => {
    expect(parseTags(text)).toEqual(tags);
  });

  it.each([
    ['caf\u00e9', 'cafe\u0301'],
    ['\ud55c\uad6d', '\u1112\u1161\u11ab\u1100\u116e\u11a8'],
    ['\u30ac', '\u30ab\u3099'],
    ['\u1ec7', 'e\u0323\u0302'],
    ['\u1ec7', 'e\u0302\u0323'],
  ])('%j is one tag, however it is encoded', (composed, decomposed) => {
    expect(parseTags(`${decomposed}, ${composed}`)).toEqual([composed]);
    expect(z.parse(TagsInput, [composed, decomposed])).toEqual([composed]);
  });

  it('are accepted as text or as a list', () => {
    expect(z.parse(TagsInput, 'snow, first snow')).toEqual(['snow', 'first snow']);
    expect(z.parse(TagsInput, [' snow ', '', 'a, b'])).toEqual(['snow', 'a, b']);
    expect(z.safeParse(TagsInput, [1]).success).toBe(false);
  });
});
