import { useRef, useState, type RefObject } from 'react';
import type { Memory } from '#shared/memory';
import { Button } from '../../../ui/button.tsx';
import { ConfirmDialog } from '../../../ui/confirm-dialog.tsx';
import { showFailure } from '../../../ui/show-failure.ts';
import { showToast } from '../../../ui/toast-store.ts';
import { useMemoryShare, useUnshareMemory } from '../../shares/share-api.ts';

interface MemoryLinkProps {
  memory: Memory;
  /** Where the focus goes once it is not shared any more. */
  shareButton: RefObject<HTMLElement | null>;
}

/** The link that its owner has made of a memory, and its end. Nothing while it is not shared. */
export function MemoryLink({ memory, shareButton }: MemoryLinkProps) {
  const { data: share } = useMemoryShare(memory.id);
  const { mutateAsync: unshare, isPending } = useUnshareMemory();
  const [isAsking, setAsking] = useState(false);
  const returnFocusTo = useRef<HTMLElement>(null);

  const ask = (button: HTMLElement) => {
    returnFocusTo.current = button;
    setAsking(true);
  };
  const stop = async () => {
    try {
      await unshare(memory.id);
    } catch (error) {
      showFailure(error, 'Error', 'Failed to stop sharing');
      return;
    }
    returnFocusTo.current = shareButton.current;
    setAsking(false);
    showToast({ title: 'Not shared any more' });
  };

  return (
    <>
      {share?.url && (
        <section aria-label="Shared" className="border-t border-hairline pt-4 text-small">
          <p>Shared: whoever has this link sees the photo.</p>
          <a
            href={share.url}
            target="_blank"
            rel="noopener"
            className="flex min-h-11 items-center text-muted underline hover:text-ink"
          >
            <span className="truncate">{share.url}</span>
            <span className="sr-only"> (opens in a new tab)</span>
          </a>
          <Button
            variant="quiet"
            className="-ml-2 px-2! text-small!"
            onClick={({ currentTarget }) => ask(currentTarget)}
          >
            Stop sharing
          </Button>
        </section>
      )}
      <ConfirmDialog
        isOpen={isAsking}
        title="Stop sharing this photo?"
        description="The link ends for everyone who has it. Sharing it again makes another one."
        confirmText="Stop sharing"
        pendingText="Stopping..."
        isPending={isPending}
        onConfirm={() => void stop()}
        onCancel={() => setAsking(false)}
        returnFocusTo={returnFocusTo}
      />
    </>
  );
}
