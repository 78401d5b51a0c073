import {
  infiniteQueryOptions,
  queryOptions,
  useInfiniteQuery,
  useMutation,
  useQuery,
  useQueryClient,
} from '@tanstack/react-query';
import { Memory, MemoryList, MemoryStats, type CompleteUploadRequest } from '#shared/memory';
import { PAGE_SIZE } from '#shared/page';
import { apiGet, apiGetPage, apiPost } from '../../lib/api-client.ts';

const MEMORIES = '/api/memories';

interface MemoryQueryOptions {
  /** Shown when the session turns out to be gone, in place of the usual notice. */
  lostSessionNotice?: { title: string; description: string };
}

/** All memories, newest first, a page at a time. Asked for anew each time that a screen opens. */
function memoriesQuery(meta: MemoryQueryOptions) {
  return infiniteQueryOptions({
    queryKey: [MEMORIES, 'list'],
    queryFn: ({ pageParam, signal }) => apiGetPage(pageParam, MemoryList, signal),
    initialPageParam: `${MEMORIES}?limit=${PAGE_SIZE}`,
    getNextPageParam: (page) => page.next,
    select: ({ pages }) => pages.flatMap((page) => page.items),
    staleTime: 0,
    meta: { ...meta },
  });
}

function memoryStatsQuery(meta: MemoryQueryOptions) {
  return queryOptions({
    queryKey: [MEMORIES, 'stats'],
    queryFn: ({ signal }) => apiGet(`${MEMORIES}/stats`, MemoryStats, signal),
    staleTime: 0,
    meta: { ...meta },
  });
}

export function useMemories(options: MemoryQueryOptions = {}) {
  return useInfiniteQuery(memoriesQuery(options));
}

export function useMemoryStats(options: MemoryQueryOptions = {}) {
  return useQuery(memoryStatsQuery(options));
}

/** Makes a memory of an uploaded photo; lists and stats are asked for anew. */
export function useCompleteUpload() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (request: CompleteUploadRequest) => apiPost(`${MEMORIES}/complete-upload`, request, Memory),
    onSuccess: () => {
      // Not awaited: the memory is there already, the lists may take their time.
      void queryClient.invalidateQueries({ queryKey: [MEMORIES] });
    },
  });
}
