import { useMutation, useQueryClient, type QueryClient } from '@tanstack/react-query';
import { Memory, type CompleteUploadRequest } from '#shared/memory';
import { apiDelete, apiPatch, apiPost, isNotFound } from '../../../lib/api-client.ts';
import type { MemoryChanges } from '../details/memory-changes.ts';
import { invalidateFacts } from './memory-facts.ts';
import { affectsMembership, affectsOrder, invalidateLists, type MemoryFilter } from './memory-lists.ts';
import { changeMemory, forgetMemory, MEMORIES, storeMemory, tick } from './memory-store.ts';

const PETS = '/api/pets';
/** One after the other, in the order in which they were made: the last one wins. */
const scope = { id: 'memory-changes' };

export const isTrash = ({ isDeleted }: MemoryFilter) => isDeleted === true;
const isAlbum = (filter: MemoryFilter) => !isTrash(filter);

/** Turns an uploaded photo into a memory. */
export function useCompleteUpload() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (request: CompleteUploadRequest) => apiPost(`${MEMORIES}/complete-upload`, request, Memory),
    onSuccess: (memory) => {
      storeMemory(client, memory.id, memory, tick());
      memoriesCameOrWent(client);
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
    onSuccess: (memory, { changes }, settle) => {
      settle(memory);
      refreshAfterChange(client, new Set(Object.keys(changes)));
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
    onSettled: () => {
      // The lists leave it out already.
      invalidateFacts(client);
      invalidateLists(client, isTrash);
    },
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
      memoriesCameOrWent(client);
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

export function memoriesCameOrWent(client: QueryClient): void {
  invalidateFacts(client);
  invalidateLists(client, isAlbum);
  invalidateLists(client, isTrash);
}

/** @param changed names of the fields that changed */
export function refreshAfterChange(client: QueryClient, changed: ReadonlySet<string>): void {
  invalidateLists(client, (filter) => affectsMembership(filter, changed) || affectsOrder(filter, changed));
  if (changed.has('memoryDate') || changed.has('memoryTime')) invalidateFacts(client);
}

function ignoreNotFound(error: unknown): void {
  if (!isNotFound(error)) throw error;
}
