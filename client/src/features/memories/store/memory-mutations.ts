import { useMutation, useQueryClient } from '@tanstack/react-query';
import { Memory, type CompleteUploadRequest } from '#shared/memory';
import { apiDelete, apiPatch, apiPost, isNotFound } from '../../../lib/api-client.ts';
import type { MemoryChanges } from '../details/memory-changes.ts';
import { refreshAround } from './memory-lists.ts';
import { changeMemory, forgetMemory, MEMORIES, storeMemory, tick } from './memory-store.ts';

const PETS = '/api/pets';
/** One after the other, in the order in which they were made: the last one wins. */
const scope = { id: 'memory-changes' };

/** Turns an uploaded photo into a memory. */
export function useCompleteUpload() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (request: CompleteUploadRequest) => apiPost(`${MEMORIES}/complete-upload`, request, Memory),
    onSuccess: (memory) => {
      storeMemory(client, memory.id, memory, tick());
      refreshAround(client, [memory.id]);
    },
  });
}

/** Changes what the server stores of a memory. Shown at once, and taken back when the server refuses. */
export function useUpdateMemory() {
  const client = useQueryClient();
  return useMutation({
    scope,
    mutationFn: ({ id, changes }: { id: string; changes: MemoryChanges }) =>
      apiPatch(`${MEMORIES}/${id}`, changes, Memory),
    onMutate: ({ id, changes }) => changeMemory(client, id, changes),
    onSuccess: (memory, _, settle) => {
      settle(memory);
      refreshAround(client, [memory.id]);
    },
    onError: (_error, { changes }, settle) => {
      settle?.('failed');
      // The pet may have been deleted elsewhere.
      if (changes.petId) void client.invalidateQueries({ queryKey: [PETS] });
    },
  });
}

/** Moves a memory to the trash. */
export function useDeleteMemory() {
  const client = useQueryClient();
  return useMutation({
    scope,
    // One that is gone for good was to go anyway.
    mutationFn: ({ id }: Memory) => apiDelete(`${MEMORIES}/${id}`).catch(ignoreNotFound),
    onMutate: ({ id }) => changeMemory(client, id, { deletedAt: new Date().toISOString() }),
    onSuccess: (_, __, settle) => settle(),
    onError: (_error, _memory, settle) => settle?.('failed'),
    onSettled: (_, __, { id }) => refreshAround(client, [id]),
  });
}

/** Moves a memory out of the trash. */
export function useRestoreMemory() {
  const client = useQueryClient();
  return useMutation({
    scope,
    mutationFn: ({ id }: Memory) => apiPost(`${MEMORIES}/${id}/restore`, undefined, Memory),
    onMutate: ({ id }) => changeMemory(client, id, { deletedAt: null }),
    onSuccess: (memory, _, settle) => {
      settle(memory);
      refreshAround(client, [memory.id]);
    },
    onError: (error, { id }, settle) => {
      settle?.('failed');
      if (isNotFound(error)) forgetMemory(client, id);
    },
  });
}

/** Deletes a memory in the trash for good. */
export function usePurgeMemory() {
  const client = useQueryClient();
  return useMutation({
    scope,
    mutationFn: ({ id }: Memory) => apiDelete(`${MEMORIES}/deleted/${id}`).catch(ignoreNotFound),
    onSuccess: (_, { id }) => forgetMemory(client, id),
  });
}

function ignoreNotFound(error: unknown): void {
  if (!isNotFound(error)) throw error;
}
