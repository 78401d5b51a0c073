import { expect, it } from 'vitest';
import { findNeighbors } from './lightbox-navigation.ts';

const createList = (ids: string[], count = ids.length) => {
  return { count, at: (index: number) => ids[index], errorAt: () => null, reveal: () => {} };
};

it('returns the adjacent indexes, and null at the ends', () => {
  const list = createList(['a', 'b', 'c']);
  expect(findNeighbors(list, 'a', 0)).toEqual({ index: 0, previous: null, next: 1 });
  expect(findNeighbors(list, 'b', 1)).toEqual({ index: 1, previous: 0, next: 2 });
  expect(findNeighbors(list, 'c', 2)).toEqual({ index: 2, previous: 1, next: null });
});

it('returns a next index that is not loaded yet', () => {
  expect(findNeighbors(createList(['a', 'b'], 9), 'b', 1).next).toBe(2);
});

it('finds a memory that moved because others were added or removed', () => {
  expect(findNeighbors(createList(['new', 'a', 'b']), 'a', 0)).toEqual({ index: 1, previous: 0, next: 2 });
  expect(findNeighbors(createList(['b', 'c']), 'c', 2)).toEqual({ index: 1, previous: 0, next: null });
});

it('returns the former neighbors of a memory that has left the list', () => {
  expect(findNeighbors(createList(['a', 'c']), 'b', 1)).toEqual({ index: 1, previous: 0, next: 1 });
  expect(findNeighbors(createList(['a']), 'b', 1)).toEqual({ index: 1, previous: 0, next: null });
  expect(findNeighbors(createList([]), 'b', 0)).toEqual({ index: 0, previous: null, next: null });
});
