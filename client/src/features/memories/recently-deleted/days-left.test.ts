import { expect, it } from 'vitest';
import { daysLeftLabel } from './days-left.ts';

it('tells when a deleted memory is removed, and never a past day', () => {
  const deletedAt = new Date(2026, 5, 1, 12).toISOString();
  const labelOn = (day: number) => daysLeftLabel(deletedAt, new Date(2026, 5, day, 12));
  expect(labelOn(1)).toBe('Gone in 30 days');
  expect(labelOn(19)).toBe('Gone in 12 days');
  expect(labelOn(30)).toBe('Gone tomorrow');
  expect(labelOn(31)).toBe('Gone today');
  expect(labelOn(40)).toBe('Gone today');
});
