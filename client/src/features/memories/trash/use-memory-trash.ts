import { useCallback } from 'react';
import { useQueryClient } from '@tanstack/react-query';
import type { Memory } from '#shared/album/memory';
import { isLostSession, isNotFound } from '../../../lib/api/api-client.ts';
import { showError, showFailure } from '../../../ui/toasts/show-error.ts';
import { showSuccess } from '../../../ui/toasts/toast-store.ts';
import { useDeleteMemory, useRestoreMemory } from '../store/memory-mutations.ts';
import { UndoOffer } from './undo-toast.ts';

/** One toast for all memories that are deleted while it is shown. */
let offer: UndoOffer | null = null;

export const NOT_DELETED = 'Failed to delete memory';

/** Moves a memory to the trash without confirmation, since it can be undone. */
export function useMoveToTrash() {
  const client = useQueryClient();
  const { mutateAsync: deleteMemory } = useDeleteMemory();
  const restore = useRestore();
  return useCallback(
    (memory: Memory): void => {
      const undoable = offer?.ids ?? [];
      if (undoable.includes(memory.id)) return;
      offer?.end();
      offer = new UndoOffer(client, [...undoable, memory.id], {
        title: (count) => (count === 1 ? 'Memory deleted' : `${count} memories deleted`),
        onUndo: (ids) => void Promise.all(ids.map(restore)).then(showRestoreResults),
      });
      deleteMemory(memory).catch((error: unknown) => {
        showError(error, NOT_DELETED, 'It is still in your album. Please try again.', {
          showsServerMessage: false,
        });
      });
    },
    [client, deleteMemory, restore],
  );
}

export function useRestoreFromTrash() {
  const restore = useRestore();
  return ({ id }: Memory): void => void restore(id).then((result) => showRestoreResults([result]));
}

type RestoreResult = 'restored' | { error: unknown };

function useRestore() {
  const { mutateAsync } = useRestoreMemory();
  return useCallback(
    (id: string): Promise<RestoreResult> =>
      mutateAsync({ id }).then(
        () => 'restored' as const,
        (error: unknown) => ({ error }),
      ),
    [mutateAsync],
  );
}

/** One toast for all restored memories. A lost session has its own. */
function showRestoreResults(results: RestoreResult[]): void {
  const errors = results.flatMap((result) => (result === 'restored' ? [] : [result.error]));
  if (errors.some(isLostSession)) return;
  const failed = errors.filter((error) => !isNotFound(error)).length;
  const gone = errors.length - failed;
  if (failed > 0) {
    showFailure(
      `Failed to restore ${failed === 1 ? 'memory' : `${failed} memories`}`,
      `${failed === 1 ? 'It is' : 'They are'} still in Recently deleted, where you can try again.`,
    );
  } else if (gone > 0) {
    showFailure(
      'Too late to restore',
      `${gone === 1 ? 'The memory was' : `${gone} memories were`} deleted for good.`,
    );
  } else {
    const count = results.length;
    showSuccess(count === 1 ? 'Memory restored' : `${count} memories restored`);
  }
}
