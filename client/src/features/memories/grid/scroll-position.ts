import type { Virtualizer } from '@tanstack/react-virtual';
import { useLayoutEffect } from 'react';
import { useHistoryState, usePathname, useSearch } from 'wouter/use-browser-location';
import { useOnScrollEnd, useRestoredScroll } from '../../../lib/virtual-list.ts';

/** The page's scroll-padding: the height of the bar at the top. */
const BAR_PX = 80;

/** The position of a grid in the window, for any number of columns. */
interface ScrollPosition {
  /** Of a memory in the first visible row. */
  index: number;
  /** How far above the viewport that row starts, in pixels. */
  past: number;
}

/** Stores a grid's scroll position in its history entry, for back and reload. */
export function useScrollPosition() {
  useManualScrollRestoration();
  const isCurrentUrl = useIsCurrentUrl();
  const position = toPosition(useHistoryState());
  const savePosition = (next: ScrollPosition) => {
    const isSaved = next.index === position?.index && next.past === position.past;
    if (!isSaved && isCurrentUrl()) history.replaceState(toState(next), '');
  };
  return { position, savePosition };
}

/** Effects run late: after a step back, writing to the history would change another entry. */
export function useIsCurrentUrl(): () => boolean {
  const path = usePathname();
  const search = useSearch();
  return () => window.location.pathname === path && window.location.search === search;
}

function toState(scrollPosition: ScrollPosition) {
  return { scrollPosition };
}

function toPosition(state: unknown): ScrollPosition | null {
  if (typeof state !== 'object' || state === null || !('scrollPosition' in state)) return null;
  const { index, past } = (state.scrollPosition ?? {}) as Partial<ScrollPosition>;
  return typeof index === 'number' && typeof past === 'number' ? { index, past } : null;
}

/** For a view whose rows have other heights: starts at the top of the row, since an offset within it means nothing. */
export function stateAtRowStart(position: ScrollPosition | null) {
  return position && toState({ ...position, past: Math.min(position.past, -BAR_PX) });
}

/** The browser restores pixels, which is wrong while unrendered rows have estimated heights. */
export function useManualScrollRestoration(): void {
  useLayoutEffect(() => {
    history.scrollRestoration = 'manual';
    return () => {
      history.scrollRestoration = 'auto';
    };
  }, []);
}

export interface ScrollPositionOptions extends ReturnType<typeof useScrollPosition> {
  /** Identifies the list. When it changes, the grid scrolls to the saved position, or to its top. */
  list: string;
  /** False while the previous list is displayed. */
  isLoaded: boolean;
}

/** The virtualizer's scroll padding, which puts the restored row at its saved offset. */
export function paddingAbove(options: ScrollPositionOptions | undefined): number {
  return options?.position ? -options.position.past : 0;
}

export function useScrollRestoration(
  rows: Virtualizer<Window, Element>,
  columns: number,
  isMeasured: boolean,
  options: ScrollPositionOptions | undefined,
): void {
  const isReady = isMeasured && (options?.isLoaded ?? false);
  useRestoredScroll(isReady, options?.list, () => {
    const position = options?.position;
    const top = rows.options.scrollMargin - BAR_PX;
    if (position) rows.scrollToIndex(Math.floor(position.index / columns), { align: 'start' });
    else if (window.scrollY > top) window.scrollTo(0, top);
  });
  useOnScrollEnd(rows.isScrolling, () => {
    const row = rows.getVirtualItemForOffset(window.scrollY + BAR_PX);
    if (row && isReady)
      options?.savePosition({ index: row.index * columns, past: window.scrollY - row.start });
  });
}
