import { useQueries, useQuery, useQueryClient, type Query, type QueryClient } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import type { ZodMiniType } from 'zod/mini';
import {
  DeletedMemoryList,
  MemoryList,
  MemoryMonthList,
  MemoryStats,
  type MemoryOrder,
} from '#shared/memory';
import { PAGE_SIZE } from '#shared/pagination';
import { apiGet, apiGetPage, type Page } from '../../../lib/api-client.ts';
import type { QueryMeta } from '../../../lib/query-client.ts';
import { useInSight } from '../../../lib/use-in-sight.ts';
import {
  isInAlbum,
  MEMORIES,
  recordOf,
  storeMemory,
  tick,
  useHiddenMemories,
  type HiddenMemories,
  type MemoryFilter,
} from './memory-store.ts';
import { keepIdsInView, useFrozen } from '../../../lib/use-frozen.ts';

const LISTS = [MEMORIES, 'list'];
const DELETED = `${MEMORIES}/deleted`;

/** The path of a list's page after a cursor; of its first page without one. */
export function pagePath({ petId, q, order, isDeleted }: MemoryFilter, cursor?: string): string {
  const params = Object.entries({ limit: `${PAGE_SIZE}`, petId, q, order, cursor });
  const query = new URLSearchParams(params.filter((param): param is [string, string] => !!param[1]));
  return `${isDeleted ? DELETED : q ? `${MEMORIES}/search` : MEMORIES}?${query}`;
}

type MemoryPage = Page<string[]> & { requestedAt: number };

/** Fetches the ids of a page. Its memories go into the store. */
async function fetchPage(client: QueryClient, path: string, signal: AbortSignal): Promise<MemoryPage> {
  const requestedAt = tick();
  const schema = path.startsWith(DELETED) ? DeletedMemoryList : MemoryList;
  const { items, next } = await apiGetPage(path, schema, signal);
  for (const memory of items) storeMemory(client, memory.id, memory, requestedAt);
  return { items: items.map(({ id }) => id), next, requestedAt };
}

/** Pages from a first one on, as far as they are in view. */
interface ChainRequest {
  filter: MemoryFilter;
  path: string;
  /** The first and the last place in view. */
  first: number;
  last: number;
}

export type PageChain = ReturnType<typeof usePageChains>[number];

/** Fetches pages that come into view, and again those in view that are stale. */
export function usePageChains(requests: ChainRequest[], meta: QueryMeta = {}) {
  const client = useQueryClient();
  const hidden = useHiddenMemories();
  const chains = requests.map((request) => ({ ...request, pages: pagesOf(client, request, hidden) }));
  const results = useQueries({
    queries: chains.flatMap(({ filter, pages }) =>
      pages.map(({ path, isInView }) => ({
        queryKey: [...LISTS, filter, path],
        queryFn: ({ signal }: { signal: AbortSignal }) => fetchPage(client, path, signal),
        enabled: isInView,
        // Changes invalidate it; a screen that opens asks again anyway.
        staleTime: Infinity,
        refetchOnMount: 'always' as const,
        meta,
      })),
    ),
  });
  return chains.map(({ pages }, index) => {
    const before = chains.slice(0, index).flatMap((chain) => chain.pages).length;
    const own = results.slice(before, before + pages.length);
    const failed = own.filter(({ isError, data }) => isError && !data);
    return {
      // One that moved stands in two pages while one of them is stale.
      ids: [...new Set(own.flatMap(({ data }) => data?.items ?? []))],
      isComplete: own.at(-1)?.data?.next === null,
      /** A page in view is fetched for the first time. */
      isLoading: own.some(({ data, isError }) => !data && !isError),
      error: failed[0]?.error ?? null,
      retry: () => failed.forEach(({ refetch }) => void refetch()),
    };
  });
}

/** The pages that are cached, and the one to be fetched when those end in view. Each names the path of the next. */
function pagesOf(client: QueryClient, { filter, path, first, last }: ChainRequest, hidden: HiddenMemories) {
  const pages: { path: string; isInView: boolean }[] = [];
  let known = 0;
  for (let next: string | null | undefined = path; next;) {
    const page: Page<string[]> | undefined = client.getQueryData([...LISTS, filter, next]);
    const end = known + (page ? withoutHidden(page.items, filter.isDeleted, hidden).length : 0);
    const isInView = known <= last && (end > first || !page?.next);
    if (page || isInView) pages.push({ path: next, isInView });
    known = end;
    next = page?.next;
  }
  return pages;
}

const withoutHidden = (ids: string[], isDeleted: true | undefined, hidden: HiddenMemories) =>
  ids.filter((id) => hidden.get(id) === (isDeleted && 'trashed'));

/** How far below the view a list is fetched. */
const PLACES_AHEAD = PAGE_SIZE / 2;

