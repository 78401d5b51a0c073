import { useCallback } from 'react';
import { TRASH_DAYS, type Memory } from '#shared/memory';
import { isLostSession, isNotFound } from '../../../lib/api-client.ts';
import { showError } from '../../../ui/show-error.ts';
import { currentToast, dismissToast, showToast } from '../../../ui/toast-store.ts';
import { useDeleteMemory, useRestoreMemory } from '../store/memory-mutations.ts';

export const NOT_DELETED = 'Failed to delete memory';

/** Moves a memory to the trash without confirmation, since it can be undone. */
export function useMoveToTrash() {
  const { mutateAsync: deleteMemory } = useDeleteMemory();
  const restore = useRestore();
  return useCallback(
    (memory: Memory): void => {
      const undo = (memories: Memory[]) => void Promise.all(memories.map(restore)).then(showRestoreResults);
      if (getUndoable().some(({ id }) => id === memory.id)) return;
      offerUndo([...getUndoable(), memory], undo);
      deleteMemory(memory).catch((error: unknown) => {
        withdrawUndo(memory, undo);
        showError(error, NOT_DELETED, 'It is still in your album. Please try again.', {
          showsServerMessage: false,
        });
      });
    },
    [deleteMemory, restore],
  );
}

export function useRestoreFromTrash() {
  const restore = useRestore();
  return (memory: Memory): void => void restore(memory).then((result) => showRestoreResults([result]));
}

type RestoreResult = 'restored' | { error: unknown };

function useRestore() {
  const { mutateAsync } = useRestoreMemory();
  return useCallback(
    (memory: Memory): Promise<RestoreResult> =>
      mutateAsync(memory).then(
        () => 'restored' as const,
        (error: unknown) => ({ error }),
      ),
    [mutateAsync],
  );
}

type Undo = (memories: Memory[]) => void;

/** The memories that the toast with this id restores. */
let offered: { toastId: number; memories: Memory[] } = { toastId: 0, memories: [] };

function getUndoable(): Memory[] {
  return currentToast()?.id === offered.toastId ? offered.memories : [];
}

/** One toast for all memories that are deleted while it is shown. */
function offerUndo(memories: Memory[], undo: Undo): void {
  const count = memories.length;
  const toastId = showToast({
    title: count === 1 ? 'Memory deleted' : `${count} memories deleted`,
    description: `Kept for ${TRASH_DAYS} days.`,
    action: { name: 'Undo', onPress: () => undo(memories) },
  });
  offered = { toastId, memories };
}

function withdrawUndo({ id }: Memory, undo: Undo): void {
  const before = getUndoable();
  const rest = before.filter((each) => each.id !== id);
  if (rest.length === before.length) return;
  if (rest.length > 0) offerUndo(rest, undo);
  else dismissToast(offered.toastId);
}

/** One toast for all restored memories. A lost session has its own. */
function showRestoreResults(results: RestoreResult[]): void {
  const errors = results.flatMap((result) => (result === 'restored' ? [] : [result.error]));
  if (errors.some(isLostSession)) return;
  const failed = errors.filter((error) => !isNotFound(error)).length;
  const gone = errors.length - failed;
  if (failed > 0) {
    showToast({
      title: `Failed to restore ${failed === 1 ? 'memory' : `${failed} memories`}`,
      description: `${failed === 1 ? 'It is' : 'They are'} still in Recently deleted, where you can try again.`,
      variant: 'destructive',
    });
  } else if (gone > 0) {
    showToast({
      title: 'Too late to restore',
      description: `${gone === 1 ? 'The memory was' : `${gone} memories were`} deleted for good.`,
      variant: 'destructive',
    });
  } else {
    const count = results.length;
    showToast({ title: count === 1 ? 'Memory restored' : `${count} memories restored`, variant: 'success' });
  }
}
