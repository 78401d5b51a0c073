import { useCallback, useState } from 'react';

/** What scrolls a list: an element, or the window. Null while the element is not there yet. */
export type Scroller = HTMLElement | Window | null;

interface Place {
  width: number;
  /** How far down its scroller it begins. */
  top: number;
}

/** Where an element stands in what scrolls it, and how wide it is. Follows both. */
export function usePlace(scroller: Scroller): [Place, (element: HTMLElement | null) => void] {
  const [place, setPlace] = useState<Place>({ width: 0, top: 0 });
  const ref = useCallback(
    (element: HTMLElement | null) => {
      if (!element || !scroller) return undefined;
      const look = () => {
        const now = placeIn(scroller, element);
        setPlace((before) => (before.width === now.width && before.top === now.top ? before : now));
      };
      look();
      const observer = new ResizeObserver(look);
      observer.observe(element);
      // What stands above it may grow or go.
      observer.observe(document.body);
      return () => observer.disconnect();
    },
    [scroller],
  );
  return [place, ref];
}

function placeIn(scroller: HTMLElement | Window, element: HTMLElement): Place {
  const { width, top } = element.getBoundingClientRect();
  const scrolled =
    scroller instanceof Window ? scroller.scrollY : scroller.scrollTop - scroller.getBoundingClientRect().top;
  return { width, top: Math.round(top + scrolled) };
}
