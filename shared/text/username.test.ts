import { describe, expect, it, vi } from 'vitest';
import { username } from './username.ts';

const parse = (value: string) => username.safeParse(value);

describe('a username', () => {
  it.each([
    ['mara', 'mara'],
    ['  Zoë O’Neill-99 ', 'Zoë O’Neill-99'],
    ['Мария_7', 'Мария_7'],
    ['田中さくらー', '田中さくらー'],
    ['김철수', '김철수'],
    ['नीलम शर्मा', 'नीलम शर्मा'],
    ['mara ❤️🐶', 'mara ❤🐶'],
    // Compatibility forms of the same characters.
    ['ｍａｒａ', 'mara'],
    ['ﬁdo', 'fido'],
    ['Zoe\u0308', 'Zo\u00eb'],
  ])('%j is stored as %j', (given, stored) => {
    expect(parse(given)).toEqual({ success: true, data: stored });
  });

  it.each([
    ['a control character', 'ma\u0007ra'],
    ['a line break', 'ma\nra'],
    ['a change of the writing direction', 'ma\u202era'],
    ['an isolated direction', '\u2067mara'],
    ['a zero-width space', 'ma\u200bra'],
    ['a zero-width joiner', 'ma\u200dra'],
    ['a soft hyphen', 'ma\u00adra'],
    ['a Hangul filler', '\u3164\u3164\u3164'],
    ['a private character', 'ma\ue000ra'],
    ['half a surrogate pair', 'ma\ud83d'],
    ['Cyrillic within Latin', 'm\u0430ra'],
    ['Greek within Latin', 'm\u03b1ra'],
    ['Latin within Cyrillic', 'Мaрия'],
  ])('with %s is rejected', (_kind, value) => {
    expect(parse(value).success).toBe(false);
  });

  it('counts its length as it is stored', () => {
    expect(parse('ab\ufe0f').success).toBe(false);
    expect(parse('\ufdfa\ufdfa\ufdfa').success).toBe(false);
    expect(parse('x'.repeat(50)).success).toBe(true);
    expect(parse('x'.repeat(51)).success).toBe(false);
  });
});

describe('a username that is too long', () => {
  const messages = (value: string) => parse(value).error?.issues.map(({ message }) => message);
  const tooLong = ['Username must be at most 50 characters'];

  it('is not looked at character by character', () => {
    expect(messages('aж'.repeat(30))).toEqual(tooLong);
  });

  it('is not even composed, which makes 18 characters of some', () => {
    const normalize = vi.spyOn(String.prototype, 'normalize');
    expect(messages('\uFDFA'.repeat(86_000))).toEqual(tooLong);
    expect(normalize).not.toHaveBeenCalled();
    normalize.mockRestore();
  });
});
