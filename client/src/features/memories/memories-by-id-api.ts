import { useQueries, useQuery } from '@tanstack/react-query';
import { MEMORY_IDS_MAX, MemoryIdList, type Memory } from '#shared/memory';
import { apiGet } from '../../lib/api-client.ts';
import { MEMORIES, type MemoryFilters } from './memory-api.ts';
import { memoryPageQuery } from './memory-page-api.ts';

type Filters = Pick<MemoryFilters, 'q' | 'petId'>;

/** Leads to the ids of all memories that match, the most recently taken first: by memory date, else by day of adding. */
export function takenIdsPath({ q, petId }: Filters = {}): string {
  const query = new URLSearchParams({ order: 'taken', ...(petId && { petId }), ...(q && { q }) });
  return `${MEMORIES}/ids?${query}`;
}

export function fetchIds(path: string, signal: AbortSignal): Promise<string[]> {
  return apiGet(path, MemoryIdList, signal);
}

/** Asked for anew each time. */
export function useTakenIds(filters: Filters) {
  const path = takenIdsPath(filters);
  return useQuery({
    queryKey: [MEMORIES, 'ids', path],
    queryFn: ({ signal }) => fetchIds(path, signal),
    staleTime: 0,
  });
}

/** What is known of a memory that is asked for by its id; null when it is not there (any more). */
export type SoughtMemory = Memory | 'loading' | { retry: () => void } | null;

/**
 * Fetches those of many memories that are looked at, with their neighbors, a hundred at a time.
 * @param near the first and the last place in `ids` that are needed now
 */
export function useMemoriesById(ids: string[], near: { first: number; last: number }) {
  const chunks = chunksOf(ids, near);
  const results = useQueries({ queries: chunks.map((chunk) => memoryPageQuery(pathOf(chunk))) });
  const chunkOf = new Map(chunks.flatMap((chunk, index) => chunk.map((id) => [id, results[index]] as const)));
  const found = new Map(
    results
      .flatMap(({ data }) => data?.pages.flatMap(({ items }) => items) ?? [])
      .map((each) => [each.id, each]),
  );
  return (place: number): SoughtMemory => {
    const id = ids[place] ?? '';
    const memory = found.get(id);
    if (memory) return memory;
    const chunk = chunkOf.get(id);
    if (chunk?.isError && !chunk.isFetching) return { retry: () => void chunk.refetch() };
    return chunk?.data ? null : 'loading';
  };
}

/** Always the same hundreds, so that none is asked for twice. */
function chunksOf(ids: string[], { first, last }: { first: number; last: number }): string[][] {
  const chunks: string[][] = [];
  const start = Math.floor(Math.max(0, first) / MEMORY_IDS_MAX) * MEMORY_IDS_MAX;
  for (let at = start; at <= last && at < ids.length; at += MEMORY_IDS_MAX)
    chunks.push(ids.slice(at, at + MEMORY_IDS_MAX));
  return chunks;
}

function pathOf(ids: string[]): string {
  return `${MEMORIES}?ids=${ids.join(',')}`;
}
