import {
  infiniteQueryOptions,
  useInfiniteQuery,
  useMutation,
  useQuery,
  useQueryClient,
  type QueryClient,
} from '@tanstack/react-query';
import { MemoryShare, SharedLink, ShareList, type ShareAudience } from '#shared/album/share';
import { PAGE_SIZE } from '#shared/api/pagination';
import { apiDelete, apiGet, apiGetPage, apiPost, ignoreNotFound } from '../../lib/api/api-client.ts';

const SHARES = '/api/shares';
const LISTS = [SHARES, 'list'];

function sharesQuery(audience: ShareAudience) {
  const firstPage = `${SHARES}?for=${audience}&limit=${PAGE_SIZE}`;
  return infiniteQueryOptions({
    queryKey: [...LISTS, firstPage],
    queryFn: ({ pageParam, signal }) => apiGetPage(pageParam, ShareList, signal),
    initialPageParam: firstPage,
    getNextPageParam: (page) => page.next,
    select: ({ pages }) => pages.flatMap((page) => page.items),
  });
}

export function useShares(audience: ShareAudience) {
  return useInfiniteQuery(sharesQuery(audience));
}

function sharePath(memoryId: string): string {
  return `/api/memories/${memoryId}/share`;
}

const shareKey = (memoryId: string) => [SHARES, 'of', memoryId];

/** The link that the owner created, without links in emails. */
export function useMemoryShare(memoryId: string) {
  return useQuery({
    queryKey: shareKey(memoryId),
    queryFn: ({ signal }) => apiGet(sharePath(memoryId), MemoryShare, signal),
  });
}

/** Idempotent. */
export function useShareMemory() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (memoryId: string) => apiPost(sharePath(memoryId), undefined, SharedLink),
    onSuccess: (share, memoryId) => showShare(queryClient, memoryId, share),
  });
}

export function useUnshareMemory() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (memoryId: string) => apiDelete(sharePath(memoryId)),
    onSuccess: (_nothing, memoryId) => showShare(queryClient, memoryId, { url: null }),
  });
}

async function showShare(queryClient: QueryClient, memoryId: string, share: MemoryShare): Promise<void> {
  const queryKey = shareKey(memoryId);
  // A pending fetch may be from before the change.
  await queryClient.cancelQueries({ queryKey });
  queryClient.setQueryData<MemoryShare>(queryKey, share);
  void queryClient.invalidateQueries({ queryKey: LISTS });
}

export function useRevokeShare(audience: ShareAudience) {
  const queryClient = useQueryClient();
  const { queryKey } = sharesQuery(audience);
  return useMutation({
    mutationFn: (id: string) => apiDelete(`${SHARES}/${id}`).catch(ignoreNotFound),
    onSuccess: (_nothing, id) => {
      queryClient.setQueryData(
        queryKey,
        (data) =>
          data && {
            ...data,
            pages: data.pages.map((page) => ({
              ...page,
              items: page.items.filter((each) => each.id !== id),
            })),
          },
      );
      // A pending fetch would bring it back.
      void queryClient.invalidateQueries({ queryKey: LISTS, fetchStatus: 'fetching' });
    },
  });
}
