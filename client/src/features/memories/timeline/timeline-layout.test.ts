import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { layOut, sectionAt, sectionOf, stretchesBetween } from './timeline-layout.ts';

const month = (name: string, count: number) => ({ month: name, count, cursor: `before ${name}` });
const layout = layOut([
  month('2026-03', 2),
  month('2026-01', 98),
  month('2025-12', 1),
  month('2024-07', 250),
  month('2019-01', 3),
]);

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

  it('are fetched with those of neighboring months, as many as fit a page', () => {
    expect(layout.sections.map(({ stretch, offset }) => [stretch.cursor, stretch.count, offset])).toEqual([
      ['before 2026-03', 100, 0],
      ['before 2026-03', 100, 2],
      ['before 2025-12', 1, 0],
      ['before 2024-07', 250, 0],
      ['before 2019-01', 3, 0],
    ]);
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

describe('what rows need of their stretches', () => {
  const reaches = (first: number, last: number) =>
    [...stretchesBetween(layout, first, last)].map(([{ cursor }, reach]) => [cursor, reach]);

  it('is as much as they show', () => {
    expect(reaches(0, 2)).toEqual([['before 2026-03', 2]]);
    expect(reaches(110, 120)).toEqual([['before 2024-07', 16]]);
    expect(reaches(354, 358)).toEqual([
      ['before 2024-07', 250],
      ['before 2019-01', 3],
    ]);
  });

  it('is at least the first memory below a heading', () => {
    expect(reaches(104, 104)).toEqual([['before 2024-07', 1]]);
  });
});

it('each memory of any history has one row, and one place in what is fetched', () => {
  const counts = fc.array(fc.integer({ min: 1, max: 250 }), { maxLength: 40 });
  fc.assert(
    fc.property(counts, (counts) => {
      const layout = layOut(counts.map((count, index) => month(`${2000 - index}-01`, count)));
      const places = new Map<object, number>();
      for (const [index, section] of layout.sections.entries()) {
        expect(section.offset).toBe(places.get(section.stretch) ?? 0);
        places.set(section.stretch, section.offset + counts[index]!);
        for (const row of [section.firstRow, section.firstRow + section.count])
          expect(sectionAt(layout, row)).toBe(section);
      }
      for (const [stretch, end] of places) expect(stretch).toMatchObject({ count: end });
      expect(stretchesBetween(layout, 0, layout.rowCount)).toEqual(places);
    }),
  );
});
