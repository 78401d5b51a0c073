import {
  infiniteQueryOptions,
  keepPreviousData,
  type InfiniteData,
  queryOptions,
  useInfiniteQuery,
  useMutation,
  useQuery,
  useQueryClient,
  type QueryClient,
} from '@tanstack/react-query';
import {
  Memory,
  MemoryList,
  MemoryStats,
  type CompleteUploadRequest,
  type MemoryOrder,
} from '#shared/memory';
import { PAGE_SIZE } from '#shared/page';
import { apiContentType, apiGet, apiGetPage, apiPatch, apiPost, type Page } from '../../lib/api-client.ts';
import { withChanges, withoutChanges, type MemoryChanges } from './details/memory-changes.ts';

export const MEMORIES = '/api/memories';
const PETS = '/api/pets';
/** Whatever is kept under it has its memories patched: it must hold pages, as an infinite query does. */
export const LISTS = [MEMORIES, 'list'];
const updateKey = [MEMORIES, 'update'];

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
    queryFn: ({ pageParam, signal }) => apiGetPage(pageParam, MemoryList, signal),
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

interface MemoryUpdate {
  /** As it was. */
  memory: Memory;
  changes: MemoryChanges;
}

/** Shows the changes at once and takes them back when the server says no. */
export function useUpdateMemory() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationKey: updateKey,
    // One after the other, in the order in which they were made: what was chosen last stays.
    scope: { id: 'memory-updates' },
    mutationFn: ({ memory, changes }: MemoryUpdate) => apiPatch(`${MEMORIES}/${memory.id}`, changes, Memory),
    onMutate: async ({ memory, changes }) => {
      await queryClient.cancelQueries({ queryKey: LISTS });
      patchInLists(queryClient, memory.id, (now) => withChanges(now, changes));
    },
    onError: (_error, { memory, changes }) => {
      patchInLists(queryClient, memory.id, (now) => withoutChanges(now, memory, changes));
      // The pet may have been deleted elsewhere.
      if (changes.petId) void queryClient.invalidateQueries({ queryKey: [PETS] });
    },
    onSettled: () => {
      // While another is on its way, an answer from before it would undo it on the screen.
      if (queryClient.isMutating({ mutationKey: updateKey }) === 1)
        void queryClient.invalidateQueries({ queryKey: [MEMORIES], predicate: canChange });
    },
  });
}

/** A change moves memories between lists, months and counts; the stats know only that they are there. */
function canChange({ queryKey }: { queryKey: readonly unknown[] }): boolean {
  return queryKey[1] !== 'stats';
}

function patchInLists(queryClient: QueryClient, id: string, patch: (memory: Memory) => Memory): void {
  queryClient.setQueriesData<InfiniteData<Page<Memory[]>>>(
    { queryKey: LISTS },
    (data) =>
      data && {
        ...data,
        pages: data.pages.map((page) => ({
          ...page,
          items: page.items.map((memory) => (memory.id === id ? patch(memory) : memory)),
        })),
      },
  );
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
