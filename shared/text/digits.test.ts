import { describe, expect, it } from 'vitest';
import { toAsciiDigits } from './digits.ts';

describe('toAsciiDigits', () => {
  it.each([
    '٠١٢٣٤٥٦٧٨٩',
    '۰۱۲۳۴۵۶۷۸۹',
    '०१२३४५६७८९',
    '๐๑๒๓๔๕๖๗๘๙',
    '０１２３４５６７８９',
    '𝟎𝟏𝟐𝟑𝟒𝟓𝟔𝟕𝟖𝟗',
    '𝟘𝟙𝟚𝟛𝟜𝟝𝟞𝟟𝟠𝟡',
  ])('writes %s as 0123456789', (digits) => {
    expect(toAsciiDigits(digits)).toBe('0123456789');
  });

  it('leaves everything else', () => {
    expect(toAsciiDigits('Rex ½ ² Ⅻ 三 42')).toBe('Rex ½ ² Ⅻ 三 42');
  });
});
