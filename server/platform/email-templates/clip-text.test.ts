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

  it('counts bytes as well', () => {
    expect(clipText('Первый снег', 100, 21)).toBe('Первый снег');
    expect(clipText('Первый снег', 100, 20)).toBe('Первый сн…');
    expect(clipText('初雪初雪', 100, 11)).toBe('初雪…');
    expect(clipText('👩‍👩‍👧👍🏽', 100, 25)).toBe('👩‍👩‍👧…');
    expect(clipText(`a${'\u0301'.repeat(1000)}`, 100, 50)).toBe('…');
  });
});
