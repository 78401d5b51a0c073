import { queryOptions, useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import * as z from 'zod/mini';
import { MAX_MEMORY_IDS, MemoryIdList } from '#shared/memory';
import { apiGet } from '../../lib/api-client.ts';
import { memoryQuery, MEMORIES } from '../memories/store/memory-store.ts';

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

/** The chosen memories in a book's order, the oldest first. */
export function inBookOrder(newestFirst: string[], chosen: ReadonlySet<string>): string[] {
  return newestFirst.filter((id) => chosen.has(id)).reverse();
}

const STORAGE_KEY = 'flipbooks';
/** The oldest are dropped first. */
const MAX_BOOKS = 5;
const Books = z.array(z.object({ id: z.string(), memoryIds: z.array(z.string()) }));

/** This tab's books, the newest first. Where the storage is full or switched off they last as long as the page. */
let books = readBooks();

function readBooks(): z.infer<typeof Books> {
  try {
    return Books.parse(JSON.parse(sessionStorage.getItem(STORAGE_KEY) ?? '[]'));
  } catch {
    return [];
  }
}

const keyOf = (bookId: string) => [...memoryIdsQuery().queryKey, bookId];

/** Stores a book of memories, in their order. @returns a function that returns the book's id */
export function useStoreBook() {
  const queryClient = useQueryClient();
  return (memoryIds: string[]) => {
    const id = Math.random().toString(36).slice(2, 10);
    books = [{ id, memoryIds }, ...books].slice(0, MAX_BOOKS);
    try {
      sessionStorage.setItem(STORAGE_KEY, JSON.stringify(books));
    } catch {
      // It stays in the page.
    }
    queryClient.setQueryData(keyOf(id), memoryIds);
    return id;
  };
}

/** A stored book's memories: those that still exist, by the dates that they have now. */
export function useBook(bookId: string) {
  const stored = books.find(({ id }) => id === bookId)?.memoryIds;
  const { data, isError, isFetching, refetch } = useQuery({
    queryKey: keyOf(bookId),
    queryFn: async ({ client }) =>
      inBookOrder(await client.fetchQuery({ ...memoryIdsQuery(), staleTime: 0 }), new Set(stored)),
    staleTime: Infinity,
    refetchOnMount: 'always',
    enabled: stored !== undefined,
  });
  return {
    isStored: stored !== undefined,
    memoryIds: data,
    isError,
    isFetching,
    refetch: () => void refetch(),
  };
}

/** Fetches the memories around those in view, always the same hundreds, so that few requests are needed. */
export function usePrefetchedMemories(ids: string[], first: number, last: number): void {
  const client = useQueryClient();
  const start = Math.floor(Math.max(0, first) / MAX_MEMORY_IDS) * MAX_MEMORY_IDS;
  const end = Math.ceil((last + 1) / MAX_MEMORY_IDS) * MAX_MEMORY_IDS;
  useEffect(() => {
    for (const id of ids.slice(start, end)) void client.prefetchQuery(memoryQuery(client, id));
  }, [client, ids, start, end]);
}
