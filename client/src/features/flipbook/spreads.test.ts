import { describe, expect, it } from 'vitest';
import { countFlipbookPages } from '#shared/album/flipbook';
import { pageAfterTurn, parsePage, spreadAt } from './spreads.ts';

/** All spreads, starting with the cover. */
function turnAllPages(memories: number, isWide: boolean): number[][] {
  const total = countFlipbookPages(memories);
  const spreads: number[][] = [];
  for (let page: number | null = 0; page !== null; page = pageAfterTurn(1, page, total, isWide)) {
    const { first, last } = spreadAt(page, total, isWide);
    spreads.push(first === last ? [first] : [first, last]);
  }
  return spreads;
}

describe('spreads', () => {
  it('show the cover and the end alone, and each photo beside its caption, on a wide screen', () => {
    expect(turnAllPages(1, true)).toEqual([[0], [1, 2], [3]]);
    expect(turnAllPages(3, true)).toEqual([[0], [1, 2], [3, 4], [5, 6], [7]]);
  });

  it('are single pages on a narrow screen', () => {
    expect(turnAllPages(2, false)).toEqual([[0], [1], [2], [3], [4], [5]]);
  });

  it('take the same number of turns in both directions', () => {
    for (const memories of [1, 2, 3, 500]) {
      for (const isWide of [true, false]) {
        const total = countFlipbookPages(memories);
        const pages = turnAllPages(memories, isWide);
        expect(pages.flat()).toEqual(Array.from({ length: total }, (_, page) => page));
        let turns = 0;
        for (let page: number | null = total - 1; page !== null; turns++)
          page = pageAfterTurn(-1, page, total, isWide);
        expect(turns).toBe(pages.length);
      }
    }
  });

  it('contain both facing pages', () => {
    expect(spreadAt(3, 8, true)).toEqual({ first: 3, last: 4 });
    expect(spreadAt(4, 8, true)).toEqual({ first: 3, last: 4 });
    expect(spreadAt(4, 8, false)).toEqual({ first: 4, last: 4 });
  });
});

describe('the page in the URL', () => {
  it('counts from 1, and is limited to existing pages', () => {
    expect(parsePage('3', 6)).toBe(2);
    expect(parsePage('99', 6)).toBe(5);
    expect(parsePage('0', 6)).toBe(0);
    expect(parsePage('-4', 6)).toBe(0);
  });

  it('is the first page if the number is invalid', () => {
    for (const text of [null, '', 'x', 'Infinity', '2.9e400']) expect(parsePage(text, 6)).toBe(0);
  });
});
