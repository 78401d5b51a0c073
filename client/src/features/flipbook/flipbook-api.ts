import { useQuery, useQueryClient } from '@tanstack/react-query';
import { fetchTakenIds } from '../memories/memories-by-id-api.ts';
import { MEMORIES } from '../memories/memory-api.ts';
import { inBookOrder } from './book-order.ts';
import { findKeptBook, keepBook } from './kept-books.ts';

/** Below the memories: what changes them asks for the books anew. */
const keyOf = (bookId: string) => [MEMORIES, 'book', bookId];

/** Makes a book of memories in their order. @returns keeps it and answers its id */
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
    queryFn: async ({ signal }) => inBookOrder(await fetchTakenIds({}, signal), new Set(kept)),
    enabled: kept !== null,
  });
  return { isKept: kept !== null, memoryIds: data, isError, isFetching, refetch: () => void refetch() };
}
