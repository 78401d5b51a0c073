import { useLocation } from 'wouter';
import { useHistoryState, useSearch } from 'wouter/use-browser-location';
import type { MemoryOrder } from '#shared/memory';
import { useIsHere } from '../../../lib/use-is-here.ts';

/** Where someone is in the timeline. The address keeps it, for reload and back. */
export interface TimelinePlace {
  month: string;
  /** How many rows below the month's heading; beside the address, since it means nothing to a person. */
  row: number;
}

export function useTimelineAddress() {
  const [path, navigate] = useLocation();
  const query = new URLSearchParams(useSearch());
  const order: MemoryOrder = query.get('order') === 'taken' ? 'taken' : 'added';
  const month = query.get('month');
  const row = rowIn(useHistoryState());
  const place: TimelinePlace | null = month === null ? null : { month, row };
  const isHere = useIsHere();
  const addressOf = (order: MemoryOrder, month?: string) => {
    const query = new URLSearchParams({ ...(order === 'taken' && { order }), ...(month && { month }) });
    return query.size > 0 ? `${path}?${query}` : path;
  };
  return {
    order,
    place,
    /** From the top. The way back leads to where they were in the order before. */
    showOrder: (order: MemoryOrder) => navigate(addressOf(order)),
    keepPlace: (next: TimelinePlace | null) => {
      // Nothing is written again that is there already: it would call off a step back that is just being taken.
      const isKept = next?.month === place?.month && next?.row === place?.row;
      if (!isKept && isHere())
        navigate(addressOf(order, next?.month), { replace: true, state: next && { row: next.row } });
    },
  };
}

function rowIn(state: unknown): number {
  const row = typeof state === 'object' && state !== null && 'row' in state ? state.row : 0;
  return typeof row === 'number' ? row : 0;
}
