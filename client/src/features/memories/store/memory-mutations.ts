import { useCallback } from 'react';
import { notifyManager, useMutation, useQueryClient, type QueryClient } from '@tanstack/react-query';
import { BulkEditResult, type BulkEditRequest } from '#shared/album/bulk-edit';
import { CompletedUpload, MAX_MEMORY_IDS, Memory, type CompleteUploadRequest } from '#shared/album/memory';
import { parseTags } from '#shared/text/tags';
import {
  apiDelete,
  apiPatch,
  apiPost,
  apiPostEmpty,
  ignoreNotFound,
  isNotFound,
} from '../../../lib/api/api-client.ts';
import { showError } from '../../../ui/toasts/show-error.ts';
import { showSuccess } from '../../../ui/toasts/toast-store.ts';
import type { MemoryChanges } from './memory-changes.ts';
import { invalidate, invalidateAffectedBy } from './memory-lists.ts';
import {
  changeMemory,
  setMemoryGone,
  loadMemories,
  MEMORIES,
  getMemory,
  getRecord,
  storeMemory,
  tick,
  type StoredChanges,
} from './memory-store.ts';

/** Sends a change of a memory, applied optimistically and rolled back on error. */
function useOptimisticChange<Target extends { id: string }>(
  send: (target: Target, client: QueryClient) => Promise<Memory | void>,
  toChanges: (target: Target) => StoredChanges,
) {
  const client = useQueryClient();
  return useMutation({
    // In order, so that the last change wins.
    scope: { id: 'memory-changes' },
    mutationFn: (target: Target) => send(target, client),
    onMutate: (target) => changeMemory(client, target.id, toChanges(target)),
    onSuccess: (memory, { id }, finish) => {
      finish(memory ?? 'saved');
      invalidateAffectedBy(client, [id]);
    },
    onError: (_error, _target, finish) => finish?.('failed'),
  });
}

/** Creates a memory from an upload and refetches lists and stats. */
export function useCompleteUpload() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (request: CompleteUploadRequest) =>
      apiPost(`${MEMORIES}/complete-upload`, request, CompletedUpload),
    onSuccess: ({ before: _, ...memory }) => {
      storeMemory(client, memory.id, memory, tick());
      invalidate(client, () => true);
    },
  });
}

export function useUpdateMemory() {
  return useOptimisticChange(
    ({ id, changes }: { id: string; changes: MemoryChanges }, client) =>
      apiPatch(`${MEMORIES}/${id}`, changes, Memory).catch((error: unknown) => {
        // The pet may have been deleted elsewhere.
        if (changes.petId) void client.invalidateQueries({ queryKey: ['/api/pets'] });
        throw error;
      }),
    ({ changes }) => changes,
  );
}

/** With toasts. Uses promises, because a later `mutate` drops the callbacks of the earlier ones. */
export function useMemoryUpdates() {
  const { mutateAsync } = useUpdateMemory();
  const toggleLike = useCallback(
    ({ id, isLiked }: Memory) => {
      mutateAsync({ id, changes: { isLiked: !isLiked } }).catch(showUpdateError);
    },
    [mutateAsync],
  );
  const save = ({ id }: Memory, changes: MemoryChanges, onFailed: () => void) => {
    mutateAsync({ id, changes }).then(
      () => showSuccess('Memory Updated', 'Your memory has been successfully updated!'),
      (error: unknown) => {
        onFailed();
        showUpdateError(error);
      },
    );
  };
  return { toggleLike, save };
}

const showUpdateError = (error: unknown) =>
  showError(error, 'Error', 'Failed to update memory', { showsServerMessage: false });

/** Moves a memory to the trash. Idempotent. */
export function useDeleteMemory() {
  return useOptimisticChange(
    ({ id }: Memory) => apiDelete(`${MEMORIES}/${id}`).catch(ignoreNotFound),
    () => ({ deletedAt: new Date().toISOString() }),
  );
}

export function useRestoreMemory() {
  return useOptimisticChange(
    ({ id }: { id: string }, client) =>
      apiPost(`${MEMORIES}/${id}/restore`, undefined, Memory).catch((error: unknown) => {
        if (isNotFound(error)) setMemoryGone(client, id);
        throw error;
      }),
    () => ({ deletedAt: null }),
  );
}

