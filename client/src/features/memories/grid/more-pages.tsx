import { useEffect, useRef } from 'react';
import { FailureNotice } from '../../../ui/failure-notice.tsx';
import { Spinner } from '../../../ui/spinner.tsx';
import type { Scroller } from '../../../lib/use-place.ts';

/** How a list of pages goes on. */
export interface Pages {
  hasNextPage: boolean;
  isFetchingNextPage: boolean;
  isFetchNextPageError: boolean;
  error: unknown;
  fetchNextPage: () => unknown;
}

/** Stands at the end of a list and fetches its next page as it comes near. */
export function MorePages({ scroller, ...pages }: Pages & { scroller: Scroller }) {
  const { hasNextPage, isFetchingNextPage, isFetchNextPageError, fetchNextPage } = pages;
  const sentinel = useRef<HTMLDivElement>(null);
  const isWaiting = hasNextPage && !isFetchingNextPage && !isFetchNextPageError;

  useEffect(() => {
    if (!isWaiting || !sentinel.current) return;
    const observer = new IntersectionObserver(
      (entries) => entries.some((entry) => entry.isIntersecting) && fetchNextPage(),
      { root: scroller instanceof HTMLElement ? scroller : null, rootMargin: '800px' },
    );
    observer.observe(sentinel.current);
    return () => observer.disconnect();
  }, [isWaiting, fetchNextPage, scroller]);

  if (isFetchNextPageError) {
    return (
      <div className="pb-10 [overflow-anchor:none]">
        <FailureNotice onRetry={fetchNextPage}>The rest of your memories could not be loaded.</FailureNotice>
      </div>
    );
  }
  if (!hasNextPage) return null;
  return (
    // The browser must not hold on to it: it would take people along to the end of the list that grows above it.
    <div
      ref={sentinel}
      role="status"
      className="flex justify-center gap-3 pb-10 text-muted [overflow-anchor:none]"
    >
      <Spinner />
      Loading more...
    </div>
  );
}
