import { useQueryClient } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import type { MemoryMonthList, MemoryOrder } from '#shared/album/memory';
import { useMemoryMonths, pagePath, usePageChains, type PageChain } from '../store/memory-lists.ts';
import { getMemory, useHiddenMemories } from '../store/memory-store.ts';
import { useInViewOrBelow } from '../../../lib/browser/use-in-view-or-below.ts';
import { pausePrepends, usePausedUpdates } from '../store/use-paused-updates.ts';
import {
  groupMonths,
  buildLayout,
  toMonth,
  findRange,
  findRanges,
  type Section,
  type TimelineRange,
} from './timeline-layout.ts';

/** Memories are fetched before they scroll into view. */
const ROWS_AHEAD = 10;

export interface FailedItem {
  error: unknown;
  retry: () => void;
}

/** Null if the memory was removed after the months were counted. */
export type RowItem = { id: string } | 'loading' | FailedItem | null;

/** The whole timeline. The months' counts give its length; only the memories in view are fetched. */
export function useTimeline(order: MemoryOrder) {
  const client = useQueryClient();
  const [isTopInView, topRef] = useInViewOrBelow();
  const [view, setView] = useState<{ first: number; last: number } | null>(null);
  const { data: counted, isPending, isFetching, refetch } = useMemoryMonths(order);
  const hidden = useHiddenMemories();

  const displayed = usePausedUpdates(
    counted && { order, months: counted, ranges: groupMonths(counted, []) },
    (before, now) => {
      if (before.order !== order) return now;
      const months = isTopInView ? now.months : pauseGrowth(before.months, now.months);
      return { order, months, ranges: groupMonths(months, before.ranges) };
    },
  );
  const { months, ranges } = displayed?.order === order ? displayed : EMPTY;

  const inView = useMemo(
    () => (view ? findRanges(ranges, months, view.first - ROWS_AHEAD, view.last + ROWS_AHEAD) : []),
    [ranges, months, view],
  );
  const chains = usePageChains(
    inView.map(({ range, first, last }) => ({
      filter: { order },
      path: pagePath({ order }, range.cursor),
      first,
      last,
    })),
  );
  const fetched = new Map(inView.map(({ range }, index) => [range.start, chains[index]!]));
  const loadedRanges = usePausedUpdates({ order, ranges: toLoadedRanges(fetched) }, (before, now) =>
    before.order === order
      ? { order, ranges: mergeLoadedRanges(before.ranges, now.ranges, isTopInView) }
      : now,
  )?.ranges;

  const { layout, loaded } = useMemo(() => {
    const loaded = groupByMonth(ranges, loadedRanges, (id) => {
      const memory = getMemory(client, id);
      return memory && { month: toMonth(memory, order), isHidden: hidden.has(id) };
    });
    return { layout: buildLayout(withLoadedCounts(months, loaded)), loaded };
  }, [client, months, ranges, loadedRanges, order, hidden]);

  const itemAt = ({ month }: Section, position: number): RowItem => {
    const id = loaded.get(month)?.ids[position];
    if (id !== undefined) return { id };
    const chain = fetched.get(findRange(ranges, month)?.start ?? '');
    if (chain && chain.error !== null) return { error: chain.error, retry: chain.retry };
    return loaded.get(month)?.isComplete ? null : 'loading';
  };
  const timeline = {
    layout,
    isLoaded: displayed?.order === order,
    isPending,
    isFetching,
    refetch: () => void refetch(),
    itemAt,
    error: chains.find(({ error }) => error !== null)?.error ?? null,
    onView: (first: number, last: number) =>
      setView((view) => (view?.first === first && view.last === last ? view : { first, last })),
  };
  return [timeline, topRef] as const;
}

const EMPTY: { months: MemoryMonthList; ranges: TimelineRange[] } = { months: [], ranges: [] };

/** Counts shrink at once but grow only while the top is in view, since growth would move the reader. */
function pauseGrowth(displayed: MemoryMonthList, now: MemoryMonthList): MemoryMonthList {
  return now.flatMap((month) => {
    const before = displayed.find((each) => each.month === month.month);
    return before ? [{ ...month, count: Math.min(month.count, before.count) }] : [];
  });
}

/** The loaded part of each range, by its `start`. */
type LoadedRanges = Record<string, Pick<PageChain, 'ids' | 'isComplete' | 'isLoading'>>;

function toLoadedRanges(fetched: ReadonlyMap<string, PageChain>): LoadedRanges {
  return Object.fromEntries(
    [...fetched].map(([start, { ids, isComplete, isLoading }]) => [start, { ids, isComplete, isLoading }]),
  );
}

function mergeLoadedRanges(displayed: LoadedRanges, now: LoadedRanges, isTopInView: boolean): LoadedRanges {
  const merged = Object.entries(now).map(([start, range]): [string, LoadedRanges[string]] => {
    const before = displayed[start];
    if (!before || (isTopInView && !range.isLoading)) return [start, range];
    // The previous ids stay while pages are refetched.
    if (range.isLoading && range.ids.length < before.ids.length) return [start, before];
    return [start, { ...range, ids: pausePrepends(before.ids, range.ids) }];
  });
  return { ...displayed, ...Object.fromEntries(merged) };
}

interface LoadedMonth {
  ids: string[];
  isComplete: boolean;
}

/** A month whose memories are all hidden has an entry without ids. */
function groupByMonth(
  ranges: readonly TimelineRange[],
  loadedRanges: LoadedRanges | undefined,
  find: (id: string) => { month: string; isHidden: boolean } | null | undefined,
): Map<string, LoadedMonth> {
  const months = new Map<string, LoadedMonth>();
  for (const range of ranges) {
    const loadedRange = loadedRanges?.[range.start];
    const found = (loadedRange?.ids ?? []).flatMap((id) => {
      const memory = find(id);
      return memory ? [{ id, ...memory }] : [];
    });
    const lastMonth = found.at(-1)?.month ?? '';
    for (const { id, month, isHidden } of found) {
      // The last page reaches into the next range, or the date was changed after the page was fetched.
      if (findRange(ranges, month) !== range) continue;
      const isComplete = loadedRange?.isComplete === true || month > lastMonth;
      const entry = months.get(month) ?? { ids: [], isComplete };
      if (!isHidden) entry.ids.push(id);
      months.set(month, entry);
    }
  }
  return months;
}

function withLoadedCounts(months: MemoryMonthList, loaded: ReadonlyMap<string, LoadedMonth>) {
  const counts = new Map(months.map(({ month, count }) => [month, count]));
  for (const [month, { ids, isComplete }] of loaded)
    counts.set(month, isComplete ? ids.length : Math.max(ids.length, counts.get(month) ?? 0));
  return [...counts]
    .filter(([, count]) => count > 0)
    .sort(([one], [other]) => (one < other ? 1 : -1))
    .map(([month, count]) => ({ month, count }));
}
