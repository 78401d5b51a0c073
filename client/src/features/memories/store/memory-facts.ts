import { queryOptions, useQuery, type QueryClient } from '@tanstack/react-query';
import { MemoryIdList, MemoryMonthList, MemoryStats, type MemoryOrder } from '#shared/memory';
import { apiGet } from '../../../lib/api-client.ts';
import type { MemoryFilter } from './memory-lists.ts';
import { MEMORIES } from './memory-store.ts';

/** What is known of the memories as a whole. */
const FACTS = [MEMORIES, 'facts'];

/** Counts of the memories that match; of all without a filter. */
export function useMemoryStats(
  { petId, q }: Pick<MemoryFilter, 'petId' | 'q'> = {},
  { isEnabled = true, ...meta }: { isEnabled?: boolean; lostSessionNotice?: Notice } = {},
) {
  const query = new URLSearchParams({ ...(petId && { petId }), ...(q && { q }) });
  return useQuery({
    queryKey: [...FACTS, 'stats', { petId: petId || undefined, q: q || undefined }],
    queryFn: ({ signal }) => apiGet(`${MEMORIES}/stats?${query}`, MemoryStats, signal),
    enabled: isEnabled,
    meta,
  });
}

interface Notice {
  title: string;
  description: string;
}

/** Which months have memories, and how many. */
export function useMemoryMonths(order: MemoryOrder) {
  return useQuery({
    queryKey: [...FACTS, 'months', order],
    queryFn: ({ signal }) => apiGet(`${MEMORIES}/months?order=${order}`, MemoryMonthList, signal),
  });
}

const IDS = [MEMORIES, 'ids'];

/** The ids of all that match, most recently taken first: by memory date, else by day of adding. */
export function memoryIdsQuery({ petId, q }: Pick<MemoryFilter, 'petId' | 'q'> = {}) {
  const query = new URLSearchParams({ order: 'taken', ...(petId && { petId }), ...(q && { q }) });
  return queryOptions({
    queryKey: [...IDS, { petId: petId || undefined, q: q || undefined }],
    queryFn: ({ signal }) => apiGet(`${MEMORIES}/ids?${query}`, MemoryIdList, signal),
    staleTime: Infinity,
  });
}

/** Someone who chooses among ids, or reads a book of them, sees them change when they open it the next time. */
export function invalidateFacts(client: QueryClient): void {
  void client.invalidateQueries({ queryKey: FACTS });
  void client.invalidateQueries({ queryKey: IDS, refetchType: 'none' });
}
