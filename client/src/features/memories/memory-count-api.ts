import { useQuery } from '@tanstack/react-query';
import { MemoryIdList } from '#shared/memory';
import { apiGet } from '../../lib/api-client.ts';
import { MEMORIES, type MemoryFilters } from './memory-api.ts';

/** How many memories match; asked for where not all of them are loaded. */
export function useMemoryCount({ q, petId }: MemoryFilters, isAsked: boolean) {
  const path = `${MEMORIES}/ids?${new URLSearchParams({ ...(petId && { petId }), ...(q && { q }) })}`;
  return useQuery({
    queryKey: [MEMORIES, 'ids', path],
    queryFn: ({ signal }) => apiGet(path, MemoryIdList, signal),
    select: (ids) => ids.length,
    staleTime: 0,
    enabled: isAsked,
  }).data;
}
