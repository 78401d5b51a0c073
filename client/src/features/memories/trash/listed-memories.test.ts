import { describe, expect, it } from 'vitest';
import type { Memory } from '#shared/memory';
import type { Page } from '../../../lib/api-client.ts';
import { someMemory } from '../../../testing/some-memory.ts';
import { placeIn, withMemory, withoutMemory } from './listed-memories.ts';

const pagesOf = (...pages: string[]): Page<Memory[]>[] =>
  pages.map((ids) => ({ items: [...ids].map((id) => someMemory({ id })), next: null }));
const idsOf = (pages: Page<Memory[]>[]) => pages.map(({ items }) => items.map(({ id }) => id).join(''));

/** Takes memories out one after the other, and puts them back, the last first. */
function thereAndBack(pages: Page<Memory[]>[], ids: string) {
  const places = [...ids].map((id) => {
    const place = placeIn(pages, id)!;
    pages = withoutMemory(pages, id);
    return { id, place };
  });
  const without = idsOf(pages).join('');
  for (const { id, place } of places.reverse()) pages = withMemory(pages, someMemory({ id }), place);
  return { without, back: idsOf(pages).join('') };
}

describe('a memory that is taken out of a list', () => {
  it('comes back to where it was, in whatever order its neighbors went too', () => {
    for (const [ids, without] of [
      ['b', 'acdef'],
      ['abc', 'def'],
      ['cba', 'def'],
      ['dbc', 'aef'],
      ['fa', 'bcde'],
      ['edcbaf', ''],
    ] as const)
      expect(thereAndBack(pagesOf('abc', 'def'), ids)).toEqual({ without, back: 'abcdef' });
  });

  it('comes back once, also when the list has been fetched with it meanwhile', () => {
    const pages = pagesOf('abc');
    expect(idsOf(withMemory(pages, someMemory({ id: 'b' }), { after: 'a', before: 'c' }))).toEqual(['abc']);
  });

  it('comes to the top of a list that has none of its neighbors any more', () => {
    const lost = { after: 'x', before: 'y' };
    expect(idsOf(withMemory(pagesOf('', 'ab'), someMemory({ id: 'c' }), lost))).toEqual(['c', 'ab']);
  });
});
