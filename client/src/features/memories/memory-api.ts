import {
  infiniteQueryOptions,
  keepPreviousData,
  queryOptions,
  useInfiniteQuery,
  useMutation,
  useQuery,
  useQueryClient,
} from '@tanstack/react-query';
import { Memory, MemoryStats, type CompleteUploadRequest, type MemoryOrder } from '#shared/memory';
import { PAGE_SIZE } from '#shared/page';
import { apiContentType, apiGet, apiPost } from '../../lib/api-client.ts';
import { fetchMemories } from './memory-updates.ts';

export const MEMORIES = '/api/memories';
/** Whatever is kept under it has its memories patched: it must hold pages, as an infinite query does. */
export const LISTS = [MEMORIES, 'list'];

interface MemoryQueryOptions {
  /** Shown when the session turns out to be gone, in place of the usual notice. */
  lostSessionNotice?: { title: string; description: string };
}

/** Which memories, newest first in which order. What is left out, or empty, does not matter. */
export interface MemoryFilters {
  petId?: string;
  /** What they are searched for. */
  q?: string;
  order?: MemoryOrder;
}

/** The first page of a list. */
function listPath({ petId, q, order }: MemoryFilters): string {
  const query = new URLSearchParams({
    limit: String(PAGE_SIZE),
    ...(petId && { petId }),
    ...(q && { q }),
    ...(order && { order }),
  });
  return `${MEMORIES}${q ? '/search' : ''}?${query}`;
}

/** A page at a time. Asked for anew each time that a screen opens; the list before stays until the new one is there. */
function memoriesQuery(filters: MemoryFilters, meta: MemoryQueryOptions) {
  const firstPage = listPath(filters);
  return infiniteQueryOptions({
    queryKey: [...LISTS, firstPage],
    queryFn: ({ pageParam, ...context }) => fetchMemories(pageParam, context),
    initialPageParam: firstPage,
    placeholderData: keepPreviousData,
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

export function useMemories({ lostSessionNotice, ...filters }: MemoryFilters & MemoryQueryOptions = {}) {
  return useInfiniteQuery(memoriesQuery(filters, { ...(lostSessionNotice && { lostSessionNotice }) }));
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

/** Whether the original of a picture moves, as only a GIF's does. Asked when someone looks at it closely. */
export function useIsAnimated({ imageUrl }: Memory): boolean | undefined {
  const { data, isError } = useQuery({
    queryKey: [imageUrl, 'type'],
    // Of the file as it came: nothing needs to be decoded for that.
    queryFn: ({ signal }) => apiContentType(`${imageUrl}/original`, signal),
  });
  return isError ? false : data === undefined ? undefined : data === 'image/gif';
}
