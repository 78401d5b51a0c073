import { useQuery } from '@tanstack/react-query';
import type { ZodMiniType } from 'zod/mini';
import { MemoryMonthList, MemoryStats, type MemoryOrder } from '#shared/memory';
import { apiGet } from '../../../lib/api-client.ts';
import type { QueryMeta } from '../../../lib/query-client.ts';
import { MEMORIES, tick, type MemoryFilter } from './memory-store.ts';

/** Counts of the memories that match; of all without a filter. */
export function useMemoryStats(
  { petId, q }: Pick<MemoryFilter, 'petId' | 'q'>,
  options: { enabled?: boolean; meta?: QueryMeta } = {},
) {
  return useFact('stats', { petId: petId || undefined, q: q || undefined }, MemoryStats, options);
}

/** Which months have memories, and how many. */
export function useMemoryMonths(order: MemoryOrder) {
  return useFact('months', { order }, MemoryMonthList);
}

/** What is known of the memories as a whole. */
function useFact<Fact>(name: string, filter: MemoryFilter, schema: ZodMiniType<Fact>, options = {}) {
  const query = new URLSearchParams(JSON.parse(JSON.stringify(filter)) as Record<string, string>);
  return useQuery({
    queryKey: [MEMORIES, 'facts', filter, name],
    queryFn: async ({ signal }) => {
      const requestedAt = tick();
      return { requestedAt, fact: await apiGet(`${MEMORIES}/${name}?${query}`, schema, signal) };
    },
    select: ({ fact }) => fact,
    ...options,
  });
}
