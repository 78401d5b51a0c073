import { useEffect, useRef, useState, type ReactNode } from 'react';
import type { Share, ShareAudience } from '#shared/share';
import { Button } from '../../ui/button.tsx';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import { FailureNotice } from '../../ui/failure-notice.tsx';
import { showFailure } from '../../ui/show-failure.ts';
import { Skeleton } from '../../ui/skeleton.tsx';
import { showToast } from '../../ui/toast-store.ts';
import { useRevokeShare, useShares } from './share-api.ts';
import { ShareRow, shareRowId } from './share-row.tsx';

const NONE: Share[] = [];

interface ShareListProps {
  audience: ShareAudience;
  /** Stands there while there is none. */
  empty: ReactNode;
}

export function ShareList({ audience, empty }: ShareListProps) {
  const { data: shares = NONE, isPending, isError, isFetching, refetch, ...pages } = useShares(audience);
  const showMore = useShowMore(shares, pages.fetchNextPage);
  const { ask, question } = useStopSharing(audience, shares);
  return (
    <>
      {isPending ? (
        <ShareListSkeleton />
      ) : isError && shares.length === 0 ? (
        <FailureNotice onRetry={() => void refetch()} isRetrying={isFetching}>
          Your links could not be loaded. Please check your connection and try again.
        </FailureNotice>
      ) : shares.length === 0 ? (
        empty
      ) : (
        <ul className="divide-y divide-hairline">
          {shares.map((share) => (
            <ShareRow key={share.id} share={share} onStop={(button) => ask(share, button)} />
          ))}
        </ul>
      )}
      {pages.isFetchNextPageError ? (
        <FailureNotice onRetry={showMore}>The rest of your links could not be loaded.</FailureNotice>
      ) : (
        pages.hasNextPage && (
          <div className="flex justify-center border-t border-hairline pt-6">
            <Button
              variant="secondary"
              onClick={showMore}
              isPending={pages.isFetchingNextPage}
              pendingText="Loading more..."
            >
              Show more
            </Button>
          </div>
        )
      )}
      {question && <ConfirmDialog {...question} />}
    </>
  );
}

/** The focus goes on to the first one that comes: the button may be gone by then. */
function useShowMore(shares: Share[], fetchNextPage: () => unknown) {
  const awaited = useRef<number | null>(null);
  useEffect(() => {
    const first = awaited.current === null ? undefined : shares[awaited.current];
    if (!first) return;
    awaited.current = null;
    document.getElementById(shareRowId(first))?.focus();
  }, [shares]);
  return () => {
    awaited.current = shares.length;
    void fetchNextPage();
  };
}

/** Asks before a link ends; its row's neighbor takes the focus over. */
function useStopSharing(audience: ShareAudience, shares: Share[]) {
  const [asked, setAsked] = useState<{ share: Share; isOpen: boolean } | null>(null);
  const returnFocusTo = useRef<HTMLElement>(null);
  const { mutateAsync: revoke, isPending } = useRevokeShare(audience);
  const close = () => setAsked((now) => now && { ...now, isOpen: false });
  const stop = async (share: Share) => {
    const neighbor = neighborOf(share, shares);
    try {
      await revoke(share.id);
    } catch (error) {
      showFailure(error, 'Error', 'Failed to stop sharing');
      return;
    }
    returnFocusTo.current = neighbor;
    close();
    showToast({ title: 'No longer shared' });
  };
  return {
    ask: (share: Share, button: HTMLElement) => {
      returnFocusTo.current = button;
      setAsked({ share, isOpen: true });
    },
    question: asked && {
      isOpen: asked.isOpen,
      title: 'Stop sharing this photo?',
      description: whatEnds(asked.share),
      confirmText: 'Stop sharing',
      pendingText: 'Stopping...',
      isPending,
      onConfirm: () => void stop(asked.share),
      onCancel: close,
      returnFocusTo,
    },
  };
}

function whatEnds({ contactName }: Share): string {
  return contactName === null
    ? 'The link will stop working for everyone who has it.'
    : `The link in the email to ${contactName} will stop working. The photo in the email stays.`;
}

/** The row that takes a removed one's place, else the one before it; without any, the tab above. */
function neighborOf({ id }: Share, shares: Share[]): HTMLElement | null {
  const index = shares.findIndex((share) => share.id === id);
  const neighbor = shares[index + 1] ?? shares[index - 1];
  return neighbor
    ? document.getElementById(shareRowId(neighbor))
    : document.querySelector('[role="tab"][aria-selected="true"]');
}

function ShareListSkeleton() {
  return (
    <div role="status" aria-label="Loading your links" className="space-y-4">
      {[1, 2, 3].map((row) => (
        <Skeleton key={row} className="h-16" />
      ))}
    </div>
  );
}
