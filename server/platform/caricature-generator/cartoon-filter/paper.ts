import { clouds } from './noise.ts';
import { makePlane, smoothstep, type Plane } from './plane.ts';

/** Where the hand did not go: 1 at the sheet's border, in a ragged line, 0 within. The margin is a share of its shorter side. */
export function marginOf(size: Pick<Plane, 'width' | 'height'>, margin: number, softness: number): Plane {
  const { width, height } = size;
  const ragged = clouds(size, Math.max(width, height) / 9, 15, 5);
  const left = makePlane(size);
  const shorter = Math.min(width, height);
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const i = y * width + x;
      const inside = Math.min(x, y, width - 1 - x, height - 1 - y) / shorter + 0.05 * ragged.values[i]!;
      left.values[i] = 1 - smoothstep(margin - softness, margin + softness, inside);
    }
  }
  return left;
}
