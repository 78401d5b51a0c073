import { useEffect, useRef } from 'react';
import type { Memory } from '#shared/memory';
import { FailureNotice } from '../../ui/failure-notice.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { Spinner } from '../../ui/spinner.tsx';
import { MemoryCard } from './memory-card.tsx';

const EAGER_PICTURES = 6;
const PLACEHOLDERS = 3;
const grid = 'grid gap-x-8 sm:grid-cols-2 lg:grid-cols-3';

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
  const scroller = useRef<HTMLDivElement>(null);
  return (
    <section aria-labelledby="collection-heading">
      <CollectionHeading total={total} />
      <div
        ref={scroller}
        role="group"
        aria-labelledby="collection-heading"
        tabIndex={0}
        className="-mx-5 mt-6 max-h-[600px] overflow-y-auto overscroll-auto border-y border-hairline px-5 pt-8 sm:mx-0 sm:px-6"
      >
        <ul className={grid}>
          {memories.map((memory, index) => (
            <li key={memory.id} className="row-span-2 grid grid-rows-subgrid">
              <MemoryCard memory={memory} isEager={index < EAGER_PICTURES} />
            </li>
          ))}
        </ul>
        <MorePages scroller={scroller} {...pages} />
      </div>
    </section>
  );
}

export function MemoryCollectionSkeleton() {
  return (
    <section aria-labelledby="collection-heading">
      <CollectionHeading total={undefined} />
      <div className="mt-6 border-y border-hairline py-8 sm:px-6">
        <div className={grid}>
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

type MorePagesProps = MemoryCollectionProps['pages'] & { scroller: React.RefObject<HTMLDivElement | null> };

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
        root: scroller.current,
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
