import { expect, it } from 'vitest';
import { someMemory } from '../../../testing/some-memory.ts';
import { monthOf } from './grid-month.ts';

it('monthOf follows the order', () => {
  const createdAt = new Date(2026, 4, 31, 23).toISOString();
  const memory = someMemory({ createdAt, memoryDate: '2019-02-28T08:30' });
  expect(monthOf(memory, 'added')).toBe('2026-05');
  expect(monthOf(memory, 'taken')).toBe('2019-02');
  expect(monthOf({ ...memory, memoryDate: null }, 'taken')).toBe('2026-05');
});
