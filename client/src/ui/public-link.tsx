import { useRef, useState, type RefObject } from 'react';
import { Button } from './button.tsx';
import { ConfirmDialog } from './confirm-dialog.tsx';
import { showFailure } from './show-failure.ts';
import { showToast } from './toast-store.ts';

interface PublicLinkProps {
  url: string | null;
  /** What whoever has the link sees. */
  shows: 'photo' | 'caricature';
  onStop: () => Promise<unknown>;
  isStopping: boolean;
  /** Where the focus goes once it is not shared any more. */
  shareButton: RefObject<HTMLElement | null>;
}

/** The public link of a picture, and its end. Nothing while it is not shared. */
export function PublicLink({ url, shows, onStop, isStopping, shareButton }: PublicLinkProps) {
  const [isAsking, setAsking] = useState(false);
  const returnFocusTo = useRef<HTMLElement>(null);

  const ask = (button: HTMLElement) => {
    returnFocusTo.current = button;
    setAsking(true);
  };
  const stop = async () => {
    try {
      await onStop();
    } catch (error) {
      showFailure(error, 'Error', 'Failed to stop sharing');
      return;
    }
    returnFocusTo.current = shareButton.current;
    setAsking(false);
    showToast({ title: 'No longer shared' });
  };

  return (
    <>
      {url && (
        <section aria-label="Shared" className="border-t border-hairline pt-4 text-small">
          <p>Shared. Anyone with this link can see the {shows}.</p>
          <a
            href={url}
            target="_blank"
            rel="noopener"
            className="flex min-h-11 items-center text-muted underline hover:text-ink"
          >
            <span className="truncate">{url}</span>
            <span className="sr-only"> (opens in a new tab)</span>
          </a>
          <Button
            variant="quiet"
            size="small"
            className="-ml-2"
            onClick={({ currentTarget }) => ask(currentTarget)}
          >
            Stop sharing
          </Button>
        </section>
      )}
      <ConfirmDialog
        isOpen={isAsking}
        title={`Stop sharing this ${shows}?`}
        description="The link will stop working for everyone who has it. Sharing it again creates a new one."
        confirmText="Stop sharing"
        pendingText="Stopping..."
        isPending={isStopping}
        onConfirm={() => void stop()}
        onCancel={() => setAsking(false)}
        returnFocusTo={returnFocusTo}
      />
    </>
  );
}
