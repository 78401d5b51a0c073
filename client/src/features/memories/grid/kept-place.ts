import { useEffect } from 'react';
import { useHistoryState } from 'wouter/use-browser-location';
import { useIsHere } from '../../../lib/use-is-here.ts';
import type { GridPlace } from './use-grid-place.ts';

/** Where someone is in a grid, kept with the entry in the browser's history: for back and reload. */
export function useKeptPlace() {
  useOwnScrollRestoration();
  const isHere = useIsHere();
  const place = placeIn(useHistoryState());
  const keepPlace = (next: GridPlace) => {
    const isKept = next.index === place?.index && next.past === place.past;
    if (!isKept && isHere()) history.replaceState(toState(next), '');
  };
  return [place, keepPlace] as const;
}

/** What an entry in the history holds for its place. */
export function toState(place: GridPlace | null) {
  return place && { place };
}

function placeIn(state: unknown): GridPlace | null {
  if (typeof state !== 'object' || state === null || !('place' in state)) return null;
  const { index, past } = (state.place ?? {}) as Partial<GridPlace>;
  return typeof index === 'number' && typeof past === 'number' ? { index, past } : null;
}

/** The browser knows pixels only: they lead elsewhere while rows that were not seen yet have guessed heights. */
function useOwnScrollRestoration(): void {
  useEffect(() => {
    history.scrollRestoration = 'manual';
    return () => {
      history.scrollRestoration = 'auto';
    };
  }, []);
}
