import { describe, expect, it } from 'vitest';
import { toCaricatureFileName } from './caricature.ts';

const MAX_FILE_NAME_BYTES = 255;

describe('toCaricatureFileName', () => {
  it.each([
    ['Rex', 'Rex'],
    ['毛毛 Ünal', '毛毛 Ünal'],
    ['a\\b/c:d*e?f"g<h>i|j', 'a b c d e f g h i j'],
    ['Rex\r\n\tthe\u2028first\u00a0\u0000', 'Rex the first'],
    ['Rex\u202Egnp.exe', 'Rexgnp.exe'],
    ['\u2066R\u200Fe\u061Cx\u2069\uFEFF', 'Rex'],
    ['R\u00ADe\u200Bx', 'Rex'],
    ['Rex\uD800', 'Rex'],
    ['../../.profile', 'profile'],
    ['\u202E..hidden', 'hidden'],
    ['...', 'Your Pet'],
    [' \u200B ', 'Your Pet'],
    ['', 'Your Pet'],
    [undefined, 'Your Pet'],
  ])('keeps the visible, allowed characters of %j', (petName, expected) => {
    expect(toCaricatureFileName(petName)).toBe(`${expected}-caricature.png`);
  });

  it('respects the limit of file systems without splitting a character', () => {
    const name = toCaricatureFileName('🐕'.repeat(100));
    expect(name).toMatch(/^(🐕)+-caricature\.png$/u);
    const bytes = encodeURIComponent(name).replace(/%[0-9A-F]{2}/g, '.');
    expect(bytes.length).toBeLessThanOrEqual(MAX_FILE_NAME_BYTES);
  });
});
