import type { InfiniteData, Query, QueryClient } from '@tanstack/react-query';
import { MEMORY_IDS_MAX, MemoryList, type Memory } from '#shared/memory';
import { apiGetPage, type Page } from '../../../lib/api-client.ts';
import { LISTS, MEMORIES } from '../memory-api.ts';
import { pathOfSome } from '../memory-moves.ts';
import { changeLists, isPaged, pathOf } from '../memory-update-api.ts';
import { followOwnChanges } from '../memory-updates.ts';
import { noteArrivals } from '../timeline/memory-months-api.ts';
import { isNotKept, takeOut, TRASH } from '../trash/memory-trash-api.ts';
import { mergeMemories } from './merge-memories.ts';

type Pages = InfiniteData<Page<Memory[]>>;

/**
 * Brings what is in sight up to date with memories that were made, changed or deleted elsewhere, and asks for little
 * more than them. What is out of sight is asked for anew when someone comes back to it.
 */
export async function showChangedMemories(queryClient: QueryClient, ids: string[]): Promise<void> {
  const queries = queryClient.getQueryCache();
  if (queries.findAll({ queryKey: [MEMORIES], type: 'active' }).length === 0) return;
  if (ids.length > MEMORY_IDS_MAX) return refreshMemories(queryClient);
  const lists = queries.findAll({ queryKey: LISTS, type: 'active' }).filter(isPaged);
  // Not later: a list on its way may bring them by itself, but not count them.
  const before = listedMemories(queryClient);
  const withOwnChanges = followOwnChanges(queryClient);
  const answers = await Promise.all(
    [MEMORIES, ...lists.map(pathOf)].map((list) => fetchSome(queryClient, list, ids)),
  );
  await whenStill(queryClient);
  // Only now: some were made while the last of them was awaited.
  const [now, ...members] = answers.map(withOwnChanges);

  const after = new Map(now?.map((memory) => [memory.id, memory]));
  for (const memory of listedMemories(queryClient).values())
    if (ids.includes(memory.id) && !after.has(memory.id)) takeOut(queryClient, LISTS, memory);
  changeLists(queryClient, LISTS, (memories) => memories.map((memory) => after.get(memory.id) ?? memory));
  for (const [index, { queryKey }] of lists.entries())
    queryClient.setQueryData<Pages>(
      queryKey,
      (data) => data && { ...data, pages: mergeMemories(data.pages, ids, members[index] ?? []) },
    );

  if (ids.every((id) => before.has(id) && after.has(id) && isWhereItWas(before.get(id)!, after.get(id)!)))
    return;
  noteArrivals(queryClient);
  void queryClient.invalidateQueries({ queryKey: TRASH });
  void queryClient.invalidateQueries({ queryKey: [MEMORIES], predicate: isCount });
}

/** Asks for everything in sight anew. Fails when that does. */
export function refreshMemories(queryClient: QueryClient): Promise<void> {
  return queryClient.invalidateQueries(
    { queryKey: [MEMORIES], predicate: isNotKept },
    { throwOnError: true },
  );
}

/** Memories are found by their pets' names: the searches in sight are asked for anew. */
export function refreshSearches(queryClient: QueryClient): Promise<void> {
  return queryClient.invalidateQueries({
    queryKey: LISTS,
    predicate: (query) => isPaged(query) && new URLSearchParams(pathOf(query).split('?')[1]).has('q'),
  });
}

async function fetchSome(queryClient: QueryClient, list: string, ids: string[]): Promise<Memory[]> {
  const path = pathOfSome(list, ids);
  const page = await queryClient.fetchQuery({
    queryKey: [MEMORIES, 'some', path],
    queryFn: ({ signal }) => apiGetPage(path, MemoryList, signal),
    staleTime: 0,
    gcTime: 0,
  });
  return page.items;
}

/** A page on its way is added to the pages as they were when it was asked for: it would undo what is changed meanwhile. */
async function whenStill(queryClient: QueryClient): Promise<void> {
  for (;;) {
    const moving = queryClient.getQueryCache().findAll({ queryKey: LISTS, fetchStatus: 'fetching' });
    if (moving.length === 0) return;
    await Promise.allSettled(moving.map(async ({ promise }) => promise));
  }
}

/** By their ids. */
function listedMemories(queryClient: QueryClient): Map<string, Memory> {
  const memories = queryClient
    .getQueriesData<Pages>({ queryKey: LISTS })
    .flatMap(([, data]) => data?.pages.flatMap(({ items }) => items) ?? []);
  return new Map(memories.map((memory) => [memory.id, memory]));
}

function isWhereItWas(before: Memory, after: Memory): boolean {
  return before.memoryDate === after.memoryDate;
}

/** Not the ids among which someone chooses right now: their places must not change. */
function isCount(query: Query): boolean {
  const kind = query.queryKey[1];
  return kind === 'stats' || (kind === 'ids' && !pathOf(query).includes('order=taken'));
}
