import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { MAX_TERMS, parseSearchQuery, toSearchTerms } from './search-terms.ts';

/** Like the index: each search term is a prefix of one of the text's terms. */
function finds(search: string, text: string): boolean {
  const terms = toSearchTerms(text);
  return parseSearchQuery(search).every((prefix) => terms.some((term) => term.startsWith(prefix)));
}

const spaced = fc.stringMatching(/^[a-zA-ZÀ-ɏΑ-ωА-яא-ת0-9]{1,20}$/u);
/** Letters of Japanese, Chinese, Thai, Lao, Khmer and Burmese, without marks. */
const spaceless = fc.stringMatching(
  /^[\u3041-\u3096\u30a1-\u30fa\u4e00-\u9fff\u0e01-\u0e2e\u0e94-\u0e97\u1780-\u17a2\u1000-\u1021]{1,20}$/u,
);

describe('search terms', () => {
  it.each([
    ['bea', 'At the beach'],
    ['BEACH', 'beach'],
    ['beach the', 'At the beach'],
    ['creme', 'Crème brûlée'],
    ['crème', 'creme'],
    ['cre\u0300me', 'cr\u00e8me'],
    ['strasse', 'Große Straße'],
    ['STRAẞE', 'strasse'],
    ['smorrebrod', 'Smørrebrød'],
    ['lodz', 'Łódź'],
    ['ataturk istanbul', 'İSTANBUL, Atatürk'],
    ['ısparta', 'Isparta'],
    ['odos', 'ODOS'],
    ['οδος', 'ΟΔΟΣ'],
    ['οδοσ', 'οδός'],
    ['йод', 'Йод'],
    ['محمد', 'مُحَمَّد'],
    ['שלום', 'שָׁלוֹם'],
    ['हिन्दी', 'मेरी हिन्दी'],
    ['雪', '初雪の日'],
    ['雪の', '初雪の日'],
    ['2024', '雪2024年'],
    ['で撮影', 'iPhoneで撮影'],
    ['ラーメン', 'ｱﾂｲﾗｰﾒﾝ'],
    ['แมว', 'รักแมวมาก'],
    ['한', '한국'],
    ['🎂', 'Her🎂🎉party'],
    ['🎉', 'Her🎂🎉party'],
    ['❤', 'love ❤️'],
    ['❤️', 'love ❤'],
    ['👨‍👩‍👧', 'us 👨‍👩‍👧!'],
    ['👩', 'us 👨‍👩‍👧'],
    ['👍', '👍🏽'],
    ['🇪🇸', '🇩🇪🇪🇸'],
    [':)', 'wow :)'],
    ['%', '100 %'],
    ['beach!', 'a beach'],
    ['t-shirt', 'My T-Shirt'],
    ['so\u00adft', 'soft'],
    ['ملكي', 'ملکی'],
    ['ملکی', 'ملكي'],
    ['قطه', 'قطة'],
    ['مصطفي', 'مصطفى'],
    ['مصطفی', 'مصطفى'],
    ['احمد', 'أحمد'],
    ['الله', 'ٱلله'],
    ['میخواهم', 'می\u200cخواهم'],
    ['كلب', 'كـــلب'],
    ['کتاب', 'كتاب'],
    ['سایۀ', 'سايه'],
    ['12', '۱۲'],
    ['12', '١٢'],
    ['12', '१२'],
    ['٢٠٢٤', 'Summer 2024'],
    ['۲۰۲۴', '٢٠٢٤'],
    ['๑๒', '12'],
    ['１２', '১২'],
    ['', 'anything'],
  ])('%s finds %s', (search, text) => expect(finds(search, text)).toBe(true));

  it.each([
    ['each', 'beach'],
    ['beach sea', 'beach'],
    ['%', '100 percent'],
    ['_', 'a b'],
    ['🎂', '🎉'],
    ['🇪🇸', '🇩🇪🇸🇰'],
    ['日', '初雪'],
    ['दी', 'हिन्दी'],
    [':(', 'wow :)'],
    ['كلب', 'قلب'],
    ['12', '२१'],
  ])('%s does not find %s', (search, text) => expect(finds(search, text)).toBe(false));

  it('match every word of a text and every prefix of it', () => {
    fc.assert(
      fc.property(fc.array(fc.oneof(spaced, spaceless), { minLength: 1 }), fc.nat(), (words, at) => {
        const text = words.join(' ');
        const word = [...(words[at % words.length] ?? '')];
        expect(finds(text, text)).toBe(true);
        expect(finds(word.slice(0, 1 + (at % word.length)).join(''), text)).toBe(true);
      }),
    );
  });

  it('match any part of a text without spaces', () => {
    fc.assert(
      fc.property(spaceless, fc.nat(), fc.nat(), (text, from, length) => {
        const letters = [...text];
        const start = from % letters.length;
        expect(finds(letters.slice(start, start + 1 + (length % letters.length)).join(''), text)).toBe(true);
      }),
    );
  });

  it('match a text that equals the search', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 300 }), (text) => {
        expect(finds(text, text)).toBe(true);
        expect(toSearchTerms(text).every((word) => word !== '' && [...word].length <= 64)).toBe(true);
      }),
    );
  });

  it('are distinct', () => {
    expect(toSearchTerms('Beach, BEACH béach')).toEqual(['beach', ',']);
    expect(parseSearchQuery('Beach, BEACH béach')).toEqual(['beach']);
  });

  it('are cut to 64 code points without splitting a letter', () => {
    expect(toSearchTerms('a'.repeat(65))).toEqual(['a'.repeat(64)]);
    expect(toSearchTerms(`a${'𠮷'.repeat(100)}`)[0]).toBe(`a${'𠮷'.repeat(63)}`);
    expect(finds('a'.repeat(80), 'a'.repeat(65))).toBe(true);
  });

  it('are limited in number', () => {
    const hostile = Array.from({ length: MAX_TERMS + 10 }, (_, index) => index.toString(36)).join(' ');
    expect(toSearchTerms(hostile)).toHaveLength(MAX_TERMS);
  });
});
