import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parsePetName, parseCaption } from './parse-caption.ts';
import { normalizeText } from '../search/search-terms.ts';

const called = (...names: string[]) => names.map((name) => ({ name }));
const read = (text: string, ...names: string[]) => {
  const { pet, caption } = parseCaption(text, called(...names));
  return [pet?.name ?? null, caption];
};

describe('parseCaption', () => {
  it.each([
    ['Rex: At the beach', 'Rex', 'At the beach'],
    ['rex:At the beach', 'Rex', 'At the beach'],
    ['  REX :  At the beach \n', 'Rex', 'At the beach'],
    ['Rex：At the beach', 'Rex', 'At the beach'],
    ['Ｒｅｘ： at the beach', 'Rex', 'at the beach'],
    ['Rex: 10:30, at the beach', 'Rex', '10:30, at the beach'],
    ['Rex:\nTwo lines,\nno less', 'Rex', 'Two lines,\nno less'],
    ['jose: hola', 'José', 'hola'],
    ['JOSE\u0301: hola', 'José', 'hola'],
    ['Sir  Barks\u00a0a Lot: snores', 'Sir Barks a Lot', 'snores'],
    ['mr whiskers o’malley: naps', "Mr Whiskers O'Malley", 'naps'],
    ['小雪：初雪の日', '小雪', '初雪の日'],
    ['рыжик: спит', 'Рыжик', 'спит'],
    ['רקסי: בים', 'רֶקסי', 'בים'],
    ['\u200fרקסי: בים', 'רֶקסי', 'בים'],
    ['strasse: walks', 'Straße', 'walks'],
    ['ISIK: walks', 'Işık', 'walks'],
    ['🐕\ufe0f: woof', '🐕', 'woof'],
    ['ملكي: في البحر', 'ملکی', 'في البحر'],
    ['قطه: نائمة', 'قطة', 'نائمة'],
    ['مصطفی: در برف', 'مصطفى', 'در برف'],
    ['Rex 2: sleeps', 'Rex ۲', 'sleeps'],
    ['بوبي ٧: نائم', 'بوبي 7', 'نائم'],
  ])('%j names a pet, ignoring case and accents', (text, pet, caption) => {
    expect(read(text, 'Milo', pet)).toEqual([pet, caption]);
  });

  it('gives no caption for a name alone', () => {
    expect(read('Rex', 'Rex', 'Milo')).toEqual(['Rex', null]);
    expect(read(' rex : ', 'Rex', 'Milo')).toEqual(['Rex', null]);
  });

  it.each([
    'Note: bring the lead',
    'Rexy: hello',
    'Re: x',
    'My Rex: hello',
    'Look at Rex: hello',
    ': hello',
    '：',
    'https://example.com',
  ])('%j keeps text before a colon that is not a pet’s name', (text) => {
    expect(read(text, 'Rex', 'Milo')).toEqual([null, text]);
  });

  it('prefers the longest name that matches, including its colons', () => {
    const names = ['Rex', 'Rex: the Second', 'Agent: 7'];
    expect(read('Rex: the Second: at sea', ...names)).toEqual(['Rex: the Second', 'at sea']);
    expect(read('Rex: the first: at sea', ...names)).toEqual(['Rex', 'the first: at sea']);
    expect(read('agent： 7: at sea', ...names)).toEqual(['Agent: 7', 'at sea']);
    expect(read('rex: the second', ...names)).toEqual(['Rex: the Second', null]);
    expect(read('Agent: 8: at sea', ...names)).toEqual([null, 'Agent: 8: at sea']);
  });

  it('prefers the exact spelling among equal names, else the first pet', () => {
    const names = ['Jose', 'José', 'JOSE'];
    expect(read('José: hola', ...names)).toEqual(['José', 'hola']);
    expect(read('JOSE: hola', ...names)).toEqual(['JOSE', 'hola']);
    expect(read('jOSE: hola', ...names)).toEqual(['Jose', 'hola']);
  });

  it('defaults to the only pet', () => {
    expect(read('At the beach', 'Rex')).toEqual(['Rex', 'At the beach']);
    expect(read('Milo: at the beach', 'Rex')).toEqual(['Rex', 'Milo: at the beach']);
    expect(read('', 'Rex')).toEqual(['Rex', null]);
    expect(read('At the beach', 'Rex', 'Milo')).toEqual([null, 'At the beach']);
    expect(read('Rex: at the beach')).toEqual([null, 'Rex: at the beach']);
    expect(read(' \n ')).toEqual([null, null]);
  });

  it('ignores names without letters or digits', () => {
    expect(read(': hello', '\u200b', 'Milo')).toEqual([null, ': hello']);
    expect(read('hello', '\u0301', 'Milo')).toEqual([null, 'hello']);
    expect(read('ﳲ: hello', 'ﳲ', 'Milo')).toEqual([null, 'ﳲ: hello']);
  });

  it('never truncates, and is fast with long texts', () => {
    const long = 'Rex: ' + 'a'.repeat(1_000_000);
    expect(read(long, 'Rex', 'Milo')).toEqual(['Rex', long.slice(5)]);
    expect(read(':'.repeat(100_000), 'Rex', 'Milo')).toEqual([null, ':'.repeat(100_000)]);
  });

  it('keeps any caption with any name', () => {
    // Some letters are nothing but accents when normalized, like ﳲ.
    const visible = fc
      .string({ unit: 'grapheme', maxLength: 20 })
      .filter((text) => /\p{L}|\p{N}/u.test(normalizeText(text)));
    fc.assert(
      fc.property(visible, fc.string({ unit: 'grapheme' }), (name, rest) => {
        const { pet, caption } = parseCaption(`${name}: ${rest}`, [{ name }, { name: 'x'.repeat(300) }]);
        expect(pet?.name).toBe(name);
        expect(caption ?? '').toBe(rest.trim());
      }),
    );
  });
});

describe('parsePetName', () => {
  it.each(['Rex', ' rex ', 'REX!', 'rex.', 'Rex:', 'rex :'])('finds the pet in %j', (text) => {
    expect(parsePetName(text, called('Milo', 'Rex'))?.name).toBe('Rex');
  });

  it('prefers a name that ends with the punctuation', () => {
    expect(parsePetName('Yo!', called('Yo', 'Yo!'))?.name).toBe('Yo!');
  });

  it.each(['', ':', 'Rex Milo', 'not Rex', 'Rex: at the beach'])('finds none in %j', (text) => {
    expect(parsePetName(text, called('Milo', 'Rex'))).toBeNull();
  });
});
