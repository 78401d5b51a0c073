import type { Memory } from '#shared/memory';
import { isLostSession } from '../../lib/lost-session.ts';
import { showToast } from '../../ui/toast-store.ts';
import { useUpdateMemory, type MemoryChanges } from './memory-api.ts';

/** Loving and editing, with their notices. */
export function useMemoryActions() {
  const { mutate } = useUpdateMemory();
  const toggleLike = (memory: Memory) =>
    mutate({ memory, changes: { isLiked: !memory.isLiked } }, { onError: showFailure });
  const save = (memory: Memory, changes: MemoryChanges, onFailed: () => void) =>
    mutate(
      { memory, changes },
      {
        onSuccess: () =>
          showToast({
            title: 'Memory Updated',
            description: 'Your memory has been successfully updated!',
            variant: 'success',
          }),
        onError: (error) => {
          onFailed();
          showFailure(error);
        },
      },
    );
  return { toggleLike, save };
}

/** A lost session has its own notice. */
function showFailure(error: unknown): void {
  if (isLostSession(error)) return;
  showToast({ title: 'Error', description: 'Failed to update memory', variant: 'destructive' });
}
