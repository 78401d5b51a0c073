import { expect, it } from 'vitest';
import { nextPage } from './next-page.ts';

/** The sizes of the pages, until so many memories are there. */
function sizesUntil(count: number): number[] {
  const sizes = [100];
  for (let sum = 100; sum < count; sum += sizes.at(-1)!) {
    const path = nextPage({ items: [], next: '/api/memories?limit=100&q=a%26b&cursor=abc' }, sizes);
    sizes.push(Number(/^\/api\/memories\?limit=(\d+)&q=a%26b&cursor=abc$/.exec(path ?? '')?.[1]));
  }
  return sizes;
}

it('a list begins with a hundred at a time, and is at the end of ten thousand after fourteen calls', () => {
  expect(sizesUntil(1600)).toEqual([100, 100, 200, 400, 800]);
  expect(sizesUntil(10_000)).toHaveLength(14);
  expect(Math.max(...sizesUntil(10_000))).toBe(1000);
});

it('the last page leads nowhere', () => {
  expect(nextPage({ items: [], next: null }, [1])).toBeNull();
});
