import type { Memory } from '#shared/memory';
import { showFailure } from '../../../ui/show-failure.ts';
import { showToast } from '../../../ui/toast-store.ts';
import { useUpdateMemory } from '../memory-update-api.ts';
import type { MemoryChanges } from './memory-changes.ts';

/**
 * Loving and editing, with their notices. By promises: the callbacks of `mutate` are forgotten as soon as another
 * change follows.
 */
export function useMemoryActions() {
  const { mutateAsync } = useUpdateMemory();
  const toggleLike = (memory: Memory) => {
    mutateAsync({ memory, changes: { isLiked: !memory.isLiked } }).catch(showUpdateFailure);
  };
  const save = (memory: Memory, changes: MemoryChanges, onFailed: () => void) => {
    mutateAsync({ memory, changes }).then(showSuccess, (error: unknown) => {
      onFailed();
      showUpdateFailure(error);
    });
  };
  return { toggleLike, save };
}

function showSuccess(): void {
  showToast({
    title: 'Memory Updated',
    description: 'Your memory has been successfully updated!',
    variant: 'success',
  });
}

function showUpdateFailure(error: unknown): void {
  showFailure(error, 'Error', 'Failed to update memory', { showsServerMessage: false });
}
