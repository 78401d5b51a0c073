import { useQueries, useQuery, useQueryClient, type Query, type QueryClient } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import type { ZodMiniType } from 'zod/mini';
import {
  DeletedMemoryList,
  MemoryList,
  MemoryMonthList,
  MemoryPetCounts,
  MemoryStats,
  type MemoryOrder,
} from '#shared/album/memory';
import { PAGE_SIZE } from '#shared/api/pagination';
import { apiGet, apiGetPage, type Page } from '../../../lib/api/api-client.ts';
import type { QueryMeta } from '../../../lib/api/query-client.ts';
import {
  isInAlbum,
  MEMORIES,
  getRecord,
  storeMemory,
  tick,
  useHiddenMemories,
  type HiddenMemories,
  type MemoryFilter,
} from './memory-store.ts';
import { useInViewOrBelow } from '../../../lib/browser/use-in-view-or-below.ts';
import { pausePrepends, usePausedUpdates } from './use-paused-updates.ts';

const LISTS = [MEMORIES, 'list'];
const DELETED = `${MEMORIES}/deleted`;

/** The path of the page after a cursor, or of the first page. */
export function pagePath({ petId, q, isLiked, order, isDeleted }: MemoryFilter, cursor?: string): string {
  const params = Object.entries({
    limit: `${PAGE_SIZE}`,
    petId,
    isLiked: isLiked && 'true',
    q,
    order,
    cursor,
  });
  const query = new URLSearchParams(params.filter((param): param is [string, string] => !!param[1]));
  return `${isDeleted ? DELETED : q ? `${MEMORIES}/search` : MEMORIES}?${query}`;
}

type MemoryPage = Page<string[]> & { requestedAt: number };

async function fetchPage(client: QueryClient, path: string, signal: AbortSignal): Promise<MemoryPage> {
  const requestedAt = tick();
  const schema = path.startsWith(DELETED) ? DeletedMemoryList : MemoryList;
  const { items, next } = await apiGetPage(path, schema, signal);
  for (const memory of items) storeMemory(client, memory.id, memory, requestedAt);
  return { items: items.map(({ id }) => id), next, requestedAt };
}

/** A range in view of a list, whose pages are fetched one after another from a first path. */
interface ChainRequest {
  filter: MemoryFilter;
  path: string;
  first: number;
  last: number;
}

export type PageChain = ReturnType<typeof usePageChains>[number];

/** Fetches the pages in view if they are missing or stale. */
export function usePageChains(requests: ChainRequest[], meta: QueryMeta = {}) {
  const client = useQueryClient();
  const hidden = useHiddenMemories();
  const chains = requests.map((request) => ({ ...request, pages: listPages(client, request, hidden) }));
  const results = useQueries({
    queries: chains.flatMap(({ filter, pages }) =>
      pages.map(({ path, isInView }) => ({
        queryKey: [...LISTS, filter, path],
        queryFn: ({ signal }: { signal: AbortSignal }) => fetchPage(client, path, signal),
        enabled: isInView,
        // Changes invalidate the pages.
        staleTime: Infinity,
        refetchOnMount: 'always' as const,
        meta,
      })),
    ),
  });
  return chains.map(({ pages }, index) => {
    const before = chains.slice(0, index).flatMap((chain) => chain.pages).length;
    const chainResults = results.slice(before, before + pages.length);
    const failed = chainResults.filter(({ isError, data }) => isError && !data);
    return {
      // A moved memory may be in two pages while one of them is stale.
      ids: [...new Set(chainResults.flatMap(({ data }) => data?.items ?? []))],
      isComplete: chainResults.at(-1)?.data?.next === null,
      /** A page in view has not been loaded yet. */
      isLoading: chainResults.some(({ data, isError }) => !data && !isError),
      error: failed[0]?.error ?? null,
      retry: () => failed.forEach(({ refetch }) => void refetch()),
    };
  });
}

/** The cached pages, and the next one if the cached ones end in view. Each page has the path of the next. */
function listPages(client: QueryClient, { filter, path, first, last }: ChainRequest, hidden: HiddenMemories) {
  const pages: { path: string; isInView: boolean }[] = [];
  let start = 0;
  for (let next: string | null | undefined = path; next;) {
    const page: Page<string[]> | undefined = client.getQueryData([...LISTS, filter, next]);
    const end = start + (page ? withoutHidden(page.items, filter.isDeleted, hidden).length : 0);
    const isInView = start <= last && (end > first || !page?.next);
    if (page || isInView) pages.push({ path: next, isInView });
    start = end;
    next = page?.next;
  }
  return pages;
}

const withoutHidden = (ids: string[], isDeleted: true | undefined, hidden: HiddenMemories) =>
  ids.filter((id) => hidden.get(id) === (isDeleted && 'trashed'));

/** Memories are fetched before they scroll into view. */
const MEMORIES_AHEAD = PAGE_SIZE / 2;

