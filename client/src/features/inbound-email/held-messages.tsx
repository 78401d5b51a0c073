import { useState } from 'react';
import { flushSync } from 'react-dom';
import { Link } from 'wouter';
import type { HeldMessage } from '#shared/inbound-email';
import { fieldMessage, isNotFound } from '../../lib/api-client.ts';
import { paths } from '../../lib/paths.ts';
import { Button } from '../../ui/button.tsx';
import { showError } from '../../ui/show-error.ts';
import { showToast } from '../../ui/toast-store.ts';
import { useConfirm } from '../../ui/use-confirm.tsx';
import { useAcceptHeldMessage, useDiscardHeldMessage, useHeldMessages } from './held-message-api.ts';
import { heldMessageRowId, HeldMessageRow } from './held-message-row.tsx';
import { formatPhotoCount, formatSender } from './held-message-format.ts';

/** The gallery below should stay in view. */
const INITIAL_COUNT = 2;
const NONE: HeldMessage[] = [];

/** Emailed photos from unknown senders. Renders nothing while there are none. */
export function HeldMessages() {
  const { data: messages = NONE } = useHeldMessages();
  const [showsAll, setShowsAll] = useState(false);
  const shown = showsAll ? messages : messages.slice(0, INITIAL_COUNT);
  const accept = useAccept();
  const askToDiscard = useDiscard();
  const showAll = () => {
    flushSync(() => setShowsAll(true));
    const first = messages[INITIAL_COUNT];
    if (first) document.getElementById(heldMessageRowId(first))?.focus();
  };

  return (
    <>
      <p role="status" className="sr-only">
        {messages.length > 0 && `${formatEmailCount(messages.length)} with photos waiting for your OK.`}
      </p>
      {messages.length > 0 && (
        <section
          aria-labelledby="held-messages"
          className="mb-6 animate-fade-in border-b border-hairline pb-1"
        >
          <h2 id="held-messages" className="text-lead">
            Waiting for your OK
          </h2>
          <p className="mt-1 text-small text-muted">
            Someone sent these to your address. They are added to your album only if you accept them.{' '}
            <Link href={paths.phoneVerification} className="underline underline-offset-4 hover:text-ink">
              Who may send
            </Link>
          </p>
          <ul className="divide-y divide-hairline">
            {shown.map((message) => (
              <HeldMessageRow
                key={message.id}
                message={message}
                onAccept={(allowSender) => accept(message, allowSender)}
                onDiscard={() => void askToDiscard(message)}
              />
            ))}
          </ul>
          {messages.length > shown.length && (
            <Button variant="quiet" className="px-0" onClick={showAll}>
              Show all {formatEmailCount(messages.length)}
            </Button>
          )}
        </section>
      )}
    </>
  );
}

function useAccept() {
  const { mutateAsync: acceptMessage } = useAcceptHeldMessage();
  return async (message: HeldMessage, allowSender: boolean) => {
    try {
      await acceptMessage({ id: message.id, allowSender });
    } catch (error) {
      const message = fieldMessage(error, 'allowSender');
      if (!message) showError(error, 'Error', 'Failed to accept the photos');
      return message;
    }
    showToast({
      title: 'Accepted',
      description: `${formatPhotoCount(message)} will appear in your album shortly.`,
      variant: 'success',
    });
    return undefined;
  };
}

function useDiscard() {
  const confirm = useConfirm();
  const { mutateAsync: discardMessage } = useDiscardHeldMessage();
  const errorToast = ['Error', 'Failed to discard the email'] as const;
  return (message: HeldMessage) =>
    confirm({
      title: 'Discard this email?',
      description: `${formatPhotoCount(message)} from ${formatSender(message)} will be deleted for good. The sender is not notified.`,
      confirmText: 'Discard',
      pendingText: 'Discarding...',
      errorToast,
      onConfirm: async () => {
        try {
          await discardMessage({ id: message.id });
          showToast({ title: 'Email discarded' });
        } catch (error) {
          // It was accepted or discarded elsewhere: the row disappears.
          if (!isNotFound(error)) throw error;
          showError(error, ...errorToast);
        }
      },
    });
}

function formatEmailCount(count: number): string {
  return count === 1 ? '1 email' : `${count} emails`;
}
