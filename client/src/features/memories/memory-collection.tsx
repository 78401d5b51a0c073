import { useEffect, useRef, useState } from 'react';
import type { Memory } from '#shared/memory';
import { FailureNotice } from '../../ui/failure-notice.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { Spinner } from '../../ui/spinner.tsx';
import { MemoryDialog } from './memory-dialog.tsx';
import { MemoryGrid } from './memory-grid.tsx';
import { useOpenMemory } from './use-open-memory.ts';

const PLACEHOLDERS = 3;

interface MemoryCollectionProps {
  memories: Memory[];
  /** All there are, also those that were not fetched yet. */
  total: number | undefined;
  pages: {
    hasNextPage: boolean;
    isFetchingNextPage: boolean;
    isFetchNextPageError: boolean;
    fetchNextPage: () => unknown;
  };
}

/** The album: every memory in a page that scrolls by itself and fetches more as its end comes near. */
export function MemoryCollection({ memories, total, pages }: MemoryCollectionProps) {
  const [scroller, setScroller] = useState<HTMLDivElement | null>(null);
  const { openDetails, openEditor, toggleLike, dialog } = useOpenMemory(memories);
  return (
    <section aria-labelledby="collection-heading">
      <CollectionHeading total={total} />
      <div
        ref={setScroller}
        role="group"
        aria-labelledby="collection-heading"
        tabIndex={0}
        className="-mx-5 mt-6 max-h-[600px] overflow-y-auto overscroll-auto border-y border-hairline px-5 pt-8 sm:mx-0 sm:px-6"
      >
        <MemoryGrid
          memories={memories}
          scroller={scroller}
          onOpen={openDetails}
          onEdit={openEditor}
          onLike={toggleLike}
        />
        <MorePages scroller={scroller} {...pages} />
      </div>
      {dialog && <MemoryDialog {...dialog} />}
    </section>
  );
}

export function MemoryCollectionSkeleton() {
  return (
    <section aria-labelledby="collection-heading">
      <CollectionHeading total={undefined} />
      <div className="mt-6 border-y border-hairline py-8 sm:px-6">
        <div className="grid gap-x-8 sm:grid-cols-2 lg:grid-cols-3">
          {Array.from({ length: PLACEHOLDERS }, (_, index) => (
            <div key={index} className={index > 0 ? 'hidden sm:block' : ''}>
              <Skeleton className="aspect-square" />
              <Skeleton className="mx-auto mt-3 h-6 w-2/3" />
            </div>
          ))}
        </div>
      </div>
    </section>
  );
}

function CollectionHeading({ total }: { total: number | undefined }) {
  return (
    <div className="flex flex-wrap items-baseline justify-between gap-x-6 gap-y-1">
      <h2 id="collection-heading" className="text-title">
        Your Memory Collection
      </h2>
      <p className="min-h-6 text-muted tabular-nums">
        {total !== undefined && `${total} ${total === 1 ? 'memory' : 'memories'} captured`}
      </p>
    </div>
  );
}

type MorePagesProps = MemoryCollectionProps['pages'] & { scroller: HTMLElement | null };

function MorePages({
  scroller,
  hasNextPage,
  isFetchingNextPage,
  isFetchNextPageError,
  fetchNextPage,
}: MorePagesProps) {
  const sentinel = useRef<HTMLDivElement>(null);
  const isWaiting = hasNextPage && !isFetchingNextPage && !isFetchNextPageError;

  useEffect(() => {
    if (!isWaiting || !sentinel.current) return;
    const observer = new IntersectionObserver(
      (entries) => entries.some((entry) => entry.isIntersecting) && fetchNextPage(),
      {
        root: scroller,
        rootMargin: '800px',
      },
    );
    observer.observe(sentinel.current);
    return () => observer.disconnect();
  }, [isWaiting, fetchNextPage, scroller]);

  if (isFetchNextPageError) {
    return (
      <div className="pb-10">
        <FailureNotice onRetry={fetchNextPage}>The rest of your memories could not be loaded.</FailureNotice>
      </div>
    );
  }
  if (!hasNextPage) return null;
  return (
    <div ref={sentinel} role="status" className="flex justify-center gap-3 pb-10 text-muted">
      <Spinner />
      Loading more...
    </div>
  );
}
