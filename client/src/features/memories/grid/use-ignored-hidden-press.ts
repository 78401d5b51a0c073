import { useRef, type MouseEvent, type PointerEvent } from 'react';

/** A pen can tap a card without hovering before: the tap shows the card's buttons, and presses none that was hidden. */
export function useIgnoredHiddenPress() {
  const isIgnored = useRef(false);
  return {
    // A menu opens by it.
    onPointerDownCapture(event: PointerEvent<HTMLElement>) {
      const { target, pointerType } = event;
      const button = target instanceof Element ? target.closest('button') : null;
      isIgnored.current =
        pointerType !== 'mouse' && button !== null && getComputedStyle(button).opacity === '0';
      if (isIgnored.current) event.stopPropagation();
    },
    onClickCapture(event: MouseEvent<HTMLElement>) {
      // The keyboard's clicks have no detail.
      if (isIgnored.current && event.detail > 0) event.stopPropagation();
      isIgnored.current = false;
    },
  };
}
