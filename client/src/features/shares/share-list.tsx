import { useEffect, useRef, type ReactNode } from 'react';
import type { Share, ShareAudience } from '#shared/share';
import { Button } from '../../ui/button.tsx';
import { ErrorNotice } from '../../ui/error-notice.tsx';
import { ListSkeleton } from '../../ui/skeleton.tsx';
import { useRevokeShare, useShares } from './share-api.ts';
import { useConfirmStop } from './share-link.tsx';
import { ShareRow, shareRowId } from './share-row.tsx';

const NONE: Share[] = [];

interface ShareListProps {
  audience: ShareAudience;
  /** Shown if there are no links. */
  empty: ReactNode;
}

export function ShareList({ audience, empty }: ShareListProps) {
  const { data: shares = NONE, isPending, isError, isFetching, refetch, ...pages } = useShares(audience);
  const showMore = useShowMore(shares, pages.fetchNextPage);
  const { mutateAsync: revoke } = useRevokeShare(audience);
  const confirmStop = useConfirmStop();
  return (
    <>
      {isPending ? (
        <ListSkeleton label="Loading your links" />
      ) : isError && shares.length === 0 ? (
        <ErrorNotice onRetry={() => void refetch()} isRetrying={isFetching}>
          Your links could not be loaded. Please check your connection and try again.
        </ErrorNotice>
      ) : shares.length === 0 ? (
        empty
      ) : (
        <ul className="divide-y divide-hairline">
          {shares.map((share) => (
            <ShareRow
              key={share.id}
              share={share}
              onStop={() => confirmStop('photo', describeConsequence(share), () => revoke(share.id))}
            />
          ))}
        </ul>
      )}
      {pages.isFetchNextPageError ? (
        <ErrorNotice onRetry={showMore}>The rest of your links could not be loaded.</ErrorNotice>
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
    </>
  );
}

/** Focuses the first new row, since the button disappears on the last page. */
function useShowMore(shares: Share[], fetchNextPage: () => unknown) {
  const firstNewIndex = useRef<number | null>(null);
  useEffect(() => {
    const first = firstNewIndex.current === null ? undefined : shares[firstNewIndex.current];
    if (!first) return;
    firstNewIndex.current = null;
    document.getElementById(shareRowId(first))?.focus();
  }, [shares]);
  return () => {
    firstNewIndex.current = shares.length;
    void fetchNextPage();
  };
}

function describeConsequence({ contactName }: Share): string {
  return contactName === null
    ? 'The link will stop working for everyone who has it.'
    : `The link in the email to ${contactName} will stop working. The photo in the email stays.`;
}
