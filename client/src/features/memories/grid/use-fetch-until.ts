import { useEffect } from 'react';
import type { Memory } from '#shared/memory';
import type { Pages } from './more-pages.tsx';
import type { GridPlace } from './use-grid-place.ts';

/** After a reload far down, page by page to where someone was. @returns whether that goes on */
export function useFetchUntil(
  place: GridPlace | null,
  memories: Memory[] | undefined,
  pages: Pages,
): boolean {
  const { hasNextPage, isFetchingNextPage, isFetchNextPageError, fetchNextPage } = pages;
  const isFar = place !== null && memories !== undefined && place.index >= memories.length;
  const isArriving = isFar && hasNextPage && !isFetchNextPageError;
  useEffect(() => {
    if (isArriving && !isFetchingNextPage) fetchNextPage();
  }, [isArriving, isFetchingNextPage, fetchNextPage]);
  return isArriving;
}
