import { useMutation, useQueryClient, type QueryClient } from '@tanstack/react-query';
import { Memory, type CompleteUploadRequest } from '#shared/memory';
import { apiDelete, apiPatch, apiPost, ignoreNotFound, isNotFound } from '../../../lib/api-client.ts';
import type { MemoryChanges } from '../details/memory-changes.ts';
import { invalidate, refreshAround } from './memory-lists.ts';
import {
  changeMemory,
  forgetMemory,
  MEMORIES,
  storeMemory,
  tick,
  type StoredChanges,
} from './memory-store.ts';

/** Turns an uploaded photo into a memory. */
export function useCompleteUpload() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (request: CompleteUploadRequest) => apiPost(`${MEMORIES}/complete-upload`, request, Memory),
    onSuccess: (memory) => {
      storeMemory(client, memory.id, memory, tick());
      invalidate(client, () => true);
    },
  });
}

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
      refreshAround(client, [id]);
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
