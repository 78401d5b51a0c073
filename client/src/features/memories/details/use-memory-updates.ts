import type { Memory } from '#shared/memory';
import { showError } from '../../../ui/show-error.ts';
import { showToast } from '../../../ui/toast-store.ts';
import { useUpdateMemory } from '../store/memory-mutations.ts';
import type { MemoryChanges } from './memory-changes.ts';

/** Uses promises, because a later `mutate` drops the callbacks of the earlier ones. */
export function useMemoryUpdates() {
  const { mutateAsync } = useUpdateMemory();
  const showUpdateError = (error: unknown) =>
    showError(error, 'Error', 'Failed to update memory', { showsServerMessage: false });
  const toggleLike = ({ id, isLiked }: Memory) => {
    mutateAsync({ id, changes: { isLiked: !isLiked } }).catch(showUpdateError);
  };
  const save = ({ id }: Memory, changes: MemoryChanges, onFailed: () => void) => {
    mutateAsync({ id, changes }).then(
      () =>
        showToast({
          title: 'Memory Updated',
          description: 'Your memory has been successfully updated!',
          variant: 'success',
        }),
      (error: unknown) => {
        onFailed();
        showUpdateError(error);
      },
    );
  };
  return { toggleLike, save };
}
