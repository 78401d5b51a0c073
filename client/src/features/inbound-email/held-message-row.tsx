import { useId, useState } from 'react';
import type { HeldMessage } from '#shared/inbound-email';
import { formatAge } from '../../lib/dates.ts';
import { Button } from '../../ui/button.tsx';
import { formatExpiry, formatPhotoCount, formatSender } from './held-message-format.ts';
import { HeldMessagePhotos } from './held-message-photos.tsx';

export function heldMessageRowId({ id }: Pick<HeldMessage, 'id'>): string {
  return `held-${id}`;
}

interface HeldMessageRowProps {
  message: HeldMessage;
  /** @returns an error message if the sender cannot be allowed */
  onAccept: (allowSender: boolean) => Promise<string | undefined>;
  onDiscard: () => void;
}

export function HeldMessageRow({ message, onAccept, onDiscard }: HeldMessageRowProps) {
  const id = useId();
  const [showsPhotos, setShowsPhotos] = useState(false);
  const [allowSender, setAllowSender] = useState(false);
  const [isAccepting, setAccepting] = useState(false);
  const [error, setError] = useState<string>();
  const accept = async () => {
    setAccepting(true);
    setError(await onAccept(allowSender));
    setAccepting(false);
  };
  return (
    <li
      id={heldMessageRowId(message)}
      tabIndex={-1}
      className="grid items-start gap-x-8 gap-y-3 py-4 outline-none sm:grid-cols-[minmax(0,1fr)_auto]"
    >
      <div className="min-w-0">
        <h3 id={id} className="line-clamp-6 font-sans text-body font-semibold tracking-normal wrap-anywhere">
          <bdi>{formatSender(message)}</bdi>
        </h3>
        <p className="line-clamp-2 wrap-anywhere">
          <bdi>{message.subject || 'No subject'}</bdi>
        </p>
        <p className="text-small text-muted tabular-nums">
          {formatPhotoCount(message)} ·{' '}
          <span className="whitespace-nowrap">{formatAge(message.createdAt)}</span> ·{' '}
          <span className="whitespace-nowrap">{formatExpiry(message)}</span>
        </p>
        {!message.isSenderProven && (
          <p className="mt-1 text-small text-danger">We could not verify this sender.</p>
        )}
        <Button
          variant="quiet"
          size="small"
          className="px-0"
          aria-expanded={showsPhotos}
          aria-describedby={id}
          onClick={() => setShowsPhotos(!showsPhotos)}
        >
          {showsPhotos ? 'Hide' : 'Show'} {message.photoCount === 1 ? 'photo' : 'photos'}
        </Button>
        {showsPhotos && (
          <div className="mt-1 mb-2">
            <HeldMessagePhotos message={message} />
          </div>
        )}
        {message.isSenderProven && (
          <label className="-ml-3 flex min-h-11 w-fit items-center gap-2.5 px-3 text-small">
            <input
              type="checkbox"
              aria-describedby={id}
              checked={allowSender}
              onChange={(event) => {
                setAllowSender(event.target.checked);
                setError(undefined);
              }}
              className="size-4.5 flex-none accent-accent"
            />
            Always accept from this sender
          </label>
        )}
        {error && (
          <p role="alert" className="text-small text-danger">
            {error}
          </p>
        )}
      </div>
      <div className="flex gap-2 max-sm:*:flex-1">
        <Button
          variant="secondary"
          aria-describedby={id}
          // Ignore the second click of a double click: it would hit the row that replaces this one.
          onClick={({ detail }) => detail < 2 && void accept()}
          isPending={isAccepting}
          pendingText="Accepting..."
        >
          Accept
        </Button>
        <Button variant="quiet" aria-describedby={id} onClick={() => !isAccepting && onDiscard()}>
          Discard
        </Button>
      </div>
    </li>
  );
}
