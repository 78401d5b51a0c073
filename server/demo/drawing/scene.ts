import { drawAnimal, drawBird, type Coat, type Look } from './animals.ts';
import type { Frame } from './frame.ts';
import { at, ellipse, group, type Svg } from './svg.ts';

/** Who is in the picture, and how. */
export type Actor = Look & { coat: Coat | 'budgie' };

/** Puts the actor of that number on the ground at (x, y); `size` is how tall a sitting dog would be. Nobody is nothing. */
export type Cast = (
  index: number,
  x: number,
  y: number,
  size: number,
  options?: { flip?: boolean; shadow?: boolean },
) => Svg;

/** A place, drawn around whoever is there. */
export type Scene = (frame: Frame, cast: Cast, count: number) => Svg;

export function castOf(actors: readonly Actor[]): Cast {
  return (index, x, y, size, { flip = false, shadow = true } = {}) => {
    const actor = actors[index];
    if (!actor) return '';
    const ground =
      shadow && actor.pose !== 'peek'
        ? ellipse(x + size * 0.05, y, size * 0.42, size * 0.06, '#2b1530', {
            opacity: 0.3,
            filter: 'url(#haze)',
          })
        : '';
    const figure = actor.coat === 'budgie' ? drawBird(actor.mood) : drawAnimal(actor.coat, actor);
    return ground + group(at(x, y, figure, { scale: size / 100, flip }), {});
  };
}

/** One in the middle, or two or three side by side. */
export function together(
  { w, h, u }: Frame,
  cast: Cast,
  count: number,
  y: number,
  tall: number,
  middle = w / 2,
): Svg {
  // An upright picture has the height for it.
  const size = h > w && count === 1 ? tall * 1.25 : tall;
  const gap = size * 0.66;
  const first = middle - ((count - 1) * gap) / 2;
  return Array.from({ length: count }, (_, index) =>
    cast(index, first + index * gap, y + (index % 2) * 1.5 * u, size, {
      flip: index > 0 && index === count - 1,
    }),
  ).join('');
}
