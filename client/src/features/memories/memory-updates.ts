import type { Mutation, QueryClient, QueryFunctionContext } from '@tanstack/react-query';
import { MemoryList, type Memory } from '#shared/memory';
import { apiGetPage, type Page } from '../../lib/api-client.ts';
import { withChanges, type MemoryChanges } from './details/memory-changes.ts';

export const updateKey = ['/api/memories', 'update'];
const trashKey = ['/api/memories', 'trash'];
export const deleteKey = [...trashKey, 'delete'];
export const restoreKey = [...trashKey, 'restore'];
/** One after the other, in the order in which they were made: what was chosen last stays. */
export const inTurn = { id: 'memory-updates' };

export interface MemoryUpdate {
  /** As it was. */
  memory: Memory;
  changes: MemoryChanges;
}

type Update = Mutation<Memory, Error, MemoryUpdate>;
/** Into the trash, or out of it. */
type Trashing = Mutation<unknown, Error, Memory>;
type Change = Update | Trashing;

/** A page of a list, with the changes that were made here while it was on its way: it may not know them yet. */
export async function fetchMemories(
  path: string,
  { client, signal }: Pick<QueryFunctionContext, 'client' | 'signal'>,
): Promise<Page<Memory[]>> {
  const withOwnChanges = followOwnChanges(client);
  const page = await apiGetPage(path, MemoryList, signal);
  return { ...page, items: withOwnChanges(page.items) };
}

/**
 * Begin before memories are asked for.
 * @returns what adds to them, as they came, the changes that are made here until it is called
 */
export function followOwnChanges(client: QueryClient): (memories: Memory[]) => Memory[] {
  const isSettled = (change: Change) => change.state.status !== 'pending';
  const before = [...updatesOf(client), ...trashingsOf(client)].filter(isSettled);
  return (memories) => {
    const updates = updatesOf(client).filter((update) => !before.includes(update));
    const trashings = trashingsOf(client).filter((trashing) => !before.includes(trashing));
    return memories
      .filter((memory) => !isTrashed(memory, trashings))
      .map((memory) => withUpdates(memory, updates));
  };
}

/** What the server answered to a change, with those that are to follow. */
export function withPendingUpdates(client: QueryClient, answer: Memory, answered: MemoryUpdate): Memory {
  const pending = updatesOf(client).filter(
    ({ state }) => state.status === 'pending' && state.variables !== answered,
  );
  return withUpdates(answer, pending);
}

function updatesOf(client: QueryClient): Update[] {
  return client.getMutationCache().findAll({ mutationKey: updateKey }) as Update[];
}

function trashingsOf(client: QueryClient): Trashing[] {
  return client.getMutationCache().findAll({ mutationKey: trashKey }) as Trashing[];
}

function isTrashed({ id }: Memory, trashings: Trashing[]): boolean {
  const last = trashings.findLast(({ state }) => state.variables?.id === id && state.status !== 'error');
  return last?.options.mutationKey === deleteKey;
}

function withUpdates(memory: Memory, updates: Update[]): Memory {
  return updates.reduce((now, { state: { status, variables } }) => {
    const isOfIt = variables?.memory.id === memory.id && status !== 'error';
    return isOfIt ? withChanges(now, variables.changes) : now;
  }, memory);
}
