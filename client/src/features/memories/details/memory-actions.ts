import { useState } from 'react';
import type { Memory } from '#shared/memory';
import { handOn } from '../../../lib/hand-on.ts';
import { nameOf } from '../../../lib/memory-text.ts';
import { showError } from '../../../ui/show-error.ts';
import { showToast } from '../../../ui/toast-store.ts';
import { useShareMemory } from '../../shares/share-api.ts';
import { useUpdateMemory } from '../store/memory-mutations.ts';
import type { MemoryChanges } from './memory-changes.ts';

/** By promises: the callbacks of `mutate` are forgotten as soon as another change follows. */
export function useMemoryUpdates() {
  const { mutateAsync } = useUpdateMemory();
  const showUpdateFailure = (error: unknown) =>
    showError(error, 'Error', 'Failed to update memory', { showsServerMessage: false });
  const toggleLike = ({ id, isLiked }: Memory) => {
    mutateAsync({ id, changes: { isLiked: !isLiked } }).catch(showUpdateFailure);
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
        showUpdateFailure(error);
      },
    );
  };
  return { toggleLike, save };
}

/** Creates a memory's link, or takes the one that it has, and hands it on. */
export function useSharing() {
  const { mutateAsync: shareMemory } = useShareMemory();
  const [isSharing, setSharing] = useState(false);
  const share = async (memory: Memory) => {
    // The system's sheet may still be open.
    if (isSharing) return;
    setSharing(true);
    const link = shareMemory(memory.id).then(({ url }) => url);
    try {
      if ((await handOn(link, nameOf(memory))) === 'copied')
        showToast({
          title: 'Link Copied!',
          description: 'Anyone with the link can see this photo.',
          variant: 'success',
        });
    } catch (error) {
      const isMade = await link.then(
        () => true,
        () => false,
      );
      if (isMade)
        showToast({
          title: 'Link created, but it could not be copied',
          description: 'You can find it beside the photo and in your account.',
        });
      else showError(error, 'Error', 'Failed to share memory');
    } finally {
      setSharing(false);
    }
  };
  return (memory: Memory): void => void share(memory);
}
