import { describe, expect, it } from 'vitest';
import type { Memory } from '#shared/memory';
import { someMemory } from '../../../testing/some-memory.ts';
import { mergeMemories } from './merge-memories.ts';

/** Its id says in which minute it was added. */
function added(minute: number, caption: string | null = null): Memory {
  return someMemory({ id: `${minute}`, createdAt: `2026-03-15T12:${minute}:00.000Z`, caption });
}

const list = (...pages: number[][]) =>
  pages.map((page, index) => ({
    items: page.map((minute) => added(minute)),
    next: index < pages.length - 1 ? `/page-${index + 2}` : null,
  }));
const unfinished = (...pages: number[][]) => list(...pages, []).slice(0, -1);
const idsOf = (pages: { items: Memory[] }[]) => pages.map(({ items }) => items.map(({ id }) => id).join(' '));

describe('mergeMemories', () => {
  it('puts a new memory at its place: first, among others, or last', () => {
    const pages = list([50, 40], [30, 20]);
    expect(idsOf(mergeMemories(pages, ['55'], [added(55)]))).toEqual(['55 50 40', '30 20']);
    expect(idsOf(mergeMemories(pages, ['35'], [added(35)]))).toEqual(['50 40', '35 30 20']);
    expect(idsOf(mergeMemories(pages, ['10'], [added(10)]))).toEqual(['50 40', '30 20 10']);
    expect(idsOf(mergeMemories(list([]), ['10', '20'], [added(10), added(20)]))).toEqual(['20 10']);
  });

  it('leaves one to a page that is still to come', () => {
    expect(idsOf(mergeMemories(unfinished([50, 40], [30, 20]), ['10'], [added(10)]))).toEqual([
      '50 40',
      '30 20',
    ]);
  });

  it('orders those of the same moment by their ids', () => {
    const twin = { ...added(40), id: '41' };
    expect(idsOf(mergeMemories(list([50, 40]), ['41'], [twin]))).toEqual(['50 41 40']);
  });

  it('takes out what no longer belongs to it, and shows the others as they are now', () => {
    const [page] = mergeMemories(list([50, 40, 30]), ['50', '40'], [added(40, 'Snow')]);
    expect(page?.items).toEqual([added(40, 'Snow'), added(30)]);
  });
});
