import type { Virtualizer } from '@tanstack/react-virtual';
import { useEffect, useEffectEvent, useLayoutEffect, useRef } from 'react';

/** What a bar at the top of the screen covers: the page's scroll-padding. */
const BAR_PX = 80;

/** Where someone is in a grid that the window scrolls. Holds for any number of columns. */
export interface GridPlace {
  /** A memory in the uppermost row in sight. */
  index: number;
  /** How far that row begins above the top of the screen. */
  past: number;
}

/** Who remembers where someone is. */
export interface PlaceKeeper {
  /** Which list it is. Another one begins where it was left, else at its top. */
  list: string;
  /** The list is there, and not still the one before. */
  isThere: boolean;
  place: GridPlace | null;
  onRest: (place: GridPlace) => void;
}

/** For rows that someone is led back to: how far below the top of the screen the row begins. */
export function paddingAbove(keeper: PlaceKeeper | undefined): number {
  return keeper?.place ? -keeper.place.past : 0;
}

interface GridPlaceOptions {
  rows: Virtualizer<Window, Element>;
  columns: number;
  isLaidOut: boolean;
  keeper: PlaceKeeper | undefined;
}

/** Begins a list where it was left, and tells where someone has come to rest. */
export function useGridPlace({ rows, columns, isLaidOut, keeper }: GridPlaceOptions): void {
  const begin = useEffectEvent(() => {
    const place = keeper?.place;
    const top = rows.options.scrollMargin - BAR_PX;
    if (place) rows.scrollToIndex(Math.floor(place.index / columns), { align: 'start' });
    else if (window.scrollY > top) window.scrollTo(0, top);
  });
  const isReady = isLaidOut && (keeper?.isThere ?? false);
  useLayoutEffect(() => {
    if (isReady) begin();
  }, [isReady, keeper?.list]);

  const rest = useEffectEvent(() => {
    const row = rows.getVirtualItemForOffset(window.scrollY + BAR_PX);
    if (row && isReady) keeper?.onRest({ index: row.index * columns, past: window.scrollY - row.start });
  });
  const { isScrolling } = rows;
  const wasScrolling = useRef(false);
  useEffect(() => {
    if (wasScrolling.current && !isScrolling) rest();
    wasScrolling.current = isScrolling;
  }, [isScrolling]);
}

/** The same memories from the beginning of their row: where rows have other heights, its middle means nothing. */
export function fromRowStart(place: GridPlace): GridPlace {
  return { ...place, past: Math.min(place.past, -BAR_PX) };
}
