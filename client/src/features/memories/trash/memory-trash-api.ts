import {
  useInfiniteQuery,
  useMutation,
  useQueryClient,
  type InfiniteData,
  type Query,
  type QueryClient,
} from '@tanstack/react-query';
import { DeletedMemoryList, Memory, type MemoryMonthList } from '#shared/memory';
import { PAGE_SIZE } from '#shared/page';
import { apiDelete, apiGetPage, apiPost, ignoreNotFound, type Page } from '../../../lib/api-client.ts';
import { LISTS, MEMORIES } from '../memory-api.ts';
import { handOnRun, MONTHS } from '../timeline/memory-months-api.ts';
import { monthOf, withOneLess, withOneMore } from './counted-months.ts';
import { changeLists, replace } from '../memory-update-api.ts';
import { deleteKey, inTurn, restoreKey } from '../memory-updates.ts';
import { placeIn, withMemory, withoutMemory } from './listed-memories.ts';

const DELETED = `${MEMORIES}/deleted`;
export const TRASH = [MEMORIES, 'deleted'];

/** What is in the trash, most recently deleted first; a page at a time. */
export function useDeletedMemories() {
  const firstPage = `${DELETED}?limit=${PAGE_SIZE}`;
  return useInfiniteQuery({
    queryKey: [...TRASH, firstPage],
    queryFn: ({ pageParam, signal }) => apiGetPage(pageParam, DeletedMemoryList, signal),
    initialPageParam: firstPage,
    getNextPageParam: (page) => page.next,
    select: ({ pages }) => pages.flatMap((page) => page.items),
    staleTime: 0,
  });
}

/** Into the trash. One that is gone for good already is no error: it was meant to go. */
export function useDeleteMemory() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationKey: deleteKey,
    scope: inTurn,
    mutationFn: ({ id }: Memory) => apiDelete(`${MEMORIES}/${id}`).catch(ignoreNotFound),
    onSettled: () => askAnew(queryClient, isTrash),
  });
}

/** Out of the trash, into every list. */
export function useRestoreMemory() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationKey: restoreKey,
    scope: inTurn,
    mutationFn: ({ id }: Memory) => apiPost(`${MEMORIES}/${id}/restore`, undefined, Memory),
    onSuccess: (memory) => {
      // Its pet may have gone meanwhile.
      changeLists(
        queryClient,
        LISTS,
        replace(memory.id, () => memory),
      );
      askAnew(queryClient, (list) => {
        // What is still on its way may be from before.
        const isUncertain = list.state.fetchStatus === 'fetching';
        return isUncertain || (isTrash(list) ? isIn(list, memory) : !isIn(list, memory));
      });
    },
  });
}

/** Out of the trash, for good. One that is not there any more is no error. */
export function useDeleteForGood() {
  const queryClient = useQueryClient();
  return useMutation({
    scope: inTurn,
    mutationFn: ({ id }: Memory) => apiDelete(`${DELETED}/${id}`).catch(ignoreNotFound),
    onSuccess: (_, memory) => {
      takeOut(queryClient, TRASH, memory);
      // What is still on its way would bring it back.
      void queryClient.invalidateQueries({ queryKey: TRASH, fetchStatus: 'fetching' });
    },
  });
}

/** Takes a memory out of lists without asking the server. @returns what puts it back where it was */
export function useTakeOut() {
  const queryClient = useQueryClient();
  return (lists: string[], memory: Memory) => takeOut(queryClient, lists, memory);
}

type Lists = InfiniteData<Page<Memory[]>>;

export function takeOut(queryClient: QueryClient, lists: string[], memory: Memory): () => void {
  const undoings: (() => void)[] = [];
  for (const [key, data] of queryClient.getQueriesData<Lists>({ queryKey: lists, predicate: isNotKept })) {
    const place = data && placeIn(data.pages, memory.id);
    if (!place) continue;
    queryClient.setQueryData<Lists>(key, { ...data, pages: withoutMemory(data.pages, memory.id) });
    undoings.push(() =>
      queryClient.setQueryData<Lists>(
        key,
        (data) => data && { ...data, pages: withMemory(data.pages, memory, place) },
      ),
    );
  }
  if (lists === LISTS) undoings.push(takeOutOfMonths(queryClient, memory));
  return () => undoings.forEach((undo) => undo());
}

/** Otherwise those that follow it would stand under its month until the months are counted anew. */
function takeOutOfMonths(queryClient: QueryClient, memory: Memory): () => void {
  const undoings: (() => void)[] = [];
  for (const [key, months] of queryClient.getQueriesData<MemoryMonthList>({ queryKey: MONTHS })) {
    const order = String(key.at(-1)).includes('order=taken') ? 'taken' : 'added';
    const name = monthOf(memory, order);
    const month = months?.find((each) => each.month === name);
    if (!months || !month) continue;
    const older = months[months.indexOf(month) + 1];
    if (month.count === 1 && older) handOnRun(queryClient, order, month.cursor, older.cursor);
    queryClient.setQueryData<MemoryMonthList>(key, withOneLess(months, name));
    undoings.push(() =>
      queryClient.setQueryData<MemoryMonthList>(key, (months) => months && withOneMore(months, month)),
    );
  }
  return () => undoings.forEach((undo) => undo());
}

/**
 * Asks for counts and months anew; of what holds memories only for that which is wrong. Lists are right already where
 * something was taken out or put back, and there may be a hundred pages of them.
 */
function askAnew(queryClient: QueryClient, isWrong: (list: Query) => boolean): void {
  void queryClient.invalidateQueries({
    queryKey: [MEMORIES],
    predicate: (query) => (isList(query) ? isNotKept(query) && isWrong(query) : true),
  });
}

function isList(query: Query): boolean {
  return query.queryKey[1] === LISTS[1] || isTrash(query);
}

function isTrash({ queryKey }: Query): boolean {
  return queryKey[1] === TRASH[1];
}

/** The memory that lies open in the dialog stays there until it is closed. */
export function isNotKept({ queryKey }: Query): boolean {
  return queryKey[2] !== 'kept';
}

function isIn({ state }: Query, { id }: Memory): boolean {
  const data = state.data as Lists | undefined;
  return data !== undefined && placeIn(data.pages, id) !== null;
}
