import { useEffect, useRef } from 'react';
import { ErrorNotice } from './error-notice.tsx';
import { Button } from './buttons/button.tsx';

interface ShowMoreProps {
  /** Of an infinite query. */
  pages: {
    hasNextPage: boolean;
    isFetchingNextPage: boolean;
    isFetchNextPageError: boolean;
    fetchNextPage: () => unknown;
  };
  /** The elements' ids of the rows so far. */
  rowIds: string[];
  errorText: string;
}

/** Loads a list's next page and focuses its first row, since the button disappears on the last page. */
export function ShowMore({ pages, rowIds, errorText }: ShowMoreProps) {
  const firstNewIndex = useRef<number | null>(null);
  const count = rowIds.length;
  useEffect(() => {
    const first = firstNewIndex.current === null ? undefined : rowIds[firstNewIndex.current];
    if (!first) return;
    firstNewIndex.current = null;
    document.getElementById(first)?.focus();
  }, [rowIds]);
  const showMore = () => {
    firstNewIndex.current = count;
    void pages.fetchNextPage();
  };
  if (pages.isFetchNextPageError) return <ErrorNotice onRetry={showMore}>{errorText}</ErrorNotice>;
  if (!pages.hasNextPage) return null;
  return (
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
  );
}
