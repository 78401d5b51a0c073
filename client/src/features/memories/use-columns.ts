import { useSyncExternalStore } from 'react';

/** Tailwind's `sm` and `lg`. */
const TWO = '(min-width: 640px)';
const THREE = '(min-width: 1024px)';

/** How many memories stand beside each other: 1, 2 or 3 by the screen's width. */
export function useColumns(): number {
  return useSyncExternalStore(subscribe, () => {
    if (window.matchMedia(THREE).matches) return 3;
    return window.matchMedia(TWO).matches ? 2 : 1;
  });
}

function subscribe(listener: () => void): () => void {
  const queries = [TWO, THREE].map((query) => window.matchMedia(query));
  queries.forEach((query) => query.addEventListener('change', listener));
  return () => queries.forEach((query) => query.removeEventListener('change', listener));
}
