import { useState } from 'react';
import type { Memory } from '#shared/memory';
import { shareLink } from '../../lib/system-share.ts';
import { showError } from '../../ui/show-error.ts';
import { showToast } from '../../ui/toast-store.ts';
import { memoryTitle } from '../memories/memory-text.ts';
import { useShareMemory } from './share-api.ts';

export function useShareLink() {
  const { mutateAsync: shareMemory } = useShareMemory();
  const [isSharing, setSharing] = useState(false);
  const share = async (memory: Memory) => {
    // The share sheet may still be open.
    if (isSharing) return;
    setSharing(true);
    const link = shareMemory(memory.id).then(({ url }) => url);
    try {
      if ((await shareLink(link, memoryTitle(memory))) === 'copied')
        showToast({
          title: 'Link Copied!',
          description: 'Anyone with the link can see this photo.',
          variant: 'success',
        });
    } catch (error) {
      const isCreated = await link.then(
        () => true,
        () => false,
      );
      if (isCreated)
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
