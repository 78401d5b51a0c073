import { queryOptions, type InfiniteData } from '@tanstack/react-query';
import type { Memory } from '#shared/memory';
import type { Page } from '../../lib/api-client.ts';
import { LISTS } from './memory-api.ts';
import { fetchMemories } from './memory-updates.ts';

/** One page of a list. Asked for anew each time it comes into sight; what was there stays until the answer. */
export function memoryPageQuery(path: string) {
  return queryOptions({
    queryKey: [...LISTS, 'page', path],
    queryFn: async (context): Promise<InfiniteData<Page<Memory[]>, string>> => ({
      pages: [await fetchMemories(path, context)],
      pageParams: [path],
    }),
    staleTime: 0,
  });
}
