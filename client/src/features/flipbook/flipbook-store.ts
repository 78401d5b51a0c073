import { queryOptions, useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import * as z from 'zod/mini';
import { toBookOrder } from '#shared/album/flipbook';
import { flipbookTexts } from '#shared/album/flipbook-texts';
import { MAX_MEMORY_IDS, MemoryIdList } from '#shared/album/memory';
import { apiGet } from '../../lib/api/api-client.ts';
import { memoryQuery, MEMORIES } from '../memories/store/memory-store.ts';

/** The ids of all matching memories, most recently taken first. Refetched only on mount, so that the picker is stable. */
export function memoryIdsQuery({
  petId,
  q,
  isLiked,
}: { petId?: string; q?: string; isLiked?: boolean } = {}) {
  const query = new URLSearchParams({
    order: 'taken',
    ...(petId && { petId }),
    ...(isLiked && { isLiked: 'true' }),
    ...(q && { q }),
  }).toString();
  return queryOptions({
    queryKey: [MEMORIES, 'ids', query],
    queryFn: ({ signal }) => apiGet(`${MEMORIES}/ids?${query}`, MemoryIdList, signal),
    staleTime: Infinity,
    refetchOnMount: 'always',
  });
}

const STORAGE_KEY = 'flipbooks';
const MAX_BOOKS = 5;
const Books = z.array(
  z.object({
    id: z.string(),
    title: z._default(z.string(), flipbookTexts.title),
    memoryIds: z.array(z.string()),
  }),
);

/** This tab's books, newest first. Without session storage they last until reload. */
let books = readBooks();

function readBooks(): z.infer<typeof Books> {
  try {
    return Books.parse(JSON.parse(sessionStorage.getItem(STORAGE_KEY) ?? '[]'));
  } catch {
    return [];
  }
}

const toQueryKey = (bookId: string) => [...memoryIdsQuery().queryKey, bookId];

export function useStoreBook() {
  const queryClient = useQueryClient();
  return (title: string, memoryIds: string[]) => {
    const id = Math.random().toString(36).slice(2, 10);
    books = [{ id, title, memoryIds }, ...books].slice(0, MAX_BOOKS);
    try {
      sessionStorage.setItem(STORAGE_KEY, JSON.stringify(books));
    } catch {
      // The storage is full or disabled.
    }
    queryClient.setQueryData(toQueryKey(id), memoryIds);
    return id;
  };
}

/** The ids of a stored book's memories that still exist, ordered by their current dates. */
export function useBook(bookId: string) {
  const book = books.find(({ id }) => id === bookId);
  const stored = book?.memoryIds;
  const { data, isError, isFetching, refetch } = useQuery({
    queryKey: toQueryKey(bookId),
    queryFn: async ({ client }) =>
      toBookOrder(await client.fetchQuery({ ...memoryIdsQuery(), staleTime: 0 }), new Set(stored)),
    staleTime: Infinity,
    refetchOnMount: 'always',
    enabled: stored !== undefined,
  });
  return {
    isStored: stored !== undefined,
    title: book?.title ?? flipbookTexts.title,
    memoryIds: data,
    isError,
    isFetching,
    refetch: () => void refetch(),
  };
}

/** Fetches the memories around those in view in fixed blocks, so that few requests are needed. */
export function usePrefetchedMemories(ids: string[], first: number, last: number): void {
  const client = useQueryClient();
  const start = Math.floor(Math.max(0, first) / MAX_MEMORY_IDS) * MAX_MEMORY_IDS;
  const end = Math.ceil((last + 1) / MAX_MEMORY_IDS) * MAX_MEMORY_IDS;
  useEffect(() => {
    for (const id of ids.slice(start, end)) void client.prefetchQuery(memoryQuery(client, id));
  }, [client, ids, start, end]);
}
