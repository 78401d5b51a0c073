import { queryOptions, useQueries, useQueryClient, type QueryClient } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import { DeletedMemoryList, MemoryList, type MemoryOrder } from '#shared/memory';
import { PAGE_SIZE } from '#shared/page';
import { apiGetPage, type Page } from '../../../lib/api-client.ts';
import { useInSight } from '../../../lib/use-in-sight.ts';
import { MEMORIES, storeMemory, tick, useHiddenMemories } from './memory-store.ts';
import { keepIdsInView, useFrozen } from './use-frozen.ts';

const LISTS = [MEMORIES, 'list'];

/** Which memories a list has, newest first. What is left out does not matter. */
export interface MemoryFilter {
  petId?: string | undefined;
  /** What they are searched for. */
  q?: string | undefined;
  order?: MemoryOrder | undefined;
  /** Those in the trash, most recently deleted first, and no others. */
  isDeleted?: true | undefined;
}

type IdPage = Page<string[]>;

/** Shown when the session turns out to be gone, in place of the usual notice. */
interface ListMeta {
  lostSessionNotice?: { title: string; description: string };
}

/** The path of a list's page after a cursor; of its first page without one. */
export function pagePath({ petId, q, order, isDeleted }: MemoryFilter, cursor?: string): string {
  const query = new URLSearchParams({
    limit: String(PAGE_SIZE),
    ...(petId && { petId }),
    ...(q && { q }),
    ...(order && { order }),
    ...(cursor && { cursor }),
  });
  return `${MEMORIES}${isDeleted ? '/deleted' : q ? '/search' : ''}?${query}`;
}

/** The ids of one page. Its memories go into the store. */
function pageQuery(client: QueryClient, filter: MemoryFilter, path: string, meta: ListMeta) {
  return queryOptions({
    queryKey: [...LISTS, filter, path],
    queryFn: async ({ signal }): Promise<IdPage> => {
      const requestedAt = tick();
      const schema = filter.isDeleted ? DeletedMemoryList : MemoryList;
      const { items, next } = await apiGetPage(path, schema, signal);
      for (const memory of items) storeMemory(client, memory.id, memory, requestedAt);
      return { items: items.map(({ id }) => id), next };
    },
    // Changes invalidate it; a screen that opens asks again anyway.
    staleTime: Infinity,
    refetchOnMount: 'always',
    meta: { ...meta },
  });
}

/** Pages from a first one on. */
interface ChainRequest {
  filter: MemoryFilter;
  /** Of the first page. */
  path: string;
  /** Places in the list that are in view: their pages are fetched, again when they are stale. */
  first: number;
  last: number;
}

export interface PageChain {
  ids: string[];
  /** There is no more. */
  isComplete: boolean;
  /** A page in view is on its way for the first time. */
  isLoading: boolean;
  isFetching: boolean;
  /** Of the first page that could not be fetched. */
  error: unknown;
  retry: () => void;
}

/** Fetches the pages that are in view. A page is known by the path that stands in the page before it. */
export function usePageChains(requests: ChainRequest[], meta: ListMeta = {}): PageChain[] {
  const client = useQueryClient();
  const chains = requests.map((request) => ({ ...request, pages: pagesOf(client, request, meta) }));
  const results = useQueries({
    queries: chains.flatMap(({ filter, pages }) =>
      pages.map(({ path, isInView }) => ({
        ...pageQuery(client, filter, path, meta),
        enabled: isInView,
      })),
    ),
  });
  return chains.map(({ pages }, index) => {
    const before = chains.slice(0, index).flatMap((chain) => chain.pages).length;
    const own = results.slice(before, before + pages.length);
    const failed = own.filter(({ isError, data }) => isError && !data);
    return {
      ids: own.flatMap(({ data }) => data?.items ?? []),
      isComplete: own.at(-1)?.data?.next === null,
      isLoading: own.some(({ data, isError }) => !data && !isError),
      isFetching: own.some(({ isFetching }) => isFetching),
      error: failed[0]?.error ?? null,
      retry: () => failed.forEach(({ refetch }) => void refetch()),
    };
  });
}

