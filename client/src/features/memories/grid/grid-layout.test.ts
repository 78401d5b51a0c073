import { describe, expect, it } from 'vitest';
import { columnsIn, columnWidth } from './grid-layout.ts';

describe('the columns of a grid', () => {
  it('are one on a phone and as many as fit elsewhere, up to the most', () => {
    expect([320, 350, 513, 740, 912, 1088].map((width) => columnsIn(width, 4))).toEqual([1, 1, 2, 2, 3, 4]);
    expect(columnsIn(1088, 3)).toBe(3);
    expect(columnsIn(0, 4)).toBe(1);
  });

  it('share what the gaps leave', () => {
    expect(columnWidth(1088, 4)).toBe(248);
    expect(columnWidth(350, 1)).toBe(350);
  });
});
