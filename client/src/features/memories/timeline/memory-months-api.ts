import { queryOptions, useQueries, useQuery, useQueryClient, type QueryClient } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { MemoryMonthList, type Memory, type MemoryOrder } from '#shared/memory';
import { PAGE_SIZE } from '#shared/page';
import { apiGet, type Page } from '../../../lib/api-client.ts';
import { LISTS, MEMORIES } from '../memory-api.ts';
import { memoryPageQuery } from '../memory-page-api.ts';

export const MONTHS = [MEMORIES, 'months'];

/** Which months have memories, and how many. */
export function useMemoryMonths(order: MemoryOrder) {
  const path = `${MEMORIES}/months?order=${order}`;
  return useQuery({
    queryKey: [...MONTHS, path],
    queryFn: ({ signal }) => apiGet(path, MemoryMonthList, signal),
    staleTime: 0,
  });
}

/** How often a memory has come from elsewhere, or was taken at another time than was known. */
const arrivalsQuery = queryOptions({
  queryKey: [MEMORIES, 'arrivals'],
  queryFn: () => 0,
  enabled: false,
  initialData: 0,
});

export function noteArrivals(queryClient: QueryClient): void {
  queryClient.setQueryData(arrivalsQuery.queryKey, (count = 0) => count + 1);
}

/** What has arrived comes in when the timeline's top is in sight: further down it would push away what is looked at. */
export function useArrivals(isTopInSight: boolean): void {
  const queryClient = useQueryClient();
  const { data: arrivals } = useQuery(arrivalsQuery);
  const arrivalsShown = useRef(arrivals);
  useEffect(() => {
    if (!isTopInSight || arrivalsShown.current === arrivals) return;
    arrivalsShown.current = arrivals;
    for (const queryKey of [MONTHS, [...LISTS, 'page']]) void queryClient.invalidateQueries({ queryKey });
  }, [queryClient, isTopInSight, arrivals]);
}

/** The memories after a cursor, as far as they were fetched. */
export interface MemoryRun {
  memories: Memory[];
  /** There is no more to fetch. */
  isWhole: boolean;
  isFailed: boolean;
  error: unknown;
  retry: () => void;
}

/**
 * Fetches what follows each cursor until so many memories are there; in the order of `reaches`. A page's address
 * stands in the page before it, so a run grows by one page with each answer.
 */
export function useMemoryRuns(order: MemoryOrder, reaches: { cursor: string; reach: number }[]): MemoryRun[] {
  const queryClient = useQueryClient();
  const runs = reaches.map(({ cursor, reach }) => pathsOf(queryClient, firstPath(order, cursor), reach));
  const results = useQueries({ queries: runs.flat().map(memoryPageQuery) });
  return runs.map((paths, index) => {
    const before = runs.slice(0, index).flat().length;
    const pages = results.slice(before, before + paths.length);
    const failed = pages.filter(({ isError, data }) => isError && !data);
    return {
      memories: pages.flatMap(({ data }) => data?.pages.flatMap(({ items }) => items) ?? []),
      isWhole: pages.at(-1)?.data?.pages.at(-1)?.next === null,
      isFailed: failed.length > 0,
      error: failed[0]?.error ?? null,
      retry: () => failed.forEach(({ refetch }) => void refetch()),
    };
  });
}

/** A month that goes leaves what was fetched from it on to the older one, which would have to be fetched otherwise. */
export function handOnRun(queryClient: QueryClient, order: MemoryOrder, from: string, to: string): void {
  const keyOf = (cursor: string) => memoryPageQuery(firstPath(order, cursor)).queryKey;
  const page = queryClient.getQueryData(keyOf(from));
  queryClient.setQueryData(keyOf(to), (own) => own ?? page);
}

function firstPath(order: MemoryOrder, cursor: string): string {
  return `${MEMORIES}?${new URLSearchParams({ limit: String(PAGE_SIZE), order, cursor })}`;
}

function pathsOf(queryClient: QueryClient, first: string, reach: number): string[] {
  const paths: string[] = [];
  let known = 0;
  for (let path: string | null = first; path !== null && known < reach;) {
    paths.push(path);
    const page: Page<Memory[]> | undefined = queryClient.getQueryData(memoryPageQuery(path).queryKey)
      ?.pages[0];
    if (!page) break;
    known += page.items.length;
    path = page.next;
  }
  return paths;
}
