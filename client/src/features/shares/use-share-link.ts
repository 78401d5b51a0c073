import { useCallback, useRef } from 'react';
import type { Memory } from '#shared/album/memory';
import { shareLink } from '../../lib/browser/system-share.ts';
import { LINK_NOT_COPIED } from '../../ui/links/copy-link.ts';
import { showError } from '../../ui/toasts/show-error.ts';
import { showSuccess, showToast } from '../../ui/toasts/toast-store.ts';
import { memoryTitle } from '../../lib/memory-title.ts';
import { useShareMemory } from './share-api.ts';

export function useShareLink() {
  const { mutateAsync: shareMemory } = useShareMemory();
  const isSharing = useRef(false);
  return useCallback(
    (memory: Memory): void => {
      // The share sheet may still be open.
      if (isSharing.current) return;
      isSharing.current = true;
      const link = shareMemory(memory.id).then(({ url }) => url);
      void showLink(memory, link).finally(() => (isSharing.current = false));
    },
    [shareMemory],
  );
}

async function showLink(memory: Memory, link: Promise<string>): Promise<void> {
  try {
    if ((await shareLink(link, memoryTitle(memory))) === 'copied')
      showSuccess('Link Copied!', 'Anyone with the link can see this photo.');
  } catch (error) {
    const isCreated = await link.then(
      () => true,
      () => false,
    );
    if (isCreated)
      showToast({
        title: LINK_NOT_COPIED,
        description: 'You can find it beside the photo and in your account.',
      });
    else showError(error, 'Error', 'Failed to share memory');
  }
}