interface ChainPage {
  path: string;
  isInView: boolean;
}

/** The pages that are cached, and the one to be fetched when those end within view. */
function pagesOf(client: QueryClient, { filter, path, first, last }: ChainRequest, meta: ListMeta): ChainPage[] {
  const pages: ChainPage[] = [];
  let known = 0;
  for (let next: string | null = path; next !== null;) {
    const page: IdPage | undefined = client.getQueryData(pageQuery(client, filter, next, meta).queryKey);
    if (!page && known > last) break;
    const end = known + (page?.items.length ?? 0);
    pages.push({ path: next, isInView: !page || (known <= last && end > first) });
    if (!page) break;
    known = end;
    next = page.next;
  }
  return pages;
}

/** How far below what is in view a list is fetched. */
const AHEAD = PAGE_SIZE / 2;

/**
 * A list that is fetched as far as someone scrolls. While a first page is on its way, the list before stays; while
 * pages in view are fetched again, so do they.
 * @param start the place in the list to begin at
 * @returns the list, and the ref of an element at its top
 */
export function useMemoryList(
  { petId, q, order, isDeleted }: MemoryFilter,
  { start = 0, meta }: { start?: number | undefined; meta?: ListMeta } = {},
) {
  const filter = withoutEmpty({ petId, q, order, isDeleted });
  const key = JSON.stringify(filter);
  const [view, setView] = useState({ key, first: start, last: start });
  const { first, last } = view.key === key ? view : { first: start, last: start };
  const [isTopInView, topRef] = useInSight();
  const path = pagePath(filter);
  const [chain] = usePageChains([{ filter, path, first, last: last + AHEAD }], meta);
  const { isComplete, isLoading, isFetching, error, retry, ...pages } = chain!;
  const isReady = pages.ids.length > last || (!isLoading && (error === null || pages.ids.length > 0));
  const current = isReady ? { key, ids: pages.ids } : undefined;
  const shown = useFrozen(current, (before, now) =>
    before.key !== now.key || isTopInView ? now : { ...now, ids: keepIdsInView(before.ids, now.ids) },
  );
  const hidden = useHiddenMemories();
  const ids = useMemo(
    () => shown?.ids.filter((id) => hidden.get(id) === (isDeleted && 'trashed')),
    [shown, hidden, isDeleted],
  );
  const list = {
    /** Undefined until the first page is there. */
    ids,
    /** They are still those of the filter before. */
    isPrevious: shown !== undefined && shown.key !== key,
    isComplete,
    isLoading,
    isFetching,
    error,
    retry,
    /** Told the places in view. */
    onView: (first: number, last: number) => setView({ key, first, last }),
  };
  return [list, topRef] as const;
}

function withoutEmpty(filter: MemoryFilter): MemoryFilter {
  return Object.fromEntries(Object.entries(filter).filter(([, value]) => value));
}

/** Fetches again what is in view of the lists that a change may affect, and the others when they are opened. */
export function invalidateLists(client: QueryClient, isAffected: (filter: MemoryFilter) => boolean): void {
  void client.invalidateQueries({
    queryKey: LISTS,
    predicate: ({ queryKey }) => isAffected(queryKey[LISTS.length] as MemoryFilter),
  });
}

/** Whether a change of these fields can move a memory into a list or out of it. */
export function affectsMembership({ petId, q }: MemoryFilter, changed: ReadonlySet<string>): boolean {
  if (q && ['caption', 'tags', 'petId'].some((field) => changed.has(field))) return true;
  return !!petId && changed.has('petId');
}

/** Whether it can move a memory within a list. */
export function affectsOrder({ order }: MemoryFilter, changed: ReadonlySet<string>): boolean {
  return order === 'taken' && (changed.has('memoryDate') || changed.has('memoryTime'));
}

export type LoadedList = ReturnType<typeof useMemoryList>[0];
