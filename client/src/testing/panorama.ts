import { IMAGE_WIDTHS } from '#shared/photos/image-widths';
import { someMemory } from './some-memory.ts';

const RATIO = 12;

/** Photos that cover a frame show only its middle. */
export const panorama = someMemory({ width: 1000 * RATIO, height: 1000 });

const WINDOW_PX = 390;
const widest = Math.max(...IMAGE_WIDTHS);

/**
 * The heights of the copies of a panorama that a browser chooses for each of the `sizes`, as shares of the frame's height; 1 at most.
 * The widest copy is high enough for any frame: there is no wider one.
 */
export function panoramaSharpness(markup: string, frameHeight: number): number[] {
  const [, sizes = ''] = /\bsizes="([^"]+)"/.exec(markup) ?? [];
  return sizes.split(',').map((size) => {
    const [, length = '', unit] = /([\d.]+)(px|vw)\s*$/.exec(size) ?? [];
    const drawn = unit === 'vw' ? (Number(length) / 100) * WINDOW_PX : Number(length);
    const copy = IMAGE_WIDTHS.find((width) => width >= drawn) ?? widest;
    return copy === widest ? 1 : Math.min(1, copy / RATIO / frameHeight);
  });
}
