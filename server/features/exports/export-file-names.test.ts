import { describe, expect, it } from 'vitest';
import { createPathNames, toFileNameText, toFolderName } from './export-file-names.ts';

const toName = (text: string) => toFileNameText(text, 90);

describe('toFileNameText', () => {
  it.each([
    ['Snow / rain: "what?" <b>|*\\', 'Snow rain what b'],
    ['  spaces\t and\nlines  ', 'spaces and lines'],
    ['...hidden', 'hidden'],
    ['ends with dots. . .', 'ends with dots'],
    ['../../etc/passwd', 'etc passwd'],
    ['nul\u0000 and \u0007bell', 'nul and bell'],
    ['?*:', ''],
    ['\ud800 alone', 'alone'],
  ])('makes %j safe', (text, name) => {
    expect(toName(text)).toBe(name);
  });

  it('is in NFC, since macOS and Linux tell apart how accents are written', () => {
    expect(toName('Cafe\u0301')).toBe('Caf\u00e9');
  });

  it('keeps right-to-left text, and drops controls that could disguise the extension', () => {
    expect(toName('שלום עולם')).toBe('שלום עולם');
    expect(toName('photo\u202egpj.exe')).toBe('photogpj.exe');
    expect(toName('\u2066می‌خواهم\u2069')).toBe('می‌خواهم');
  });

  it('keeps emoji whole, also joined ones', () => {
    expect(toName('Rex 👩‍👩‍👧‍👦 ❤️ 🇫🇮')).toBe('Rex 👩‍👩‍👧‍👦 ❤️ 🇫🇮');
    const family = '👩‍👩‍👧‍👦';
    expect(toFileNameText(family.repeat(5), 60)).toBe(family.repeat(2));
    expect(Buffer.byteLength(family)).toBe(25);
  });

  it('is limited in bytes, not in characters', () => {
    expect(toName('雪'.repeat(100))).toBe('雪'.repeat(30));
    expect(Buffer.byteLength(toName(`e\u0301${'a'.repeat(200)}`))).toBe(90);
    expect(toFileNameText('one two three', 8)).toBe('one two');
  });
});

describe('toFolderName', () => {
  it.each(['con', 'NUL', 'Com1', 'lpt9', 'COM³', 'aux.txt', 'PRN ', 'conin$'])(
    'avoids the device name %s of Windows',
    (name) => {
      expect(toFolderName(name, 'Pet')).toBe(`_${name.trim()}`);
    },
  );

  it('is the fallback if nothing of the name can stand', () => {
    expect(toFolderName('///', 'Pet')).toBe('Pet');
    expect(toFolderName(null, 'Pet')).toBe('Pet');
    expect(toFolderName('Connie', 'Pet')).toBe('Connie');
  });
});

describe('createPathNames', () => {
  const file = { start: '2024-01-02', contentType: 'image/jpeg' };

  it('has the last digits of the id, since the first are those of all photos of a minute', () => {
    const toPath = createPathNames();
    const id = '01a20f17-ca4d-72f7-a9cd-5f3d1a314831';
    expect(toPath({ ...file, folder: 'photos/Rex/2024', text: 'Snow', id })).toBe(
      'photos/Rex/2024/2024-01-02 Snow 1a314831.jpg',
    );
    expect(toPath({ ...file, folder: 'photos/Rex/2024', text: null, id })).toBe(
      'photos/Rex/2024/2024-01-02 1a314831.jpg',
    );
  });

  it('is distinct where case does not count', () => {
    const toPath = createPathNames();
    const paths = [
      ['Rex', 'Snow', '01a20f17-ca4d-72f7-a9cd-5f3d1a314831'],
      ['REX', 'snow', '01a20f17-ca4d-72f7-a9cd-aaaa1a314831'],
    ].map(([pet = '', text = '', id = '']) => toPath({ ...file, folder: `photos/${pet}/2024`, text, id }));
    expect(new Set(paths.map((path) => path.toLowerCase())).size).toBe(2);
  });
});
