import { useQueryClient } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import type { MemoryMonthList, MemoryOrder } from '#shared/memory';
import { useInSight } from '../../../lib/use-in-sight.ts';
import { useMemoryMonths, pagePath, usePageChains, type PageChain } from '../store/memory-lists.ts';
import { getMemory, useHiddenMemories } from '../store/memory-store.ts';
import { keepIdsInView, useFrozen } from '../../../lib/use-frozen.ts';
import {
  groupMonths,
  layOut,
  monthOf,
  rangeOf,
  rangesBetween,
  type Section,
  type TimelineRange,
} from './timeline-layout.ts';

/** Memories are fetched before they come into view. */
const ROWS_AHEAD = 10;

/** What a row shows; null when its memory has gone since the months were counted. */
export type RowItem = { id: string } | 'loading' | { retry: () => void } | null;

/** The whole history: the months tell how long it is, and of their memories those in view are fetched. */
export function useTimeline(order: MemoryOrder) {
  const client = useQueryClient();
  const [isTopInView, topRef] = useInSight();
  const [view, setView] = useState<{ first: number; last: number } | null>(null);
  const { data: counted, isPending, isFetching, refetch } = useMemoryMonths(order);
  const hidden = useHiddenMemories();

  const known = useFrozen(
    counted && { order, months: counted, ranges: groupMonths(counted, []) },
    (shown, now) => {
      if (shown.order !== order) return now;
      const months = isTopInView ? now.months : withoutArrivals(shown.months, now.months);
      return { order, months, ranges: groupMonths(months, shown.ranges) };
    },
  );
  const { months, ranges } = known?.order === order ? known : NOTHING;

  const inView = view ? rangesBetween(ranges, months, view.first - ROWS_AHEAD, view.last + ROWS_AHEAD) : [];
  const chains = usePageChains(
    inView.map(({ range, first, last }) => ({
      filter: { order },
      path: pagePath({ order }, range.cursor),
      first,
      last,
    })),
  );
  const fetched = new Map(inView.map(({ range }, index) => [range.start, chains[index]!]));
  const runs = useFrozen({ order, runs: toLoadedRanges(fetched) }, (shown, now) =>
    shown.order === order ? { order, runs: mergeLoadedRanges(shown.runs, now.runs, isTopInView) } : now,
  )?.runs;

  const { layout, loaded } = useMemo(() => {
    const loaded = byMonth(ranges, runs, (id) => {
      const memory = getMemory(client, id);
      return memory && { month: monthOf(memory, order), isHidden: hidden.has(id) };
    });
    return { layout: layOut(withLoaded(months, loaded)), loaded };
  }, [client, months, ranges, runs, order, hidden]);

  const itemAt = ({ month }: Section, position: number): RowItem => {
    const id = loaded.get(month)?.ids[position];
    if (id !== undefined) return { id };
    const chain = fetched.get(rangeOf(ranges, month)?.start ?? '');
    if (chain && chain.error !== null) return { retry: chain.retry };
    return loaded.get(month)?.isComplete ? null : 'loading';
  };
  const timeline = {
    layout,
    /** The months are known. */
    isLoaded: known?.order === order,
    isPending,
    isFetching,
    refetch: () => void refetch(),
    itemAt,
    failure: chains.find(({ error }) => error !== null)?.error ?? null,
    /** To be called with the rows in view. */
    onView: (first: number, last: number) =>
      setView((view) => (view?.first === first && view.last === last ? view : { first, last })),
  };
  return [timeline, topRef] as const;
}

const NOTHING: { months: MemoryMonthList; ranges: TimelineRange[] } = { months: [], ranges: [] };

/** Counts may shrink at once; growth waits until the top is in view, since it would move the reader. */
function withoutArrivals(shown: MemoryMonthList, now: MemoryMonthList): MemoryMonthList {
  return now.flatMap((month) => {
    const before = shown.find((each) => each.month === month.month);
    return before ? [{ ...month, count: Math.min(month.count, before.count) }] : [];
  });
}

/** What is loaded of each range, by its `start`. */
type LoadedRanges = Record<string, Pick<PageChain, 'ids' | 'isComplete' | 'isLoading'>>;

function toLoadedRanges(fetched: ReadonlyMap<string, PageChain>): LoadedRanges {
  return Object.fromEntries(
    [...fetched].map(([start, { ids, isComplete, isLoading }]) => [start, { ids, isComplete, isLoading }]),
  );
}

function mergeLoadedRanges(shown: LoadedRanges, now: LoadedRanges, isTopInView: boolean): LoadedRanges {
  const merged = Object.entries(now).map(([start, run]): [string, LoadedRanges[string]] => {
    const before = shown[start];
    if (!before || (isTopInView && !run.isLoading)) return [start, run];
    // While pages are fetched again, those that were there stay.
    if (run.isLoading && run.ids.length < before.ids.length) return [start, before];
    return [start, { ...run, ids: keepIdsInView(before.ids, run.ids) }];
  });
  return { ...shown, ...Object.fromEntries(merged) };
}

interface LoadedMonth {
  ids: string[];
  /** All of its memories are loaded. */
  isComplete: boolean;
}

/** A month whose memories are all hidden is there, without ids. */
function byMonth(
  ranges: readonly TimelineRange[],
  runs: LoadedRanges | undefined,
  find: (id: string) => { month: string; isHidden: boolean } | null | undefined,
): Map<string, LoadedMonth> {
  const months = new Map<string, LoadedMonth>();
  for (const range of ranges) {
    const run = runs?.[range.start];
    const found = (run?.ids ?? []).flatMap((id) => {
      const memory = find(id);
      return memory ? [{ id, ...memory }] : [];
    });
    const lastMonth = found.at(-1)?.month ?? '';
    for (const { id, month, isHidden } of found) {
      // Its page reaches into the next range, or its date was changed after the page was fetched.
      if (rangeOf(ranges, month) !== range) continue;
      const isComplete = run?.isComplete === true || month > lastMonth;
      const own = months.get(month) ?? { ids: [], isComplete };
      if (!isHidden) own.ids.push(id);
      months.set(month, own);
    }
  }
  return months;
}

function withLoaded(months: MemoryMonthList, loaded: ReadonlyMap<string, LoadedMonth>) {
  const counts = new Map(months.map(({ month, count }) => [month, count]));
  for (const [month, { ids, isComplete }] of loaded)
    counts.set(month, isComplete ? ids.length : Math.max(ids.length, counts.get(month) ?? 0));
  return [...counts]
    .filter(([, count]) => count > 0)
    .sort(([one], [other]) => (one < other ? 1 : -1))
    .map(([month, count]) => ({ month, count }));
}
