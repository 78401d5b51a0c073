import type { Memory, MemoryMonthList, MemoryOrder } from '#shared/album/memory';
import { PAGE_SIZE } from '#shared/api/pagination';
import { toLocalDay } from '../../../lib/dates.ts';

/** Consecutive months that are fetched together: as many as fit a page, or one that needs several pages. */
export interface TimelineRange {
  /** `YYYY-MM` of its newest month. */
  start: string;
  cursor: string;
  count: number;
}

/** A month's rows: its heading, and one for each memory. */
export interface Section {
  month: string;
  count: number;
  firstIndex: number;
  /** The row of its heading. */
  firstRow: number;
}

export interface TimelineLayout {
  sections: Section[];
  memoryCount: number;
  rowCount: number;
}

export function buildLayout(months: readonly { month: string; count: number }[]): TimelineLayout {
  const sections: Section[] = [];
  let memoryCount = 0;
  for (const { month, count } of months) {
    sections.push({ month, count, firstIndex: memoryCount, firstRow: sections.length + memoryCount });
    memoryCount += count;
  }
  return { sections, memoryCount, rowCount: sections.length + memoryCount };
}

/** @param previous ranges: a month stays in its range, whose pages are cached under its cursor */
export function groupMonths(months: MemoryMonthList, previous: readonly TimelineRange[]): TimelineRange[] {
  const ranges = previous.map((range) => ({ ...range, count: 0 }));
  const added: TimelineRange[] = [];
  for (const { month, count, cursor } of months) {
    const last = added.at(-1);
    const range = findRange(ranges, month) ?? (last && last.count + count <= PAGE_SIZE ? last : undefined);
    if (range) range.count += count;
    else added.push({ start: month, cursor, count });
  }
  return [...added, ...ranges];
}

export function findRange(ranges: readonly TimelineRange[], month: string): TimelineRange | undefined {
  return ranges.findLast(({ start }) => start >= month);
}

/** The ranges that contain some rows, and the rows' first and last index within each range. */
export function findRanges(
  ranges: readonly TimelineRange[],
  months: MemoryMonthList,
  firstRow: number,
  lastRow: number,
): { range: TimelineRange; first: number; last: number }[] {
  const { sections } = buildLayout(months);
  const inView = sections.filter(
    ({ firstRow: start, count }) => start <= lastRow && start + count >= firstRow,
  );
  return ranges.flatMap((range) => {
    // Months and ranges are both newest first.
    const rangeStart = sections.find(({ month }) => month <= range.start)?.firstIndex ?? 0;
    const rangeSections = inView.filter(
      ({ firstIndex }) => firstIndex >= rangeStart && firstIndex < rangeStart + range.count,
    );
    const [top, bottom] = [rangeSections[0], rangeSections.at(-1)];
    if (!top || !bottom) return [];
    const toIndex = (section: Section, row: number) =>
      section.firstIndex - rangeStart + Math.min(section.count - 1, Math.max(0, row - section.firstRow - 1));
    return [{ range, first: toIndex(top, firstRow), last: toIndex(bottom, lastRow) }];
  });
}

export function toMonth({ memoryDate, createdAt }: Memory, order: MemoryOrder): string {
  const day = order === 'taken' && memoryDate ? memoryDate : toLocalDay(createdAt);
  return day.slice(0, 'YYYY-MM'.length);
}

export function sectionAtRow(layout: TimelineLayout, row: number): Section | undefined {
  return findLastSection(layout, ({ firstRow }) => firstRow <= row);
}

/** @param index of a memory in the whole timeline */
export function sectionAtIndex(layout: TimelineLayout, index: number): Section | undefined {
  return findLastSection(layout, ({ firstIndex }) => firstIndex <= index);
}

/** Binary search for the last section that matches, if all before it match. */
function findLastSection(
  { sections }: TimelineLayout,
  matches: (section: Section) => boolean,
): Section | undefined {
  let [low, high] = [0, sections.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (matches(sections[middle]!)) low = middle + 1;
    else high = middle;
  }
  return sections[low - 1];
}

/** A month's section, or the next older one if the month has no memories, or else the last one. */
export function sectionForMonth({ sections }: TimelineLayout, month: string): Section | undefined {
  return sections.find((section) => section.month <= month) ?? sections.at(-1);
}