/**
 * A list that is fetched as far as someone scrolls. What is shown stays until the first page of another filter is
 * there, and while pages in view are fetched again.
 * @param start the place in the list to begin at
 * @returns the list, and the ref of an element at its top
 */
export function useMemoryList(
  { petId, q, order, isDeleted }: MemoryFilter,
  { start = 0, meta }: { start?: number | undefined; meta?: QueryMeta } = {},
) {
  const filter = { petId: petId || undefined, q: q || undefined, order, isDeleted };
  const key = JSON.stringify(filter);
  const [view, setView] = useState({ key, first: start, last: start });
  const { first, last } = view.key === key ? view : { first: start, last: start };
  const request = { filter, path: pagePath(filter), first, last: last + PLACES_AHEAD };
  const [{ ids, isLoading, ...chain }] = usePageChains([request], meta) as [PageChain];
  const hidden = useHiddenMemories();
  const count = withoutHidden(ids, isDeleted, hidden).length;
  const isReady = count > last || (!isLoading && (chain.error === null || ids.length > 0));
  const [isTopInView, topRef] = useInSight();
  const shown = useFrozen(isReady ? { key, ids } : undefined, (before, now) =>
    before.key !== key || isTopInView ? now : { key, ids: keepIdsInView(before.ids, now.ids) },
  );
  const visible = useMemo(
    () => shown && withoutHidden(shown.ids, isDeleted, hidden),
    [shown, isDeleted, hidden],
  );
  const list = {
    ...chain,
    /** Undefined until the first is there, or it is known that there are none. */
    ids: visible?.length === 0 && !chain.isComplete ? undefined : visible,
    /** `ids` belong to the previous filter. */
    isPrevious: shown !== undefined && shown.key !== key,
    /** To be called with the first and the last place in view. */
    onView: (first: number, last: number) => setView({ key, first, last }),
  };
  return [list, topRef] as const;
}

export type LoadedList = ReturnType<typeof useMemoryList>[0];

type Fetched = { isFact: boolean; requestedAt: number; items: string[] };

/** Fetches again what is in view of some lists and facts; the rest when it comes into view. */
export function invalidate(
  client: QueryClient,
  isAffected: (filter: MemoryFilter, fetched: Fetched) => boolean,
): void {
  const predicate = ({ queryKey: [, kind, filter], state: { data, fetchStatus } }: Query) => {
    // A response that is on its way may be from before, too.
    const known = fetchStatus === 'idle' ? (data as Partial<MemoryPage> | undefined) : undefined;
    const fetched = { requestedAt: 0, items: [], ...known, isFact: kind === 'facts' };
    return (kind === 'list' || kind === 'facts') && isAffected(filter as MemoryFilter, fetched);
  };
  void client.invalidateQueries({ queryKey: [MEMORIES], predicate }, { cancelRefetch: false });
}

/** Fetches again lists and facts that were requested before these memories changed. */
export function invalidateAffectedBy(client: QueryClient, ids: string[]): void {
  const records = ids.map((id) => ({ id, ...recordOf(client, id) }));
  invalidate(client, ({ petId, q, order, isDeleted }, { isFact, requestedAt, items }) =>
    records.some(({ id, saved = null, movedAt = 0, editedAt = 0 }) => {
      if (requestedAt < editedAt && (petId || q || order === 'taken')) return true;
      if (isInAlbum(saved)) return requestedAt < movedAt && !items.includes(id);
      // Lists of the album leave out what is in the trash; the trash can't know what was deleted for good.
      return isDeleted === true || (isFact && requestedAt < movedAt);
    }),
  );
}

/** Counts of the memories that match; of all without a filter. */
export function useMemoryStats(
  { petId, q }: Pick<MemoryFilter, 'petId' | 'q'>,
  options: { enabled?: boolean; meta?: QueryMeta } = {},
) {
  return useFact('stats', { petId: petId || undefined, q: q || undefined }, MemoryStats, options);
}

/** Which months have memories, and how many. */
export function useMemoryMonths(order: MemoryOrder) {
  return useFact('months', { order }, MemoryMonthList);
}

/** A number or a summary that the server computes. */
function useFact<Fact>(name: string, filter: MemoryFilter, schema: ZodMiniType<Fact>, options = {}) {
  const query = new URLSearchParams(JSON.parse(JSON.stringify(filter)) as Record<string, string>);
  return useQuery({
    queryKey: [MEMORIES, 'facts', filter, name],
    queryFn: async ({ signal }) => {
      const requestedAt = tick();
      return { requestedAt, fact: await apiGet(`${MEMORIES}/${name}?${query}`, schema, signal) };
    },
    select: ({ fact }) => fact,
    ...options,
  });
}
