import { useQueryClient } from '@tanstack/react-query';
import { showError } from '../../../ui/toasts/show-error.ts';
import { showSuccess, showToast } from '../../../ui/toasts/toast-store.ts';
import {
  useDeleteMemories,
  useEditMemories,
  useRestoreMemories,
  type BulkEdit,
} from '../store/memory-mutations.ts';
import { UndoOffer } from '../trash/undo-toast.ts';

/** A change of all selected memories. */
export type BulkChanges = Pick<BulkEdit, 'petId' | 'addTags' | 'memoryDate'>;

const FAILED = { edit: 'Failed to update memories', delete: 'Failed to delete memories' };

/** Each changes all of the memories or none, with one toast for Undo. */
export function useBulkChanges() {
  const client = useQueryClient();
  const { mutateAsync: edit } = useEditMemories();
  const { mutateAsync: trash } = useDeleteMemories();
  const { mutateAsync: restore } = useRestoreMemories();

  const showNothingChanged = (title: string, error: unknown) =>
    showError(error, title, 'Nothing was changed. Please try again.', { showsServerMessage: false });

  return {
    change: (ids: readonly string[], changes: BulkChanges): void => {
      edit({ edits: [{ ids: [...ids], ...changes }] }).then(
        ({ undo }) =>
          showToast({
            title: `${countMemories(ids.length)} updated`,
            variant: 'success',
            action: {
              name: 'Undo',
              onPress: () =>
                void edit({ edits: undo, ignoresMissing: true }).then(
                  () => showSuccess('Change undone'),
                  (error: unknown) => showNothingChanged(FAILED.edit, error),
                ),
            },
          }),
        (error: unknown) => showNothingChanged(FAILED.edit, error),
      );
    },

    remove: (ids: readonly string[]): void => {
      trash(ids).then(
        () =>
          new UndoOffer(client, ids, {
            title: (count) => `${countMemories(count)} deleted`,
            onUndo: (undone) =>
              void restore(undone).then(
                () => showSuccess(`${countMemories(undone.length)} restored`),
                (error: unknown) => showNothingChanged('Failed to restore memories', error),
              ),
          }),
        (error: unknown) => showNothingChanged(FAILED.delete, error),
      );
    },
  };
}

export function countMemories(count: number): string {
  return count === 1 ? '1 memory' : `${count.toLocaleString('en')} memories`;
}