/** An infinite list, and a ref for its top. The displayed ids stay while another filter or pages in view are loading. */
export function useMemoryList(
  { petId, q, isLiked, order, isDeleted }: MemoryFilter,
  { start = 0, meta }: { start?: number | undefined; meta?: QueryMeta } = {},
) {
  const filter = { petId: petId || undefined, q: q || undefined, isLiked, order, isDeleted };
  const key = JSON.stringify(filter);
  const [view, setView] = useState({ key, first: start, last: start });
  const { first, last } = view.key === key ? view : { first: start, last: start };
  const request = { filter, path: pagePath(filter), first, last: last + MEMORIES_AHEAD };
  const [{ ids, isLoading, ...chain }] = usePageChains([request], meta) as [PageChain];
  const hidden = useHiddenMemories();
  const count = withoutHidden(ids, isDeleted, hidden).length;
  const isReady = count > last || (!isLoading && (chain.error === null || ids.length > 0));
  const [isTopInView, topRef] = useInViewOrBelow();
  const displayed = usePausedUpdates(isReady ? { key, ids } : undefined, (before, now) =>
    before.key !== key || isTopInView ? now : { key, ids: pausePrepends(before.ids, now.ids) },
  );
  const visible = useMemo(
    () => displayed && withoutHidden(displayed.ids, isDeleted, hidden),
    [displayed, isDeleted, hidden],
  );
  const list = {
    ...chain,
    /** Undefined until there is a memory, or the list is known to be empty. */
    ids: visible?.length === 0 && !chain.isComplete ? undefined : visible,
    /** The filter that `ids` belong to. */
    listKey: displayed?.key,
    /** `ids` belong to the previous filter. */
    isPrevious: displayed !== undefined && displayed.key !== key,
    onView: (first: number, last: number) => setView({ key, first, last }),
  };
  return [list, topRef] as const;
}

export type LoadedList = ReturnType<typeof useMemoryList>[0];

type FetchedQuery = { aggregate: string | null; requestedAt: number; items: string[] };

/** Marks lists and aggregates as stale. Those in view are refetched at once. */
export function invalidate(
  client: QueryClient,
  isAffected: (filter: MemoryFilter, fetched: FetchedQuery) => boolean,
): void {
  const predicate = ({ queryKey: [, kind, filter, name], state: { data, fetchStatus } }: Query) => {
    // The response of a request in flight may be stale too.
    const cached = fetchStatus === 'idle' ? (data as Partial<MemoryPage> | undefined) : undefined;
    const aggregate = kind === 'aggregates' ? String(name) : null;
    const fetched = { requestedAt: 0, items: [], ...cached, aggregate };
    return (kind === 'list' || kind === 'aggregates') && isAffected(filter as MemoryFilter, fetched);
  };
  void client.invalidateQueries({ queryKey: [MEMORIES], predicate }, { cancelRefetch: false });
}

/** Invalidates lists and aggregates that were requested before these memories changed. */
export function invalidateAffectedBy(client: QueryClient, ids: string[]): void {
  const records = ids.map((id) => ({ id, ...getRecord(client, id) }));
  invalidate(client, ({ petId, q, isLiked, order, isDeleted }, { aggregate, requestedAt, items }) =>
    records.some(({ id, saved = null, movedAt = 0, editedAt = 0, likedAt = 0 }) => {
      const isOfFields = petId || q || order === 'taken' || aggregate === PET_COUNTS;
      if (requestedAt < editedAt && isOfFields) return true;
      if (requestedAt < likedAt && isLiked) return true;
      if (isInAlbum(saved)) return requestedAt < movedAt && !items.includes(id);
      // Lists of the album hide the memory without a request; the trash and aggregates need one.
      return isDeleted === true || (aggregate !== null && requestedAt < movedAt);
    }),
  );
}

const PET_COUNTS = 'pet-counts';

/** By pet, without those that have no memories; undefined while they are loading. */
export function useMemoryPetCounts() {
  const { data } = useAggregate(PET_COUNTS, {}, MemoryPetCounts);
  return useMemo(() => data && new Map(data.map(({ petId, ...memories }) => [petId, memories])), [data]);
}

/** The newest photo of a pet; null while it is loading, or if it is not needed. */
export function useNewestPetPhoto(petId: string, isNeeded: boolean): string | null {
  const { data } = useAggregate(PET_COUNTS, {}, MemoryPetCounts, { enabled: isNeeded });
  return data?.find((each) => each.petId === petId)?.newestImageUrl ?? null;
}

export function useMemoryStats(
  { petId, q, isLiked }: Pick<MemoryFilter, 'petId' | 'q' | 'isLiked'>,
  options: { enabled?: boolean; meta?: QueryMeta } = {},
) {
  return useAggregate(
    'stats',
    { petId: petId || undefined, q: q || undefined, isLiked },
    MemoryStats,
    options,
  );
}

export function useMemoryMonths(order: MemoryOrder) {
  return useAggregate('months', { order }, MemoryMonthList);
}

function useAggregate<Aggregate>(
  name: string,
  filter: MemoryFilter,
  schema: ZodMiniType<Aggregate>,
  options = {},
) {
  const query = new URLSearchParams(JSON.parse(JSON.stringify(filter)) as Record<string, string>);
  return useQuery({
    queryKey: [MEMORIES, 'aggregates', filter, name],
    queryFn: async ({ signal }) => {
      const requestedAt = tick();
      return { requestedAt, aggregate: await apiGet(`${MEMORIES}/${name}?${query}`, schema, signal) };
    },
    select: ({ aggregate }) => aggregate,
    ...options,
  });
}
