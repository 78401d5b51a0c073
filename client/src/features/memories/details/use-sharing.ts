import { useState } from 'react';
import type { Memory } from '#shared/memory';
import { handOn } from '../../../lib/hand-on.ts';
import { nameOf } from '../../../lib/memory-text.ts';
import { showFailure } from '../../../ui/show-failure.ts';
import { showToast } from '../../../ui/toast-store.ts';
import { useShareMemory } from '../../shares/share-api.ts';

/** Makes a memory's link, or takes the one that it has, and hands it on. */
export function useSharing() {
  const { mutateAsync: shareMemory } = useShareMemory();
  const [isSharing, setSharing] = useState(false);
  const share = async (memory: Memory): Promise<void> => {
    // The system's sheet may still be open.
    if (isSharing) return;
    setSharing(true);
    const link = shareMemory(memory.id).then(({ url }) => url);
    try {
      if ((await handOn(link, nameOf(memory))) === 'copied') showCopied();
    } catch (error) {
      const isMade = await link.then(
        () => true,
        () => false,
      );
      if (isMade) showNotCopied();
      else showFailure(error, 'Error', 'Failed to share memory');
    } finally {
      setSharing(false);
    }
  };
  return { share };
}

function showCopied(): void {
  showToast({
    title: 'Link Copied!',
    description: 'Anyone with the link can see this photo.',
    variant: 'success',
  });
}

function showNotCopied(): void {
  showToast({
    title: 'Link created, but it could not be copied',
    description: 'You can find it beside the photo and in your account.',
  });
}
