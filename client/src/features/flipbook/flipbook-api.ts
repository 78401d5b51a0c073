import { useQuery, useQueryClient } from '@tanstack/react-query';
import { memoryIdsQuery } from '../memories/store/memory-facts.ts';
import { inBookOrder } from './book-order.ts';
import { findKeptBook, keepBook } from './kept-books.ts';

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
      inBookOrder(await client.fetchQuery(memoryIdsQuery()), new Set(kept)),
    staleTime: Infinity,
    enabled: kept !== null,
  });
  return { isKept: kept !== null, memoryIds: data, isError, isFetching, refetch: () => void refetch() };
}
