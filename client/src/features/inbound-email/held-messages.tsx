import { ChevronLeft, ChevronRight, Mail } from 'lucide-react';
import { useState, type ReactNode } from 'react';
import { Link } from 'wouter';
import type { Contact } from '#shared/album/contact';
import type { HeldMessage } from '#shared/transfers/inbound-email';
import { fieldMessage, isNotFound } from '../../lib/api/api-client.ts';
import { paths } from '../../lib/routing/paths.ts';
import { IconButton } from '../../ui/buttons/icon-button.tsx';
import { Dialog } from '../../ui/dialogs/dialog.tsx';
import { useConfirm } from '../../ui/dialogs/use-confirm.tsx';
import { LoadError } from '../../ui/error-notice.tsx';
import { showError } from '../../ui/toasts/show-error.ts';
import { showSuccess, showToast } from '../../ui/toasts/toast-store.ts';
import { useContacts } from '../contacts/contact-api.ts';
import { usePets } from '../pets/pet-api.ts';
import {
  useAcceptHeldMessage,
  useDiscardHeldMessage,
  useHeldMessages,
  type AcceptRequest,
} from './held-message-api.ts';
import { formatEmailCount, formatPhotoCount, formatSender } from './held-message-format.ts';
import { HeldMessageReview } from './held-message-review.tsx';

const NONE: HeldMessage[] = [];

/** One line about emailed photos from unknown senders, 44 px high; `otherwise` has the same place while there are none. */
export function HeldMessages({ otherwise }: { otherwise: ReactNode }) {
  const { data: messages = NONE, isPending } = useHeldMessages();
  const [isOpen, setOpen] = useState(false);
  const count = messages.length;
  // The closing dialog keeps its height.
  const [reviewed, setReviewed] = useState(NONE);
  if (count > 0 && reviewed !== messages) setReviewed(messages);
  const text = `${formatEmailCount(count)} with photos ${count === 1 ? 'is' : 'are'} waiting`;
  return (
    <>
      <p role="status" className="sr-only">
        {count > 0 && `${text}.`}
      </p>
      {count > 0 && <ContactsPreload />}
      {count > 0 ? (
        <button
          type="button"
          onClick={() => setOpen(true)}
          className="group flex min-h-11 max-w-full items-center gap-2 text-left text-small"
        >
          <Mail aria-hidden className="size-4.5 flex-none text-accent" />
          <span className="truncate tabular-nums">{text}</span>
          <span aria-hidden>·</span>
          <span className="font-semibold text-accent underline-offset-4 group-hover:underline">Review</span>
        </button>
      ) : (
        !isPending && otherwise
      )}
      <Dialog
        isOpen={isOpen && count > 0}
        onClose={() => setOpen(false)}
        title="Waiting for your OK"
        description="Someone sent this to your address for photos."
        className="sm:max-w-lg"
        focusesItself
      >
        <Review messages={reviewed} />
      </Dialog>
    </>
  );
}

/** So that the dialog opens at its full height. */
function ContactsPreload() {
  useContacts();
  return null;
}

function Review({ messages }: { messages: HeldMessage[] }) {
  const [shownId, setShownId] = useState(messages[0]?.id);
  const [lastIndex, setLastIndex] = useState(0);
  const found = messages.findIndex(({ id }) => id === shownId);
  // After a decision the next one has its place.
  const index = found >= 0 ? found : Math.min(lastIndex, messages.length - 1);
  const message = messages[index];
  if (!message) return null;
  const show = (position: number) => {
    setShownId(messages[position]?.id);
    setLastIndex(position);
  };
  if (message.id !== shownId) setShownId(message.id);
  else if (index !== lastIndex) setLastIndex(index);
  return (
    <>
      {messages.length > 1 && <ReviewBar index={index} total={messages.length} onShow={show} />}
      <ReviewedMessage message={message} />
      <p className="mt-2 -mb-3 text-small text-muted">
        <Link
          href={paths.phoneVerification}
          className="inline-flex min-h-11 items-center underline underline-offset-4 hover:text-ink"
        >
          Who may send
        </Link>
      </p>
    </>
  );
}

interface ReviewBarProps {
  index: number;
  total: number;
  onShow: (index: number) => void;
}

function ReviewBar({ index, total, onShow }: ReviewBarProps) {
  const step = (name: string, to: number) => {
    const isThere = to >= 0 && to < total;
    return {
      name,
      tone: 'ink' as const,
      'aria-disabled': !isThere || undefined,
      onClick: () => isThere && onShow(to),
    };
  };
  return (
    <div className="-mb-3 flex items-center gap-1">
      <p className="grow text-small text-muted tabular-nums" role="status">
        Email {index + 1} of {total}
      </p>
      <IconButton {...step('Previous email', index - 1)}>
        <ChevronLeft />
      </IconButton>
      <IconButton {...step('Next email', index + 1)}>
        <ChevronRight />
      </IconButton>
    </div>
  );
}

function ReviewedMessage({ message }: { message: HeldMessage }) {
  const pets = usePets();
  const contacts = useContacts();
  const accept = useAccept();
  const askToDiscard = useDiscard();
  const failed = [pets, contacts].find(({ isLoadingError }) => isLoadingError);
  if (failed)
    return (
      <div className="mt-6">
        <LoadError
          what={failed === pets ? 'Your pets' : 'Your contacts'}
          onRetry={failed.refetch}
          isRetrying={failed.isFetching}
        />
      </div>
    );
  if (!pets.data || !contacts.data)
    return (
      <p role="status" className="mt-6 text-muted">
        Loading...
      </p>
    );
  return (
    <HeldMessageReview
      key={message.id}
      message={message}
      pets={pets.data}
      recipients={contacts.data.filter(isRecipient)}
      onAccept={(request) => accept(message, request)}
      onDiscard={() => void askToDiscard(message)}
    />
  );
}

const isRecipient = ({ isActive, status }: Contact) => isActive && status === 'ok';

function useAccept() {
  const { mutateAsync: acceptMessage } = useAcceptHeldMessage();
  return async (message: HeldMessage, request: AcceptRequest) => {
    try {
      await acceptMessage(request);
    } catch (error) {
      const message = fieldMessage(error, 'allowSender');
      if (!message) showError(error, 'Error', 'Failed to accept the photos');
      return message;
    }
    showSuccess('Accepted', `${formatPhotoCount(message)} will appear in your album shortly.`);
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
          // It was accepted or discarded elsewhere: the next one is shown.
          if (!isNotFound(error)) throw error;
          showError(error, ...errorToast);
        }
      },
    });
}
