import { expect, it } from 'vitest';
import { tagGalleryPath } from './paths.ts';

const searchOf = (tag: string) => new URLSearchParams(tagGalleryPath(tag).split('?')[1]).get('q') ?? '';

it('searches for a tag, of a very long one for the beginning, since a search has at most 64 words', () => {
  expect(searchOf('May 2019')).toBe('May 2019');
  expect(searchOf('Ünïcödé')).toBe('Ünïcödé');
  const words = Array.from({ length: 70 }, (_, index) => `word${index}`);
  for (const separator of [' ', '-', ', ']) {
    const search = searchOf(words.join(separator));
    const found = search.match(/\w+/g) ?? [];
    expect(found).toEqual(words.slice(0, found.length));
    expect(found.length).toBeGreaterThan(20);
    expect(found.length).toBeLessThanOrEqual(64);
  }
  expect(searchOf('a'.repeat(2000))).toBe('a'.repeat(1000));
  // One letter of four words.
  expect(searchOf('\uFDFA'.repeat(30)).split(/\s+/).length).toBeLessThanOrEqual(64);
});
