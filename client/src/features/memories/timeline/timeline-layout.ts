import type { Memory, MemoryMonthList, MemoryOrder } from '#shared/memory';
import { PAGE_SIZE } from '#shared/pagination';
import { toLocalDay } from '../../../lib/dates.ts';

/** Some months in a row, fetched together from one cursor on: as many as fit a page, or one that needs several. */
export interface TimelineRange {
  /** `YYYY-MM` of its newest month. */
  start: string;
  cursor: string;
  /** How many memories its months have. */
  count: number;
}

/** A month's rows: its heading, and one for each of its memories. */
export interface Section {
  month: string;
  count: number;
  /** How many memories are in the months before it. */
  before: number;
  /** The row of its heading. */
  firstRow: number;
}

/** The whole history in rows, known from the months' counts alone. */
export interface TimelineLayout {
  sections: Section[];
  memoryCount: number;
  rowCount: number;
}

export function layOut(months: readonly { month: string; count: number }[]): TimelineLayout {
  const sections: Section[] = [];
  let before = 0;
  for (const { month, count } of months) {
    sections.push({ month, count, before, firstRow: sections.length + before });
    before += count;
  }
  return { sections, memoryCount: before, rowCount: sections.length + before };
}

/** @param before how they were grouped: a month stays in its range, whose pages are cached under its cursor */
export function groupMonths(months: MemoryMonthList, before: readonly TimelineRange[]): TimelineRange[] {
  const known = before.map((range) => ({ ...range, count: 0 }));
  const added: TimelineRange[] = [];
  for (const { month, count, cursor } of months) {
    const last = added.at(-1);
    const own = rangeOf(known, month) ?? (last && last.count + count <= PAGE_SIZE ? last : undefined);
    if (own) own.count += count;
    else added.push({ start: month, cursor, count });
  }
  return [...added, ...known];
}

/** The range that a month is fetched with. */
export function rangeOf<Range extends TimelineRange>(
  ranges: readonly Range[],
  month: string,
): Range | undefined {
  return ranges.findLast(({ start }) => start >= month);
}

/** Which ranges some rows are in, and which places of theirs. */
export function rangesBetween(
  ranges: readonly TimelineRange[],
  months: MemoryMonthList,
  firstRow: number,
  lastRow: number,
): { range: TimelineRange; first: number; last: number }[] {
  const { sections } = layOut(months);
  return ranges.flatMap((range) => {
    const own = sections.filter(({ month }) => rangeOf(ranges, month) === range);
    const before = own[0]?.before ?? 0;
    const inView = own.filter((each) => each.firstRow <= lastRow && each.firstRow + each.count >= firstRow);
    const [top, bottom] = [inView[0], inView.at(-1)];
    if (!top || !bottom) return [];
    const placeOf = (section: Section, row: number) =>
      section.before - before + Math.min(section.count - 1, Math.max(0, row - section.firstRow - 1));
    return [{ range, first: placeOf(top, firstRow), last: placeOf(bottom, lastRow) }];
  });
}

/** The month under which a memory stands. */
export function monthOf({ memoryDate, createdAt }: Memory, order: MemoryOrder): string {
  const day = order === 'taken' && memoryDate ? memoryDate : toLocalDay(createdAt);
  return day.slice(0, 'YYYY-MM'.length);
}

/** The section that a row belongs to. */
export function sectionAt(layout: TimelineLayout, row: number): Section | undefined {
  return lastSection(layout, ({ firstRow }) => firstRow <= row);
}

/** The section that a memory belongs to, by its place among all. */
export function sectionOfPlace(layout: TimelineLayout, place: number): Section | undefined {
  return lastSection(layout, ({ before }) => before <= place);
}

/** The last one for which it is so, where it is so for all before. */
function lastSection({ sections }: TimelineLayout, isSo: (section: Section) => boolean): Section | undefined {
  let [low, high] = [0, sections.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (isSo(sections[middle]!)) low = middle + 1;
    else high = middle;
  }
  return sections[low - 1];
}

/** A month's section; of one that has no memories, the one that follows in its place. */
export function sectionOf({ sections }: TimelineLayout, month: string): Section | undefined {
  return sections.find((section) => section.month <= month) ?? sections.at(-1);
}
