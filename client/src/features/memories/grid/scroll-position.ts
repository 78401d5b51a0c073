import type { Virtualizer } from '@tanstack/react-virtual';
import { useEffect, useEffectEvent, useLayoutEffect, useRef } from 'react';
import { useHistoryState } from 'wouter/use-browser-location';
import { useIsHere } from '../../../lib/use-is-here.ts';

/** What a bar at the top of the screen covers: the page's scroll-padding. */
const BAR_PX = 80;

/** Of a grid that the window scrolls. Holds for any number of columns. */
interface ScrollPosition {
  /** A memory in the uppermost row in sight. */
  index: number;
  /** How far that row begins above the top of the screen. */
  past: number;
}

/** A grid's scroll position, stored in the entry of the browser's history: for back and reload. */
export function useScrollPosition() {
  useManualScrollRestoration();
  const isHere = useIsHere();
  const position = toPosition(useHistoryState());
  const savePosition = (next: ScrollPosition) => {
    const isSaved = next.index === position?.index && next.past === position.past;
    if (!isSaved && isHere()) history.replaceState(toState(next), '');
  };
  return { position, savePosition };
}

/** What an entry in the history holds for a scroll position. */
function toState(place: ScrollPosition) {
  return { place };
}

function toPosition(state: unknown): ScrollPosition | null {
  if (typeof state !== 'object' || state === null || !('place' in state)) return null;
  const { index, past } = (state.place ?? {}) as Partial<ScrollPosition>;
  return typeof index === 'number' && typeof past === 'number' ? { index, past } : null;
}

/** For the same memories from the beginning of their row: where rows have other heights, its middle means nothing. */
export function stateAtRowStart(position: ScrollPosition | null) {
  return position && toState({ ...position, past: Math.min(position.past, -BAR_PX) });
}

/** The browser knows pixels only: they lead elsewhere while rows that were not rendered yet have estimated heights. */
export function useManualScrollRestoration(): void {
  useLayoutEffect(() => {
    history.scrollRestoration = 'manual';
    return () => {
      history.scrollRestoration = 'auto';
    };
  }, []);
}

export interface ScrollPositionOptions extends ReturnType<typeof useScrollPosition> {
  /** Which list it is. Another one begins where it was left, else at its top. */
  list: string;
  /** The list is there, and not still the one before. */
  isThere: boolean;
}

/** For rows that someone is led back to: how far below the top of the screen the row begins. */
export function paddingAbove(options: ScrollPositionOptions | undefined): number {
  return options?.position ? -options.position.past : 0;
}

/** Begins a list where it was left, and saves where the scrolling has ended. */
export function useScrollRestoration(
  rows: Virtualizer<Window, Element>,
  columns: number,
  isLaidOut: boolean,
  options: ScrollPositionOptions | undefined,
): void {
  const begin = useEffectEvent(() => {
    const position = options?.position;
    const top = rows.options.scrollMargin - BAR_PX;
    if (position) rows.scrollToIndex(Math.floor(position.index / columns), { align: 'start' });
    else if (window.scrollY > top) window.scrollTo(0, top);
  });
  const isReady = isLaidOut && (options?.isThere ?? false);
  useLayoutEffect(() => {
    if (isReady) begin();
  }, [isReady, options?.list]);

  useOnScrollEnd(rows.isScrolling, () => {
    const row = rows.getVirtualItemForOffset(window.scrollY + BAR_PX);
    if (row && isReady)
      options?.savePosition({ index: row.index * columns, past: window.scrollY - row.start });
  });
}

export function useOnScrollEnd(isScrolling: boolean, onEnd: () => void): void {
  const end = useEffectEvent(onEnd);
  const wasScrolling = useRef(false);
  useEffect(() => {
    if (wasScrolling.current && !isScrolling) end();
    wasScrolling.current = isScrolling;
  }, [isScrolling]);
}

/** Tells which are in view, once there are any. */
export function useOnView(
  first: number | undefined,
  last: number | undefined,
  onView: (first: number, last: number) => void,
): void {
  const tell = useEffectEvent(onView);
  useEffect(() => {
    if (first !== undefined && last !== undefined) tell(first, last);
  }, [first, last]);
}
