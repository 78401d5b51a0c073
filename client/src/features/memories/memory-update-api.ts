import {
  useMutation,
  useQueryClient,
  type InfiniteData,
  type Query,
  type QueryClient,
} from '@tanstack/react-query';
import { Memory } from '#shared/memory';
import { apiPatch, type Page } from '../../lib/api-client.ts';
import { withChanges, withoutChanges, type MemoryChanges } from './details/memory-changes.ts';
import { LISTS, MEMORIES } from './memory-api.ts';
import { canMove, canReorder, pathOfSome } from './memory-moves.ts';
import { fetchMemories, inTurn, updateKey, withPendingUpdates, type MemoryUpdate } from './memory-updates.ts';

const PETS = '/api/pets';

type Pages = InfiniteData<Page<Memory[]>>;

/** Shows the changes at once and takes them back when the server says no. */
export function useUpdateMemory() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationKey: updateKey,
    scope: inTurn,
    mutationFn: ({ memory, changes }: MemoryUpdate) => apiPatch(`${MEMORIES}/${memory.id}`, changes, Memory),
    onMutate: ({ memory, changes }) => {
      changeLists(
        queryClient,
        LISTS,
        replace(memory.id, (now) => withChanges(now, changes)),
      );
    },
    onSuccess: (answer, update) => {
      const now = withPendingUpdates(queryClient, answer, update);
      changeLists(
        queryClient,
        LISTS,
        replace(answer.id, () => now),
      );
      move(queryClient, answer.id, update.changes);
    },
    onError: (_error, { memory, changes }) => {
      changeLists(
        queryClient,
        LISTS,
        replace(memory.id, (now) => withoutChanges(now, memory, changes)),
      );
      void lookAgain(queryClient, memory.id);
      // The pet may have been deleted elsewhere.
      if (changes.petId) void queryClient.invalidateQueries({ queryKey: [PETS] });
    },
  });
}

/**
 * Fetches what may know a memory's old place anew. A list of pages, of which there may be a hundred, only when the
 * memory comes into it: one that has left, as the list says when asked for the one, is taken out.
 */
function move(queryClient: QueryClient, id: string, changes: MemoryChanges): void {
  const mended = queryClient
    .getQueryCache()
    .findAll({ queryKey: LISTS, type: 'active', fetchStatus: 'idle' })
    .filter((list) => isPaged(list) && canMove(pathOf(list), changes) && !canReorder(pathOf(list), changes));
  for (const list of mended) void mend(queryClient, list, id);
  void queryClient.invalidateQueries({
    queryKey: [MEMORIES],
    predicate: (query) =>
      !mended.includes(query) && (canMove(pathOf(query), changes) || canReorder(pathOf(query), changes)),
  });
}

async function mend(queryClient: QueryClient, list: Query, id: string): Promise<void> {
  const { queryKey } = list;
  const memory = await fetchOne(queryClient, pathOf(list), id);
  const pages = queryClient.getQueryData<Pages>(queryKey)?.pages ?? [];
  const wasIn = pages.some(({ items }) => items.some((each) => each.id === id));
  if (memory === null) changeLists(queryClient, queryKey, without(id));
  else if (memory && !wasIn) void queryClient.invalidateQueries({ queryKey, exact: true });
}

/** After a change that failed: the answer alone may have been lost, or the memory is gone. */
async function lookAgain(queryClient: QueryClient, id: string): Promise<void> {
  const memory = await fetchOne(queryClient, MEMORIES, id);
  if (memory === null) changeLists(queryClient, LISTS, without(id));
  else if (memory)
    changeLists(
      queryClient,
      LISTS,
      replace(id, () => memory),
    );
}

/** @returns null when it is not in the list, undefined when that could not be learnt */
async function fetchOne(
  queryClient: QueryClient,
  list: string,
  id: string,
): Promise<Memory | null | undefined> {
  const path = pathOfSome(list, [id]);
  const queryKey = [MEMORIES, 'one', path];
  // An answer to who asked before may be from before the change.
  void queryClient.cancelQueries({ queryKey });
  const page = await queryClient
    .fetchQuery({
      queryKey,
      queryFn: (context) => fetchMemories(path, context),
      staleTime: 0,
      gcTime: 0,
    })
    .catch(() => undefined);
  return page && (page.items[0] ?? null);
}

/** Whether it is a list that grows page by page. */
export function isPaged({ queryKey }: Query): boolean {
  return queryKey.length === LISTS.length + 1;
}

/** What a query asks for is the last that its key says. */
export function pathOf({ queryKey }: Query): string {
  return String(queryKey.at(-1));
}

export function changeLists(
  queryClient: QueryClient,
  queryKey: readonly unknown[],
  change: (memories: Memory[]) => Memory[],
): void {
  queryClient.setQueriesData<Pages>(
    { queryKey },
    (data) => data && { ...data, pages: data.pages.map((page) => ({ ...page, items: change(page.items) })) },
  );
}

function without(id: string) {
  return (memories: Memory[]) => memories.filter((memory) => memory.id !== id);
}

export function replace(id: string, patch: (memory: Memory) => Memory) {
  return (memories: Memory[]) => memories.map((memory) => (memory.id === id ? patch(memory) : memory));
}
