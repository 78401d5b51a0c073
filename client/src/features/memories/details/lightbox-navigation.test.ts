import { expect, it } from 'vitest';
import { neighborsOf } from './lightbox-navigation.ts';

const listOf = (ids: string[], count = ids.length) => {
  return { count, at: (place: number) => ids[place], failure: null, reveal: () => {} };
};

it('the neighbors of a memory stand beside it; at the ends one is missing', () => {
  const list = listOf(['a', 'b', 'c']);
  expect(neighborsOf(list, 'a', 0)).toEqual({ place: 0, previous: null, next: 1 });
  expect(neighborsOf(list, 'b', 1)).toEqual({ place: 1, previous: 0, next: 2 });
  expect(neighborsOf(list, 'c', 2)).toEqual({ place: 2, previous: 1, next: null });
});

it('there is a next one also while it is not loaded', () => {
  expect(neighborsOf(listOf(['a', 'b'], 9), 'b', 1).next).toBe(2);
});

it('a memory is found again where others came or went before it', () => {
  expect(neighborsOf(listOf(['new', 'a', 'b']), 'a', 0)).toEqual({ place: 1, previous: 0, next: 2 });
  expect(neighborsOf(listOf(['b', 'c']), 'c', 2)).toEqual({ place: 1, previous: 0, next: null });
});

it('one that has left lies between those that stood around it', () => {
  expect(neighborsOf(listOf(['a', 'c']), 'b', 1)).toEqual({ place: 1, previous: 0, next: 1 });
  expect(neighborsOf(listOf(['a']), 'b', 1)).toEqual({ place: 1, previous: 0, next: null });
  expect(neighborsOf(listOf([]), 'b', 0)).toEqual({ place: 0, previous: null, next: null });
});
