import { describe, expect, it } from 'vitest';
import { stripSubjectPrefixes, firstBodyLine } from './email-body.ts';

describe('stripSubjectPrefixes', () => {
  it.each([
    'Fwd: Rex: at sea',
    'FW: Re: Rex: at sea',
    'AW: WG: Rex: at sea',
    'Re[2]: RE(3): re^4: Rex: at sea',
    'Tr : Réf : Rex: at sea',
    'RV: RES: ENC: Rex: at sea',
    'R: I: Rif: Rex: at sea',
    'SV: VS: VB: Antw: Rex: at sea',
    'Odp: PD: YNT: İLT: Rex: at sea',
    'НА: Отв: Пересл: Rex: at sea',
    'ΑΠ: ΠΡΘ: Rex: at sea',
    '回复：转发: Rex: at sea',
    '답장: 전달: Rex: at sea',
    '[EXTERNAL] Re: [Ext]: Rex: at sea',
    '  Rex: at sea ',
  ])('strips prefixes of replies and forwards: %j', (subject) => {
    expect(stripSubjectPrefixes(subject)).toBe('Rex: at sea');
  });

  it('keeps a pet’s name that looks like a prefix', () => {
    const isVs = (word: string) => word.toLowerCase() === 'vs';
    expect(stripSubjectPrefixes('Fwd: Vs: at sea', isVs)).toBe('Vs: at sea');
    expect(stripSubjectPrefixes('Note: bring the lead')).toBe('Note: bring the lead');
    expect(stripSubjectPrefixes('Recall: at sea')).toBe('Recall: at sea');
    expect(stripSubjectPrefixes('Fwd: ')).toBe('');
  });

  it('never takes long to read', () => {
    expect(stripSubjectPrefixes('Re: '.repeat(100_000))).toMatch(/^Re: /);
    expect(stripSubjectPrefixes(' '.repeat(1_000_000) + 'x')).toBe('x');
  });
});

describe('firstBodyLine', () => {
  it.each([
    ['\r\n\r\nAt the beach\r\nand home again', 'At the beach'],
    ['> What did he do?\n> Tell me\n\nHe swam', 'He swam'],
    ['Sent from my iPhone\nHe swam', 'He swam'],
    ['🐕\n', '🐕'],
    ['***\nHe swam', 'He swam'],
    ['-- \nMara Dent\nDirector', ''],
    ['--\nMara Dent', ''],
    ['Von meinem iPhone gesendet', ''],
    ['Envoyé de mon iPhone', ''],
    ['Get Outlook for iOS', ''],
    ['-----Original Message-----\nFrom: Jo <jo@home.example>\nRex', ''],
    ['---------- Forwarded message ---------\nFrom: Jo <jo@home.example>\nRex', ''],
    ['Begin forwarded message:\n\nFrom: Jo', ''],
    ['From: Jo <jo@home.example>\nRex', ''],
    ['On Mon, 1 May 2026 at 10:00, Jo <jo@home.example> wrote:\n> Rex', ''],
    ['Am 01.05.2026 um 10:00 schrieb Jo:\n> Rex', ''],
    ['Le 1 mai 2026 à 10:00, Jo a écrit :\n> Rex', ''],
    ['He\0 swam\u0007', 'He swam'],
    ['', ''],
  ])('of %j is %j', (text, line) => {
    expect(firstBodyLine(text)).toBe(line);
  });

  it('never takes long to read', () => {
    expect(firstBodyLine('On '.repeat(30_000))).toMatch(/^On /);
    expect(firstBodyLine('\n'.repeat(1_000_000))).toBe('');
  });
});
