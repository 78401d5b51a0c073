import { describe, expect, it } from 'vitest';
import { indexAfterKey, toColumns } from './grid-layout.ts';

describe('grid columns', () => {
  const counts = (...widths: number[]) => widths.map((width) => toColumns(width, 4).count);

  it('are as many as fit, up to the maximum', () => {
    expect(counts(513, 740, 912, 1088)).toEqual([2, 2, 3, 4]);
    expect(toColumns(1088, 3).count).toBe(3);
    expect(toColumns(0, 4).count).toBe(1);
  });

  it('are two on phones from 360 px on, but not in a list', () => {
    expect(counts(280, 320, 350, 511)).toEqual([1, 2, 2, 2]);
    expect(toColumns(350, 1)).toEqual({ count: 1, gapPx: 32, widthPx: 350 });
  });

  it('share the width without the gaps, which are narrower on phones', () => {
    expect(toColumns(1088, 4)).toEqual({ count: 4, gapPx: 32, widthPx: 248 });
    expect(toColumns(320, 4)).toEqual({ count: 2, gapPx: 16, widthPx: 152 });
  });
});

describe('arrow keys', () => {
  const from = (index: number, key: string) => indexAfterKey(key, index, 3, 8);

  it('move to adjacent tiles, and from the end of a row to the next', () => {
    expect([from(4, 'ArrowLeft'), from(4, 'ArrowRight')]).toEqual([3, 5]);
    expect([from(4, 'ArrowUp'), from(4, 'ArrowDown')]).toEqual([1, 7]);
    expect([from(2, 'ArrowRight'), from(3, 'ArrowLeft')]).toEqual([3, 2]);
    expect([from(4, 'Home'), from(4, 'End')]).toEqual([0, 7]);
  });

  it('move down to the last tile if the last row ends before the column', () => {
    expect(from(5, 'ArrowDown')).toBe(7);
  });

  it('do nothing at the ends', () => {
    expect([from(0, 'ArrowLeft'), from(1, 'ArrowUp'), from(0, 'Home')]).toEqual([null, null, null]);
    expect([from(7, 'ArrowRight'), from(6, 'ArrowDown'), from(7, 'End')]).toEqual([null, null, null]);
    expect(from(4, 'Enter')).toBeNull();
  });
});
