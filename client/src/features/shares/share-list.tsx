import type { ReactNode } from 'react';
import type { Share, ShareAudience } from '#shared/album/share';
import { ShowMore } from '../../ui/show-more.tsx';
import { LoadError } from '../../ui/error-notice.tsx';
import { ListSkeleton } from '../../ui/loading/skeleton.tsx';
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
  const { mutateAsync: revoke } = useRevokeShare(audience);
  const confirmStop = useConfirmStop();
  return (
    <>
      {isPending ? (
        <ListSkeleton label="Loading your links" />
      ) : isError && shares.length === 0 ? (
        <LoadError what="Your links" onRetry={refetch} isRetrying={isFetching} />
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
      <ShowMore
        pages={pages}
        rowIds={shares.map(shareRowId)}
        errorText="The rest of your links could not be loaded."
      />
    </>
  );
}

function describeConsequence({ contactName }: Share): string {
  return contactName === null
    ? 'The link will stop working for everyone who has it.'
    : `The link in the email to ${contactName} will stop working. The photo in the email stays.`;
}
