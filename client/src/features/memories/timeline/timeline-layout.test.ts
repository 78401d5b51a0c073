import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { someMemory } from '../../../testing/some-memory.ts';
import {
  groupMonths,
  buildLayout,
  toMonth,
  findRange,
  findRanges,
  sectionAtRow,
  sectionForMonth,
} from './timeline-layout.ts';

const month = (name: string, count: number) => ({ month: name, count, cursor: `before ${name}` });
const months = [
  month('2026-03', 2),
  month('2026-01', 98),
  month('2025-12', 1),
  month('2024-07', 250),
  month('2019-01', 3),
];
const layout = buildLayout(months);
const ranges = groupMonths(months, []);

describe('timeline rows', () => {
  it('are a heading and one row per memory for each month', () => {
    expect(layout).toMatchObject({ rowCount: 5 + 2 + 98 + 1 + 250 + 3, memoryCount: 2 + 98 + 1 + 250 + 3 });
    expect(layout.sections.map(({ firstIndex }) => firstIndex)).toEqual([0, 2, 100, 101, 351]);
    expect(layout.sections.map(({ firstRow }) => firstRow)).toEqual([0, 3, 102, 104, 355]);
  });

  it('belong to the section of their month', () => {
    expect([0, 2, 3, 101, 102, 104, 354, 355, 358].map((row) => sectionAtRow(layout, row)?.month)).toEqual([
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
    expect(sectionAtRow(buildLayout([]), 0)).toBeUndefined();
  });
});

describe('timeline ranges', () => {
  const named = (each: typeof ranges) => each.map(({ cursor, count }) => [cursor, count]);

  it('contain as many months as fit a page', () => {
    expect(named(ranges)).toEqual([
      ['before 2026-03', 100],
      ['before 2025-12', 1],
      ['before 2024-07', 250],
      ['before 2019-01', 3],
    ]);
    expect(findRange(ranges, '2026-01')).toBe(ranges[0]);
    expect(findRange(ranges, '2025-12')).toBe(ranges[1]);
  });

  it('keep their months and cursors when months are added or removed', () => {
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

  it('keep their months when the first one is temporarily empty', () => {
    expect(groupMonths(months, groupMonths(months.slice(1), ranges))).toEqual(ranges);
  });
});

describe('the section for a month', () => {
  it('is the section of that month', () => {
    expect(sectionForMonth(layout, '2024-07')?.firstRow).toBe(104);
  });

  it('is the next older one if the month has no memories, or else the last', () => {
    expect(sectionForMonth(layout, '2025-06')?.month).toBe('2024-07');
    expect(sectionForMonth(layout, '2030-01')?.month).toBe('2026-03');
    expect(sectionForMonth(layout, '1999-01')?.month).toBe('2019-01');
  });
});

describe('the ranges of some rows', () => {
  const between = (first: number, last: number) =>
    findRanges(ranges, months, first, last).map(({ range, ...indexes }) => [range.cursor, indexes]);

  it('come with the indexes of the memories in those rows', () => {
    expect(between(0, 2)).toEqual([['before 2026-03', { first: 0, last: 1 }]]);
    expect(between(110, 120)).toEqual([['before 2024-07', { first: 5, last: 15 }]]);
    expect(between(354, 358)).toEqual([
      ['before 2024-07', { first: 249, last: 249 }],
      ['before 2019-01', { first: 0, last: 2 }],
    ]);
  });

  it('include the first memory below a heading', () => {
    expect(between(104, 104)).toEqual([['before 2024-07', { first: 0, last: 0 }]]);
  });
});

it('a memory belongs to the month in which it was added or taken', () => {
  const createdAt = '2026-03-15T12:00:00.000Z';
  expect(toMonth(someMemory({ createdAt, memoryDate: '2019-05-17T10:00' }), 'added')).toBe('2026-03');
  expect(toMonth(someMemory({ createdAt, memoryDate: '2019-05-17T10:00' }), 'taken')).toBe('2019-05');
  expect(toMonth(someMemory({ createdAt, memoryDate: null }), 'taken')).toBe('2026-03');
});

it('every memory has one row, and one index in one range', () => {
  const counts = fc.array(fc.integer({ min: 1, max: 250 }), { maxLength: 40 });
  fc.assert(
    fc.property(counts, (counts) => {
      const months = counts.map((count, index) => month(`${2000 - index}-01`, count));
      const layout = buildLayout(months);
      const ranges = groupMonths(months, []);
      for (const section of layout.sections)
        for (const row of [section.firstRow, section.firstRow + section.count])
          expect(sectionAtRow(layout, row)).toBe(section);
      expect(ranges.reduce((sum, { count }) => sum + count, 0)).toBe(layout.memoryCount);
      expect(findRanges(ranges, months, 0, layout.rowCount)).toEqual(
        ranges.map((range) => ({ range, first: 0, last: range.count - 1 })),
      );
    }),
  );
});