export type BulkEdit = BulkEditRequest['edits'][number];

/** Sends a change of many memories in one call, applied optimistically to all and rolled back on error. */
function useOptimisticBulkChange<Target, Result extends { memories: Memory[] } | void>(
  send: (target: Target) => Promise<Result>,
  toChanges: (target: Target) => [id: string, changes: StoredChanges][],
) {
  const client = useQueryClient();
  return useMutation({
    scope: { id: 'memory-changes' },
    mutationFn: send,
    onMutate: (target) =>
      notifyManager.batch(() =>
        toChanges(target).map(([id, changes]) => ({ id, finish: changeMemory(client, id, changes) })),
      ),
    onSuccess: (result, _target, changed) => {
      const byId = new Map(result?.memories.map((memory) => [memory.id, memory]));
      notifyManager.batch(() => changed.forEach(({ id, finish }) => finish(byId.get(id) ?? 'saved')));
      invalidateAffectedBy(
        client,
        changed.map(({ id }) => id),
      );
    },
    onError: (_error, _target, changed) =>
      notifyManager.batch(() => changed?.forEach(({ finish }) => finish('failed'))),
  });
}

export function useEditMemories() {
  const client = useQueryClient();
  return useOptimisticBulkChange(
    (request: BulkEditRequest) => apiPatch(MEMORIES, request, BulkEditResult),
    ({ edits }) =>
      edits.flatMap((edit) =>
        edit.ids.map((id): [string, StoredChanges] => [id, toStoredChanges(edit, getMemory(client, id))]),
      ),
  );
}

function toStoredChanges(
  { petId, memoryDate, addTags, removeTags }: BulkEdit,
  memory?: Memory | null,
): StoredChanges {
  const changes: StoredChanges = {};
  if (petId !== undefined) changes.petId = petId;
  if (memoryDate !== undefined) changes.memoryDate = memoryDate;
  if (addTags !== undefined || removeTags !== undefined) {
    const removed = new Set(toTags(removeTags ?? []));
    const kept = (memory?.tags ?? []).filter((tag) => !removed.has(tag));
    changes.tags = [...new Set([...kept, ...toTags(addTags ?? [])])];
  }
  return changes;
}

const toTags = (tags: string | string[]): string[] => (typeof tags === 'string' ? parseTags(tags) : tags);

export function useDeleteMemories() {
  return useOptimisticBulkChange(
    (ids: readonly string[]) => apiPostEmpty(`${MEMORIES}/deleted`, { ids }),
    (ids) => ids.map((id) => [id, { deletedAt: new Date().toISOString() }]),
  );
}

export function useRestoreMemories() {
  return useOptimisticBulkChange(
    (ids: readonly string[]) => apiPostEmpty(`${MEMORIES}/deleted/restore`, { ids }),
    (ids) => ids.map((id) => [id, { deletedAt: null }]),
  );
}

/** Deletes a memory in the trash permanently. Idempotent. */
export function usePurgeMemory() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: ({ id }: Memory) => apiDelete(`${MEMORIES}/deleted/${id}`).catch(ignoreNotFound),
    onSuccess: (_, { id }) => setMemoryGone(client, id),
  });
}

/** After a local change the refetched memory equals the cached one, so nothing renders again. @throws ApiError */
export async function refetchMemories(client: QueryClient, ids: string[]): Promise<void> {
  const isDisplayed = client.getQueryCache().findAll({ queryKey: [MEMORIES], type: 'active' }).length > 0;
  if (!isDisplayed || ids.length > MAX_MEMORY_IDS) return refetchAllMemories(client);
  const isNew = ids.some((id) => !getRecord(client, id));
  await loadMemories(client, ids);
  if (isNew) invalidate(client, () => true);
  else invalidateAffectedBy(client, ids);
}

export function refetchAllMemories(client: QueryClient): Promise<void> {
  return client.invalidateQueries({ queryKey: [MEMORIES] }, { throwOnError: true, cancelRefetch: false });
}
