import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { someMemory } from '../../../testing/some-memory.ts';
import {
  groupMonths,
  layOut,
  monthOf,
  rangeOf,
  rangesBetween,
  sectionAt,
  sectionOf,
} from './timeline-layout.ts';

const month = (name: string, count: number) => ({ month: name, count, cursor: `before ${name}` });
const months = [
  month('2026-03', 2),
  month('2026-01', 98),
  month('2025-12', 1),
  month('2024-07', 250),
  month('2019-01', 3),
];
const layout = layOut(months);
const ranges = groupMonths(months, []);

describe('the rows of a history', () => {
  it('are a heading and the memories of each month', () => {
    expect(layout).toMatchObject({ rowCount: 5 + 2 + 98 + 1 + 250 + 3, memoryCount: 2 + 98 + 1 + 250 + 3 });
    expect(layout.sections.map(({ before }) => before)).toEqual([0, 2, 100, 101, 351]);
    expect(layout.sections.map(({ firstRow }) => firstRow)).toEqual([0, 3, 102, 104, 355]);
  });

  it('are found in their month', () => {
    expect([0, 2, 3, 101, 102, 104, 354, 355, 358].map((row) => sectionAt(layout, row)?.month)).toEqual([
      '2026-03',
      '2026-03',
      '2026-01',
      '2026-01',
      '2025-12',
      '2024-07',
      '2024-07',
      '2019-01',
      '2019-01',
    ]);
    expect(sectionAt(layOut([]), 0)).toBeUndefined();
  });
});

describe('months that are fetched together', () => {
  const named = (each: typeof ranges) => each.map(({ cursor, count }) => [cursor, count]);

  it('are as many as fit a page', () => {
    expect(named(ranges)).toEqual([
      ['before 2026-03', 100],
      ['before 2025-12', 1],
      ['before 2024-07', 250],
      ['before 2019-01', 3],
    ]);
    expect(rangeOf(ranges, '2026-01')).toBe(ranges[0]);
    expect(rangeOf(ranges, '2025-12')).toBe(ranges[1]);
  });

  it('stay together under their cursor when months come and go', () => {
    const without = groupMonths(months.slice(1), ranges);
    expect(named(without)[0]).toEqual(['before 2026-03', 98]);
    const withNew = groupMonths([month('2026-05', 7), ...months.slice(1), month('2018-02', 4)], ranges);
    expect(named(withNew)).toEqual([
      ['before 2026-05', 7],
      ['before 2026-03', 98],
      ['before 2025-12', 1],
      ['before 2024-07', 250],
      ['before 2019-01', 7],
    ]);
  });

  it('stay together when the first of them is empty for a while', () => {
    expect(groupMonths(months, groupMonths(months.slice(1), ranges))).toEqual(ranges);
  });
});

describe('a month that is looked for', () => {
  it('is found by its name', () => {
    expect(sectionOf(layout, '2024-07')?.firstRow).toBe(104);
  });

  it('without memories is the next older one, or else the last', () => {
    expect(sectionOf(layout, '2025-06')?.month).toBe('2024-07');
    expect(sectionOf(layout, '2030-01')?.month).toBe('2026-03');
    expect(sectionOf(layout, '1999-01')?.month).toBe('2019-01');
  });
});

describe('what rows need of the ranges', () => {
  const between = (first: number, last: number) =>
    rangesBetween(ranges, months, first, last).map(({ range, ...places }) => [range.cursor, places]);

  it('is what they show', () => {
    expect(between(0, 2)).toEqual([['before 2026-03', { first: 0, last: 1 }]]);
    expect(between(110, 120)).toEqual([['before 2024-07', { first: 5, last: 15 }]]);
    expect(between(354, 358)).toEqual([
      ['before 2024-07', { first: 249, last: 249 }],
      ['before 2019-01', { first: 0, last: 2 }],
    ]);
  });

  it('is at least the first memory below a heading', () => {
    expect(between(104, 104)).toEqual([['before 2024-07', { first: 0, last: 0 }]]);
  });
});

it('a memory stands under the month in which it was added, or taken', () => {
  const createdAt = '2026-03-15T12:00:00.000Z';
  expect(monthOf(someMemory({ createdAt, memoryDate: '2019-05-17T10:00' }), 'added')).toBe('2026-03');
  expect(monthOf(someMemory({ createdAt, memoryDate: '2019-05-17T10:00' }), 'taken')).toBe('2019-05');
  expect(monthOf(someMemory({ createdAt, memoryDate: null }), 'taken')).toBe('2026-03');
});

it('each memory of any history has one row, and one place in one range', () => {
  const counts = fc.array(fc.integer({ min: 1, max: 250 }), { maxLength: 40 });
  fc.assert(
    fc.property(counts, (counts) => {
      const months = counts.map((count, index) => month(`${2000 - index}-01`, count));
      const layout = layOut(months);
      const ranges = groupMonths(months, []);
      for (const section of layout.sections)
        for (const row of [section.firstRow, section.firstRow + section.count])
          expect(sectionAt(layout, row)).toBe(section);
      expect(ranges.reduce((sum, { count }) => sum + count, 0)).toBe(layout.memoryCount);
      expect(rangesBetween(ranges, months, 0, layout.rowCount)).toEqual(
        ranges.map((range) => ({ range, first: 0, last: range.count - 1 })),
      );
    }),
  );
});
