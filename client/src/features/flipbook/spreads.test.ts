import { describe, expect, it } from 'vitest';
import { countFlipbookPages } from '#shared/flipbook';
import { pageAfterTurn, parsePage, spreadAt } from './spreads.ts';

/** Every spread from the cover on. */
function leafThrough(memories: number, isWide: boolean): number[][] {
  const total = countFlipbookPages(memories);
  const spreads: number[][] = [];
  for (let page: number | null = 0; page !== null; page = pageAfterTurn(1, page, total, isWide)) {
    const { first, last } = spreadAt(page, total, isWide);
    spreads.push(first === last ? [first] : [first, last]);
  }
  return spreads;
}

describe('leafing through a book', () => {
  it('shows its cover alone, each photo beside its caption, and its end alone, on a wide screen', () => {
    expect(leafThrough(1, true)).toEqual([[0], [1, 2], [3]]);
    expect(leafThrough(3, true)).toEqual([[0], [1, 2], [3, 4], [5, 6], [7]]);
  });

  it('shows one page after the other on a narrow screen', () => {
    expect(leafThrough(2, false)).toEqual([[0], [1], [2], [3], [4], [5]]);
  });

  it('comes to the end of any book, and back by as many turns', () => {
    for (const memories of [1, 2, 3, 500]) {
      for (const isWide of [true, false]) {
        const total = countFlipbookPages(memories);
        const pages = leafThrough(memories, isWide);
        expect(pages.flat()).toEqual(Array.from({ length: total }, (_, page) => page));
        let turns = 0;
        for (let page: number | null = total - 1; page !== null; turns++)
          page = pageAfterTurn(-1, page, total, isWide);
        expect(turns).toBe(pages.length);
      }
    }
  });

  it('opens the two pages that a page stands on, whichever of them it is', () => {
    expect(spreadAt(3, 8, true)).toEqual({ first: 3, last: 4 });
    expect(spreadAt(4, 8, true)).toEqual({ first: 3, last: 4 });
    expect(spreadAt(4, 8, false)).toEqual({ first: 4, last: 4 });
  });
});

describe('the page in an address', () => {
  it('counts from 1, and is the nearest one that there is', () => {
    expect(parsePage('3', 6)).toBe(2);
    expect(parsePage('99', 6)).toBe(5);
    expect(parsePage('0', 6)).toBe(0);
    expect(parsePage('-4', 6)).toBe(0);
  });

  it('is the first where it names none', () => {
    for (const text of [null, '', 'x', 'Infinity', '2.9e400']) expect(parsePage(text, 6)).toBe(0);
  });
});
