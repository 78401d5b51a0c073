import { describe, expect, it } from 'vitest';
import { columnsIn, columnWidth, placeAfter } from './grid-layout.ts';

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

describe('the arrow keys', () => {
  const from = (place: number, key: string) => placeAfter(key, place, 3, 8);

  it('lead to the tiles around, and over the end of a row', () => {
    expect([from(4, 'ArrowLeft'), from(4, 'ArrowRight')]).toEqual([3, 5]);
    expect([from(4, 'ArrowUp'), from(4, 'ArrowDown')]).toEqual([1, 7]);
    expect([from(2, 'ArrowRight'), from(3, 'ArrowLeft')]).toEqual([3, 2]);
    expect([from(4, 'Home'), from(4, 'End')]).toEqual([0, 7]);
  });

  it('lead to the last tile where the last row ends before the column', () => {
    expect(from(5, 'ArrowDown')).toBe(7);
  });

  it('lead nowhere at the ends', () => {
    expect([from(0, 'ArrowLeft'), from(1, 'ArrowUp'), from(0, 'Home')]).toEqual([null, null, null]);
    expect([from(7, 'ArrowRight'), from(6, 'ArrowDown'), from(7, 'End')]).toEqual([null, null, null]);
    expect(from(4, 'Enter')).toBeNull();
  });
});
