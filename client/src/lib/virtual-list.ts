import { defaultRangeExtractor, type Range } from '@tanstack/react-virtual';
import { useCallback, useEffect, useEffectEvent, useLayoutEffect, useRef, useState } from 'react';

/** Scrolls a list: an element, or the window. Null until the element is mounted. */
export type Scroller = HTMLElement | Window | null;

/**
 * While the list has `data-scrolling`, a compositor layer for each row: otherwise the browser paints all rows again when
 * one comes or goes.
 */
export const ROW_LAYERS = 'data-scrolling:[&_[data-index]]:will-change-transform';

interface ListBounds {
  width: number;
  /** The offset from the top of the scroller's content. */
  top: number;
}

export function useListBounds(scroller: Scroller): [ListBounds, (element: HTMLElement | null) => void] {
  const [bounds, setBounds] = useState<ListBounds>({ width: 0, top: 0 });
  const ref = useCallback(
    (element: HTMLElement | null) => {
      if (!element || !scroller) return undefined;
      const measure = () => {
        const now = measureBounds(scroller, element);
        setBounds((before) => (before.width === now.width && before.top === now.top ? before : now));
      };
      measure();
      const observer = new ResizeObserver(measure);
      observer.observe(element);
      // Content above the list may change its height.
      observer.observe(document.body);
      return () => observer.disconnect();
    },
    [scroller],
  );
  return [bounds, ref];
}

function measureBounds(scroller: HTMLElement | Window, element: HTMLElement): ListBounds {
  const { width, top } = element.getBoundingClientRect();
  const scrolled =
    scroller instanceof Window ? scroller.scrollY : scroller.scrollTop - scroller.getBoundingClientRect().top;
  return { width, top: Math.round(top + scrolled) };
}

export function useOnScrollEnd(isScrolling: boolean, onEnd: () => void): void {
  const end = useEffectEvent(onEnd);
  const wasScrolling = useRef(false);
  useEffect(() => {
    if (wasScrolling.current && !isScrolling) end();
    wasScrolling.current = isScrolling;
  }, [isScrolling]);
}

export function useOnRangeInView(
  first: number | undefined,
  last: number | undefined,
  onRange: (first: number, last: number) => void,
): void {
  const report = useEffectEvent(onRange);
  useEffect(() => {
    if (first !== undefined && last !== undefined) report(first, last);
  }, [first, last]);
}

/** Scrolls to the saved position before the paint, once the rows are measured and when the list changes. */
export function useRestoredScroll(isReady: boolean, list: string | undefined, onRestore: () => void): void {
  const restore = useEffectEvent(onRestore);
  useLayoutEffect(() => {
    if (isReady) restore();
  }, [isReady, list]);
}

/** The rows in view, the overscan around them, and the row with the focus, which must stay mounted. */
export function extractRange(range: Range, focusedRow: number, extraBelow = 0): number[] {
  const rows = defaultRangeExtractor({ ...range, endIndex: range.endIndex + extraBelow });
  const isExtra = focusedRow >= 0 && focusedRow < range.count && !rows.includes(focusedRow);
  return isExtra ? [...rows, focusedRow].sort((one, other) => one - other) : rows;
}
