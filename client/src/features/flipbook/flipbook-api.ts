import { useQuery, useQueryClient } from '@tanstack/react-query';
import { fetchIds, takenIdsPath } from '../memories/memories-by-id-api.ts';
import { MEMORIES } from '../memories/memory-api.ts';
import { inBookOrder } from './book-order.ts';
import { findKeptBook, keepBook } from './kept-books.ts';

const path = takenIdsPath();
/** Among the memories' queries: a deletion, or another date, asks for the books anew. */
const keyOf = (bookId: string) => [MEMORIES, 'book', bookId, path];

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
    queryFn: async ({ signal }) => inBookOrder(await fetchIds(path, signal), new Set(kept)),
    enabled: kept !== null,
  });
  return { isKept: kept !== null, memoryIds: data, isError, isFetching, refetch: () => void refetch() };
}
