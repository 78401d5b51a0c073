import { useHistoryState } from 'wouter/use-browser-location';
import * as z from 'zod/mini';
import { MemoryOrder } from '#shared/memory';
import { useSearchParams } from '../../../lib/use-search-params.ts';
import { useIsCurrentUrl } from '../grid/scroll-position.ts';
import type { TimelinePosition } from './use-timeline-rows.ts';

const schema = z.object({
  order: z.catch(MemoryOrder, 'added'),
  month: z.catch(z.string(), ''),
});

/** The month is in the URL. The row within it is in the history state, since it means nothing to people. */
export function useTimelineSearchParams() {
  const [{ order, month }, setParams] = useSearchParams(schema);
  const row = useHistoryState<{ row?: number } | null>()?.row ?? 0;
  const position = month === '' ? null : { month, row };
  const isCurrentUrl = useIsCurrentUrl();
  return {
    order,
    position,
    /** Starts at the top. Going back returns to the position in the previous order. */
    setOrder: (order: MemoryOrder) => setParams({ order, month: '' }),
    savePosition: (next: TimelinePosition | null) => {
      // A redundant navigation would cancel a step back in progress.
      const isSaved = next?.month === position?.month && next?.row === position?.row;
      if (!isSaved && isCurrentUrl())
        setParams({ month: next?.month ?? '' }, { replace: true, state: next && { row: next.row } });
    },
  };
}
