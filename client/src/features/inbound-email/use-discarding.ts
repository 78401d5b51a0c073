import { useState } from 'react';
import type { HeldMessage } from '#shared/inbound-email';
import { isNotFound } from '../../lib/api-client.ts';
import { showFailure } from '../../ui/show-failure.ts';
import { showToast } from '../../ui/toast-store.ts';
import { useDiscardHeldMessage } from './held-message-api.ts';
import { photosIn, senderOf } from './held-message-words.ts';

/** From which button it was asked, and in which row of the list. */
type Question = { message: HeldMessage; from: { button: HTMLElement; place: number } };

/** Asks before a mail is discarded, since nothing brings it back. */
export function useDiscarding(rowInPlace: (place: number) => HTMLElement | null) {
  const [asked, setAsked] = useState<(Question & { isOpen: boolean }) | null>(null);
  const { mutateAsync: discardMessage, isPending } = useDiscardHeldMessage();
  const close = () => setAsked((now) => now && { ...now, isOpen: false });
  const discard = async (message: HeldMessage) => {
    try {
      await discardMessage({ id: message.id });
      showToast({ title: 'Email discarded' });
    } catch (error) {
      showFailure(error, 'Error', 'Failed to discard the email');
      // Decided on elsewhere, its row goes, too.
      if (!isNotFound(error)) return;
    }
    close();
  };
  return {
    ask: (message: HeldMessage, from: Question['from']) => setAsked({ message, from, isOpen: true }),
    question: asked && {
      isOpen: asked.isOpen,
      title: 'Discard this email?',
      description: `${photosIn(asked.message)} from ${senderOf(asked.message)} will be deleted for good. The sender is not notified.`,
      confirmText: 'Discard',
      pendingText: 'Discarding...',
      isPending,
      onConfirm: () => void discard(asked.message),
      onCancel: close,
      returnFocusTo: {
        // Read when it closes: the row may be gone by then.
        get current() {
          const { button, place } = asked.from;
          return button.isConnected ? button : rowInPlace(place);
        },
      },
    },
  };
}
