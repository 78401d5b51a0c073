import { queryOptions, useMutation, useQuery, useQueryClient, type QueryClient } from '@tanstack/react-query';
import * as z from 'zod/mini';
import { FeaturedMemory } from '#shared/album/memory';
import type { CalendarDate } from '#shared/dates/calendar-date';
import { apiGet, apiPostEmpty } from '../../../lib/api/api-client.ts';
import { useToday } from '../../../lib/use-today.ts';
import { MEMORIES, storeMemory, tick } from './memory-store.ts';

const path = `${MEMORIES}/featured`;
const FEATURED = [MEMORIES, 'aggregates', {}, 'featured'];

/** An aggregate: refetched when memories are added or deleted. */
const featuredQuery = (client: QueryClient, today: CalendarDate) =>
  queryOptions({
    queryKey: [...FEATURED, today],
    queryFn: async ({ signal }) => {
      const requestedAt = tick();
      const featured = await apiGet(path, z.nullable(FeaturedMemory), signal);
      if (!featured) return { requestedAt, featured };
      const { memory, ...reason } = featured;
      storeMemory(client, memory.id, memory, requestedAt);
      return { requestedAt, featured: { ...reason, id: memory.id } };
    },
    select: ({ featured }) => featured,
  });

/** The photo of today; null without one. */
export function useFeaturedMemory() {
  return useQuery(featuredQuery(useQueryClient(), useToday()));
}

/** "Not this one": pending until the next one is loaded. */
export function useDismissFeatured() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (id: string) => apiPostEmpty(`${MEMORIES}/${id}/dismiss`),
    onSuccess: () => client.invalidateQueries({ queryKey: FEATURED }),
  });
}
