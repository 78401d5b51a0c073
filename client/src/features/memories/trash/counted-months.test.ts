import { expect, it } from 'vitest';
import { someMemory } from '../../../testing/some-memory.ts';
import { monthOf, withOneLess, withOneMore } from './counted-months.ts';

const month = (name: string, count: number) => ({ month: name, count, cursor: `end of ${name}` });

it('a memory stands under the month in which it was added, or taken', () => {
  const createdAt = '2026-03-15T12:00:00.000Z';
  expect(monthOf(someMemory({ createdAt, memoryDate: '2019-05-17T10:00' }), 'added')).toBe('2026-03');
  expect(monthOf(someMemory({ createdAt, memoryDate: '2019-05-17T10:00' }), 'taken')).toBe('2019-05');
  expect(monthOf(someMemory({ createdAt, memoryDate: null }), 'taken')).toBe('2026-03');
});

it('a month goes with its last memory, and comes back with it to where it was', () => {
  const months = [month('2026-03', 2), month('2026-01', 1), month('2025-12', 4)];
  expect(withOneLess(months, '2026-03').map(({ count }) => count)).toEqual([1, 1, 4]);
  for (const each of months) expect(withOneMore(withOneLess(months, each.month), each)).toEqual(months);
  expect(withOneLess(months, '2026-01').map((each) => each.month)).toEqual(['2026-03', '2025-12']);
});
