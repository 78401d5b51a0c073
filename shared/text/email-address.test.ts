import { describe, expect, it } from 'vitest';
import { emailAddress, lowerCaseEmailAddress } from './email-address.ts';

const schema = emailAddress('Please enter a valid email address');

describe('an email address', () => {
  it.each([
    ['mara@home.example', 'mara@home.example'],
    ['  Mara@Home.Example ', 'Mara@Home.Example'],
    ['oma@xn--e1afmkfd.xn--p1ai', 'oma@xn--e1afmkfd.xn--p1ai'],
    ['oma@пример.рф', 'oma@xn--e1afmkfd.xn--p1ai'],
    ['oma@ПРИМЕР.РФ', 'oma@xn--e1afmkfd.xn--p1ai'],
    ['opa@bücher.example', 'opa@xn--bcher-kva.example'],
    ['opa@bu\u0308cher.example', 'opa@xn--bcher-kva.example'],
    ['neko@例え。テスト', 'neko@xn--r8jz45g.xn--zckzah'],
    ['kalb@مثال.إختبار', 'kalb@xn--mgbh0fb.xn--kgbechtv'],
    ['tom&jerry@home.example', 'tom&jerry@home.example'],
    ['a/b@home.example', 'a/b@home.example'],
    ['a=b@home.example', 'a=b@home.example'],
    ["o'neil+photos@home.example", "o'neil+photos@home.example"],
    ['{rex}|~*`^%$#!?@home.example', '{rex}|~*`^%$#!?@home.example'],
    ['mara@nas', 'mara@nas'],
    ['mara@1.home-2.example', 'mara@1.home-2.example'],
  ])('%j is accepted as %j', (typed, address) => {
    expect(schema.parse(typed)).toBe(address);
  });

  it.each([
    'mara',
    '@home.example',
    'mara@',
    'mara@home@example',
    'mara @home.example',
    'mara@home..example',
    'mara@-home.example',
    'mara@home.example:25',
    'mara@пример.рф:25',
    'mara@пример.рф/path',
    'mara@пример рф',
    'mara@ho\u0000me.example',
    'мара@home.example',
    'Mara <mara@home.example>',
    'mara@home.example, rex@home.example',
    'mara@home.example\nBcc: rex@home.example',
    `mara@${'x'.repeat(64)}.example`,
    `${'x'.repeat(250)}@home.example`,
    7,
  ])('%j is rejected', (typed) => {
    expect(schema.safeParse(typed).success).toBe(false);
  });

  it('of a sender is in lower case', () => {
    expect(lowerCaseEmailAddress('No').parse(' Oma@Пример.РФ')).toBe('oma@xn--e1afmkfd.xn--p1ai');
  });
});
