import { describe, expect, it } from 'vitest';
import { someMemory } from '../../../testing/some-memory.ts';
import { listPhotoSizes, printPhotoSizes } from './print-layout.ts';

describe('the sizes of photos that are wider than their frame', () => {
  it.each([
    { kind: 'a panorama of 12:1', width: 12_000, height: 1000, grid: '1800px', list: '1152px' },
    { kind: 'a panorama of 4:1', width: 4000, height: 1000, grid: '600px', list: '384px' },
    { kind: 'a photo of 2:1', width: 2000, height: 1000, grid: '300px', list: '192px' },
    { kind: 'a photo of 4:3', width: 400, height: 300, grid: '300px', list: '128px' },
    { kind: 'a square', width: 300, height: 300, grid: '300px', list: '96px' },
    { kind: 'a tall strip', width: 100, height: 1000, grid: '180px', list: '96px' },
    { kind: 'a photo of unknown size', width: null, height: null, grid: '300px', list: '96px' },
  ])('are as wide as $kind is drawn', ({ width, height, grid, list }) => {
    const memory = someMemory({ width, height });
    expect(printPhotoSizes(memory, 300)).toBe(grid);
    expect(listPhotoSizes(memory)).toBe(list);
  });
});
