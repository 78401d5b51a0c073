import type { Mutation, QueryClient, QueryFunctionContext } from '@tanstack/react-query';
import { MemoryList, type Memory } from '#shared/memory';
import { apiGetPage, type Page } from '../../lib/api-client.ts';
import { withChanges, type MemoryChanges } from './details/memory-changes.ts';

export const updateKey = ['/api/memories', 'update'];

export interface MemoryUpdate {
  /** As it was. */
  memory: Memory;
  changes: MemoryChanges;
}

type Update = Mutation<Memory, Error, MemoryUpdate>;

/** A page of a list, with the changes that were made here while it was on its way: it may not know them yet. */
export async function fetchMemories(
  path: string,
  { client, signal }: Pick<QueryFunctionContext, 'client' | 'signal'>,
): Promise<Page<Memory[]>> {
  const known = updatesOf(client).filter(({ state }) => state.status !== 'pending');
  const page = await apiGetPage(path, MemoryList, signal);
  const later = updatesOf(client).filter((update) => !known.includes(update));
  return { ...page, items: page.items.map((memory) => withUpdates(memory, later)) };
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

function withUpdates(memory: Memory, updates: Update[]): Memory {
  return updates.reduce((now, { state: { status, variables } }) => {
    const isOfIt = variables?.memory.id === memory.id && status !== 'error';
    return isOfIt ? withChanges(now, variables.changes) : now;
  }, memory);
}
