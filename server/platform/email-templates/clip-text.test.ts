import { describe, expect, it } from 'vitest';
import { clipText } from './clip-text.ts';

describe('clipText', () => {
  it('shortens only longer texts, with an ellipsis', () => {
    expect(clipText('First snow', 10)).toBe('First snow');
    expect(clipText('First snow!', 10)).toBe('First sno…');
    expect(clipText('First snow', 7)).toBe('First…');
  });

  it('counts graphemes and splits none', () => {
    expect(clipText('👩‍👩‍👧👍🏽é', 3)).toBe('👩‍👩‍👧👍🏽é');
    expect(clipText('👩‍👩‍👧👍🏽é!', 3)).toBe('👩‍👩‍👧👍🏽…');
  });
});
