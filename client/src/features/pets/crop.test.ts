import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { centerCrop, fitCrop, MAX_ZOOM, moveCrop, pinchCrop, resizeCrop } from './crop.ts';

const picture = { width: 900, height: 600 };
const all = { left: 150, top: 0, size: 600 };

describe('the crop of a picture', () => {
  it('begins in the middle', () => {
    expect(centerCrop(picture)).toEqual(all);
    expect(centerCrop({ width: 601, height: 900 })).toEqual({ left: 0, top: 149, size: 601 });
  });

  it('moves against the drag, and stops at the edges', () => {
    expect(moveCrop(all, picture, { x: 0.1, y: 0.1 })).toEqual({ left: 90, top: 0, size: 600 });
    expect(moveCrop(all, picture, { x: -9, y: -9 })).toEqual({ left: 300, top: 0, size: 600 });
  });

  it('zooms about a point, between the whole picture and a part of it', () => {
    expect(resizeCrop(all, picture, 300, { x: 0, y: 1 })).toEqual({ left: 150, top: 300, size: 300 });
    expect(resizeCrop(all, picture, 1)).toEqual({ left: 400, top: 250, size: 600 / MAX_ZOOM });
    expect(resizeCrop({ left: 0, top: 0, size: 300 }, picture, 5000)).toEqual({ left: 0, top: 0, size: 600 });
    expect(resizeCrop({ left: 0, top: 0, size: 300 }, picture, 299.9).size).toBe(299);
  });

  it('follows two fingers', () => {
    const from: [{ x: number; y: number }, { x: number; y: number }] = [
      { x: 0.25, y: 0.5 },
      { x: 0.75, y: 0.5 },
    ];
    expect(pinchCrop({ left: 300, top: 150, size: 300 }, picture, from, from)).toEqual({
      left: 300,
      top: 150,
      size: 300,
    });
    const apart: typeof from = [
      { x: 0, y: 0.5 },
      { x: 1, y: 0.5 },
    ];
    expect(pinchCrop(all, picture, from, apart)).toEqual({ left: 300, top: 150, size: 300 });
  });

  it('is always whole pixels within the picture', () => {
    const side = fc.integer({ min: 1, max: 5000 });
    const number = fc.double({ min: -6000, max: 6000, noNaN: true });
    fc.assert(
      fc.property(side, side, number, number, number, (width, height, left, top, size) => {
        const crop = fitCrop({ left, top, size }, { width, height });
        expect(Object.values(crop).every((each) => Number.isInteger(each) && each >= 0)).toBe(true);
        expect(crop.left + crop.size).toBeLessThanOrEqual(width);
        expect(crop.top + crop.size).toBeLessThanOrEqual(height);
      }),
    );
  });
});
