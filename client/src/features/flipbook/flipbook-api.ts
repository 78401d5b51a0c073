import { queryOptions, useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { MEMORY_IDS_MAX, MemoryIdList } from '#shared/memory';
import { apiGet } from '../../lib/api-client.ts';
import { memoryQuery, MEMORIES } from '../memories/store/memory-store.ts';
import { inBookOrder } from './book-order.ts';
import { findKeptBook, keepBook } from './kept-books.ts';

/**
 * The ids of all memories that match, most recently taken first: by memory date, else by day of adding. Someone who
 * chooses among them sees new ones the next time.
 */
export function memoryIdsQuery({ petId, q }: { petId?: string; q?: string } = {}) {
  const query = new URLSearchParams({ order: 'taken', ...(petId && { petId }), ...(q && { q }) }).toString();
  return queryOptions({
    queryKey: [MEMORIES, 'ids', query],
    queryFn: ({ signal }) => apiGet(`${MEMORIES}/ids?${query}`, MemoryIdList, signal),
    staleTime: Infinity,
    refetchOnMount: 'always',
  });
}

const keyOf = (bookId: string) => [...memoryIdsQuery().queryKey, bookId];

/** Keeps a book of memories, in their order. @returns a function that answers the book's id */
export function useKeepBook() {
  const queryClient = useQueryClient();
  return (memoryIds: string[]) => {
    const id = keepBook(memoryIds);
    queryClient.setQueryData(keyOf(id), memoryIds);
    return id;
  };
}

/** What a kept book is made of: those of its memories that are still there, by the dates that they have now. */
export function useBook(bookId: string) {
  const kept = findKeptBook(bookId);
  const { data, isError, isFetching, refetch } = useQuery({
    queryKey: keyOf(bookId),
    queryFn: async ({ client }) =>
      inBookOrder(await client.fetchQuery({ ...memoryIdsQuery(), staleTime: 0 }), new Set(kept)),
    staleTime: Infinity,
    refetchOnMount: 'always',
    enabled: kept !== null,
  });
  return { isKept: kept !== null, memoryIds: data, isError, isFetching, refetch: () => void refetch() };
}

/** Fetches the memories around those in view, always the same hundreds, so that few requests are needed. */
export function usePrefetchedMemories(ids: string[], first: number, last: number): void {
  const client = useQueryClient();
  const start = Math.floor(Math.max(0, first) / MEMORY_IDS_MAX) * MEMORY_IDS_MAX;
  const end = Math.ceil((last + 1) / MEMORY_IDS_MAX) * MEMORY_IDS_MAX;
  useEffect(() => {
    for (const id of ids.slice(start, end)) void client.prefetchQuery(memoryQuery(client, id));
  }, [client, ids, start, end]);
}
