import type { MemoryMonthList } from '#shared/memory';
import { PAGE_SIZE } from '#shared/page';

/** Some months in a row, fetched from one cursor on: as many as fit a page, or one that needs several. */
export interface Stretch {
  cursor: string;
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
  stretch: Stretch;
  /** Where its memories begin in the stretch. */
  offset: number;
}

/** The whole history in rows, known from the months' counts alone. */
export interface TimelineLayout {
  sections: Section[];
  memoryCount: number;
  rowCount: number;
}

export function layOut(months: MemoryMonthList): TimelineLayout {
  const sections: Section[] = [];
  let before = 0;
  for (const { month, count, cursor } of months) {
    const last = sections.at(-1)?.stretch;
    const isJoining = last !== undefined && last.count + count <= PAGE_SIZE;
    const stretch = isJoining ? last : { cursor, count: 0 };
    const firstRow = sections.length + before;
    sections.push({ month, count, before, firstRow, stretch, offset: stretch.count });
    stretch.count += count;
    before += count;
  }
  return { sections, memoryCount: before, rowCount: sections.length + before };
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

/** How far into each stretch the rows from `first` to `last` reach. */
export function stretchesBetween(layout: TimelineLayout, first: number, last: number): Map<Stretch, number> {
  const reaches = new Map<Stretch, number>();
  for (const { firstRow, count, stretch, offset } of layout.sections) {
    if (firstRow > last) break;
    if (firstRow + count < first) continue;
    reaches.set(stretch, offset + Math.min(count, Math.max(1, last - firstRow)));
  }
  return reaches;
}
