import { useRef, useState } from 'react';
import type { HeldMessage } from '#shared/inbound-email';
import { isNotFound } from '../../lib/api-client.ts';
import { showFailure } from '../../ui/show-failure.ts';
import { showToast } from '../../ui/toast-store.ts';
import { useDiscardHeldMessage } from './held-message-api.ts';
import { photosIn, senderOf } from './held-message-words.ts';

/** Asks before a mail is discarded, since nothing brings it back. */
export function useDiscarding(neighbourOf: (message: HeldMessage) => HTMLElement | null) {
  const [asked, setAsked] = useState<{ message: HeldMessage; isOpen: boolean } | null>(null);
  const returnFocusTo = useRef<HTMLElement>(null);
  const { mutateAsync: discardMessage, isPending } = useDiscardHeldMessage();
  const close = () => setAsked((now) => now && { ...now, isOpen: false });
  const discard = async (message: HeldMessage) => {
    const neighbour = neighbourOf(message);
    try {
      await discardMessage({ id: message.id });
      showToast({ title: 'E-mail discarded' });
    } catch (error) {
      showFailure(error, 'Error', 'Failed to discard the e-mail');
      // Decided on elsewhere, its row goes, too.
      if (!isNotFound(error)) return;
    }
    returnFocusTo.current = neighbour;
    close();
  };
  return {
    ask: (message: HeldMessage, button: HTMLElement) => {
      returnFocusTo.current = button;
      setAsked({ message, isOpen: true });
    },
    question: asked && {
      isOpen: asked.isOpen,
      title: 'Discard this e-mail?',
      description: `${photosIn(asked.message)} from ${senderOf(asked.message)} will be gone, and can't be brought back. The sender is not told.`,
      confirmText: 'Discard',
      pendingText: 'Discarding...',
      isPending,
      onConfirm: () => void discard(asked.message),
      onCancel: close,
      returnFocusTo,
    },
  };
}
