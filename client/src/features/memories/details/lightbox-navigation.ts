/** The list that a memory was opened from. */
export interface NavigableList {
  /** Includes memories that are not loaded yet. */
  count: number;
  /** The id at an index; undefined while it is not loaded. */
  at: (index: number) => string | undefined;
  /** Of the last attempt to load the memory at an index; null if it is loading or loaded. */
  errorAt: (index: number) => unknown;
  /** Scrolls the list behind the dialog to an index, and loads the memories around it. */
  reveal: (index: number) => void;
}

/** From one memory to its neighbor. */
export type Direction = 'previous' | 'next';

interface Neighbors {
  /** Of the memory; the last known one if it has left the list. */
  index: number;
  previous: number | null;
  next: number | null;
}

/** The list changes by a few memories at a time, so the search is limited to indexes near the last one. */
const MAX_SEARCH_DISTANCE = 100;

export function findNeighbors(list: NavigableList, id: string, lastIndex: number): Neighbors {
  const found = findIndex(list, id, lastIndex);
  const index = found ?? lastIndex;
  // If the memory has left the list, its successor is at its index.
  const next = found === null ? index : index + 1;
  return { index, previous: index > 0 ? index - 1 : null, next: next < list.count ? next : null };
}

function findIndex(list: NavigableList, id: string, lastIndex: number): number | null {
  for (let distance = 0; distance <= MAX_SEARCH_DISTANCE; distance += 1)
    for (const index of [lastIndex - distance, lastIndex + distance]) if (list.at(index) === id) return index;
  return null;
}
