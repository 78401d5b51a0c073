import { useQuery } from '@tanstack/react-query';
import { MemoryMonthList, MemoryStats, type MemoryOrder } from '#shared/memory';
import { apiGet } from '../../../lib/api-client.ts';
import type { ListMeta } from './memory-lists.ts';
import { MEMORIES, tick, type MemoryFilter } from './memory-store.ts';

/** What is known of the memories as a whole; the filter follows. */
const FACTS = [MEMORIES, 'facts'];

/** Counts of the memories that match; of all without a filter. */
export function useMemoryStats(
  { petId, q }: Pick<MemoryFilter, 'petId' | 'q'>,
  { isEnabled = true, meta = {} }: { isEnabled?: boolean; meta?: ListMeta } = {},
) {
  const query = new URLSearchParams({ ...(petId && { petId }), ...(q && { q }) }).toString();
  return useQuery({
    queryKey: [...FACTS, { petId: petId || undefined, q: q || undefined }, 'stats'],
    queryFn: async ({ signal }) => {
      const requestedAt = tick();
      return { requestedAt, stats: await apiGet(`${MEMORIES}/stats?${query}`, MemoryStats, signal) };
    },
    select: ({ stats }) => stats,
    enabled: isEnabled,
    meta,
  });
}

/** Which months have memories, and how many. */
export function useMemoryMonths(order: MemoryOrder) {
  return useQuery({
    queryKey: [...FACTS, { order }, 'months'],
    queryFn: async ({ signal }) => {
      const requestedAt = tick();
      return {
        requestedAt,
        months: await apiGet(`${MEMORIES}/months?order=${order}`, MemoryMonthList, signal),
      };
    },
    select: ({ months }) => months,
  });
}
