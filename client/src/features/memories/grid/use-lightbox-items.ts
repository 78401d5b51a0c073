import { useRef } from 'react';
import type { NavigableList } from '../details/lightbox-navigation.ts';
import type { LoadedList } from '../store/memory-lists.ts';
import type { MemoryGridHandle } from './memory-grid.tsx';

/** A grid as the list that the dialog goes through. */
export function useLightboxItems({ ids = [], isComplete, error, retry }: LoadedList) {
  const gridRef = useRef<MemoryGridHandle>(null);
  const list: NavigableList = {
    count: ids.length + (isComplete ? 0 : 1),
    at: (place) => ids[place],
    failure: error,
    reveal: (place) => {
      gridRef.current?.reveal(place);
      if (error !== null) retry();
    },
  };
  return { gridRef, list };
}
