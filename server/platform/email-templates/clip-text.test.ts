import { afterEach, describe, expect, it, vi } from 'vitest';
import { clipText } from './clip-text.ts';

afterEach(() => vi.restoreAllMocks());

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

  it('splits no grapheme of a long text, wherever it is', () => {
    const mixed = '👩‍👩‍👧👍🏽🇩🇪🇫🇷क्षिé\r\n각';
    const count = [...new Intl.Segmenter().segment(mixed)].length;
    for (let before = 100; before < 300; before++) {
      const text = 'x'.repeat(before) + mixed;
      expect(clipText(`${text}yz`, before + count + 1)).toBe(`${text.trimEnd()}…`);
      expect(clipText(text, before + count)).toBe(text);
    }
    const marks = `a${'\u0301'.repeat(1000)}`;
    expect(clipText(marks.repeat(3), 2)).toBe(`${marks}…`);
  });

  it('reads no more of a text than it needs', () => {
    const segment = vi.spyOn(Intl.Segmenter.prototype, 'segment');
    clipText('a "b" '.repeat(50_000), 1000, 4000);
    const read = segment.mock.calls.map(([text]) => text.length);
    expect(Math.max(...read)).toBeLessThan(1000);
    expect(read.reduce((sum, each) => sum + each)).toBeLessThan(5000);
  });
});
