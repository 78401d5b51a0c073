import { useLayoutEffect, type RefObject } from 'react';
import { findToastPosition, type Box } from './toast-position.ts';

/** What a notice stays clear of: all that one may press or fill in, what went wrong, and a dialog's title. */
const KEPT_CLEAR = 'a[href], button, input, select, textarea, [role="alert"], [role$="dialog"] h2';
const OPEN_DIALOG = '[role$="dialog"][data-state="open"]';

/**
 * Puts the notice where it covers nothing that could be used next, as near to its usual corner as that is possible;
 * again when the screen has changed under it.
 */
export function useToastPosition(toastId: number | undefined, viewport: RefObject<HTMLElement | null>): void {
  useLayoutEffect(() => {
    const element = viewport.current;
    if (!element || toastId === undefined) return;
    let frame = 0;
    let position = move(element, null);
    const update = () => {
      cancelAnimationFrame(frame);
      frame = requestAnimationFrame(() => {
        const isInUse = element.matches(':hover') || element.contains(document.activeElement);
        if (!isInUse) position = move(element, position);
      });
    };
    const observer = new MutationObserver(update);
    observer.observe(document.body, { childList: true, subtree: true });
    const listening = new AbortController();
    // What comes in moving is where it belongs at the end of that.
    document.addEventListener('animationend', update, { signal: listening.signal });
    window.addEventListener('resize', update, { signal: listening.signal });
    return () => {
      cancelAnimationFrame(frame);
      observer.disconnect();
      listening.abort();
    };
  }, [toastId, viewport]);
}

/** @param current where it is now, which it leaves only for a better place */
function move(element: HTMLElement, current: Box | null): Box {
  const dialog = [...document.querySelectorAll(OPEN_DIALOG)].at(-1);
  const keptClear = [...(dialog ?? document).querySelectorAll(KEPT_CLEAR)]
    .filter((each) => !element.contains(each))
    .map((each) => each.getBoundingClientRect());
  const screen = { width: document.documentElement.clientWidth, height: window.innerHeight };
  const size = { width: element.offsetWidth, height: element.offsetHeight };
  const position = findToastPosition(screen, size, keptClear, current);
  element.style.left = `${position.x}px`;
  element.style.top = `${position.y}px`;
  return position;
}
