import { describe, expect, it } from 'vitest';
import { clipText } from './clip-text.ts';

describe('clipText', () => {
  it('leaves a text as it is that fits, and ends a longer one with a sign of that', () => {
    expect(clipText('First snow', 10)).toBe('First snow');
    expect(clipText('First snow!', 10)).toBe('First sno…');
    expect(clipText('First snow', 7)).toBe('First…');
  });

  it('counts what a reader takes for one character, and cuts none in two', () => {
    expect(clipText('👩‍👩‍👧👍🏽é', 3)).toBe('👩‍👩‍👧👍🏽é');
    expect(clipText('👩‍👩‍👧👍🏽é!', 3)).toBe('👩‍👩‍👧👍🏽…');
  });
});
