import { describe, expect, it } from 'vitest';
import { shortenFileName } from './short-file-name.ts';

describe('a file name on one line', () => {
  it.each([
    ['IMG_0001.HEIC', 'IMG_0001.HEIC'],
    ['biscuit-at-the-lake-in-the-summer-of-2024-evening.jpeg', 'biscuit-at-the-la…ning.jpeg'],
    ['biscuit at the lake. In the summer of 2024, in the evening', 'biscuit at the lake. In…ning'],
  ])('%s becomes %s', (name, short) => {
    expect(shortenFileName(name)).toBe(short);
    expect(short.length).toBeLessThanOrEqual(28);
  });

  it('does not cut through a character of several parts', () => {
    expect(shortenFileName(`${'👩‍🚀'.repeat(40)}.png`)).toBe(`${'👩‍🚀'.repeat(19)}…${'👩‍🚀'.repeat(4)}.png`);
  });
});
