import { useRef } from 'react';
import type { Memory } from '#shared/memory';
import type { WalkedList } from '../details/memory-walk.ts';
import type { MemoryGridHandle } from './memory-grid.tsx';
import type { Pages } from './more-pages.tsx';

/** How near the end of what is loaded the next page is fetched. */
const MEMORIES_AHEAD = 20;

/** A grid as the list that an open memory is walked through. */
export function useWalkedGrid(memories: Memory[], pages: Pages) {
  const { hasNextPage, isFetchingNextPage, isFetchNextPageError, fetchNextPage, error } = pages;
  const gridRef = useRef<MemoryGridHandle>(null);
  const list: WalkedList = {
    count: memories.length + (hasNextPage ? 1 : 0),
    at: (place) => memories[place],
    failure: isFetchNextPageError && !isFetchingNextPage ? error : null,
    reveal: (place) => {
      gridRef.current?.reveal(place);
      const isNearEnd = place >= memories.length - MEMORIES_AHEAD;
      if (isNearEnd && hasNextPage && !isFetchingNextPage) fetchNextPage();
    },
  };
  return { gridRef, list };
}
