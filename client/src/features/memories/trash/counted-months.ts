import type { Memory, MemoryMonthList, MemoryOrder } from '#shared/memory';
import { localDay } from '../../../lib/dates.ts';

/** The month under which a memory stands in the timeline. */
export function monthOf({ memoryDate, createdAt }: Memory, order: MemoryOrder): string {
  const day = order === 'taken' && memoryDate ? memoryDate : localDay(createdAt);
  return day.slice(0, 'YYYY-MM'.length);
}

/** One memory less in a month; one that has none left goes. */
export function withOneLess(months: MemoryMonthList, month: string): MemoryMonthList {
  return months
    .map((each) => (each.month === month ? { ...each, count: each.count - 1 } : each))
    .filter(({ count }) => count > 0);
}

/** One more in a month, which may have gone. */
export function withOneMore(
  months: MemoryMonthList,
  { month, cursor }: MemoryMonthList[number],
): MemoryMonthList {
  if (months.some((each) => each.month === month))
    return months.map((each) => (each.month === month ? { ...each, count: each.count + 1 } : each));
  const later = months.filter((each) => each.month > month);
  return [...later, { month, count: 1, cursor }, ...months.slice(later.length)];
}
