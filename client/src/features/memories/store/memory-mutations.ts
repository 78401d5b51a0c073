import { useMutation, useQueryClient, type QueryClient } from '@tanstack/react-query';
import { Memory, MAX_MEMORY_IDS } from '#shared/memory';
import { apiDelete, apiPatch, apiPost, ignoreNotFound, isNotFound } from '../../../lib/api-client.ts';
import type { MemoryChanges } from '../details/memory-changes.ts';
import { invalidate, invalidateAffectedBy } from './memory-lists.ts';
import {
  changeMemory,
  forgetMemory,
  loadMemories,
  MEMORIES,
  recordOf,
  type StoredChanges,
} from './memory-store.ts';

/** Sends changes of a memory, which are shown at once, and taken back when the server refuses. */
function useChange<Target extends { id: string }>(
  send: (target: Target, client: QueryClient) => Promise<Memory | void>,
  toChanges: (target: Target) => StoredChanges,
) {
  const client = useQueryClient();
  return useMutation({
    // One after the other, in the order in which they were made: the last one wins.
    scope: { id: 'memory-changes' },
    mutationFn: (target: Target) => send(target, client),
    onMutate: (target) => changeMemory(client, target.id, toChanges(target)),
    onSuccess: (memory, { id }, settle) => {
      settle(memory ?? 'saved');
      invalidateAffectedBy(client, [id]);
    },
    onError: (_error, _target, settle) => settle?.('failed'),
  });
}

/** Changes what the server stores of a memory. */
export function useUpdateMemory() {
  return useChange(
    ({ id, changes }: { id: string; changes: MemoryChanges }, client) =>
      apiPatch(`${MEMORIES}/${id}`, changes, Memory).catch((error: unknown) => {
        // The pet may have been deleted elsewhere.
        if (changes.petId) void client.invalidateQueries({ queryKey: ['/api/pets'] });
        throw error;
      }),
    ({ changes }) => changes,
  );
}

/** Moves a memory to the trash. One that is gone for good was to go anyway. */
export function useDeleteMemory() {
  return useChange(
    ({ id }: Memory) => apiDelete(`${MEMORIES}/${id}`).catch(ignoreNotFound),
    () => ({ deletedAt: new Date().toISOString() }),
  );
}

/** Moves a memory out of the trash. */
export function useRestoreMemory() {
  return useChange(
    ({ id }: Memory, client) =>
      apiPost(`${MEMORIES}/${id}/restore`, undefined, Memory).catch((error: unknown) => {
        if (isNotFound(error)) forgetMemory(client, id);
        throw error;
      }),
    () => ({ deletedAt: null }),
  );
}

/** Deletes a memory in the trash for good. */
export function usePurgeMemory() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: ({ id }: Memory) => apiDelete(`${MEMORIES}/deleted/${id}`).catch(ignoreNotFound),
    onSuccess: (_, { id }) => forgetMemory(client, id),
  });
}

/**
 * Shows memories that were created, changed or deleted, here or elsewhere. What was changed here equals what is cached,
 * and renders nothing. @throws ApiError
 */
export async function showChangedMemories(client: QueryClient, ids: string[]): Promise<void> {
  const isShown = client.getQueryCache().findAll({ queryKey: [MEMORIES], type: 'active' }).length > 0;
  if (!isShown || ids.length > MAX_MEMORY_IDS) return refreshMemories(client);
  const isNew = ids.some((id) => !recordOf(client, id));
  await loadMemories(client, ids);
  if (isNew) invalidate(client, () => true);
  else invalidateAffectedBy(client, ids);
}

/** Fetches everything that is shown again. */
export function refreshMemories(client: QueryClient): Promise<void> {
  return client.invalidateQueries({ queryKey: [MEMORIES] }, { throwOnError: true, cancelRefetch: false });
}
