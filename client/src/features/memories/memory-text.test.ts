import { describe, expect, it } from 'vitest';
import { excerptOf } from './memory-text.ts';

describe('how a text begins', () => {
  it('is the whole of a short one, on one line', () => {
    expect(excerptOf(' At the\n\nlake ', 11)).toBe('At the lake');
  });

  it('ends between two words where there are some', () => {
    expect(excerptOf('One two three four', 11)).toBe('One two…');
    expect(excerptOf('Donaudampfschifffahrt', 11)).toBe('Donaudampfs…');
  });

  it('never cuts a character in two', () => {
    expect(excerptOf('🐕🐈🐇🐹', 2)).toBe('🐕🐈…');
  });
});
