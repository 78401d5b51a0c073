import { useRef, type MouseEvent, type PointerEvent } from 'react';

/** A pen can tap a card without hovering before: the tap shows the card's buttons, and presses none that was hidden. */
export function useHiddenButtonGuard() {
  const isPressIgnored = useRef(false);
  return {
    // A menu opens by it.
    onPointerDownCapture(event: PointerEvent<HTMLElement>) {
      const { target, pointerType } = event;
      const button = target instanceof Element ? target.closest('button') : null;
      isPressIgnored.current =
        pointerType !== 'mouse' && button !== null && getComputedStyle(button).opacity === '0';
      if (isPressIgnored.current) event.stopPropagation();
    },
    onClickCapture(event: MouseEvent<HTMLElement>) {
      // The keyboard's clicks have no detail.
      if (isPressIgnored.current && event.detail > 0) event.stopPropagation();
      isPressIgnored.current = false;
    },
  };
}
