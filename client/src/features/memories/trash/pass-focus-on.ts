import { findStandIn, listAround, placeOf } from '../details/memory-stand-in.ts';

const SETTLING_MS = 2000;

/** Of the one that left before. */
let watching: MutationObserver | null = null;

/**
 * A memory leaves its list, with a button of it that has the focus, or gets it back from a dialog: its neighbor's
 * button of the same kind takes that over.
 * @param leaving settled once it has left, or will not
 * @param returnFocusTo of the dialog that is being closed
 */
export function passFocusOn(
  button: HTMLElement,
  leaving: Promise<unknown>,
  returnFocusTo?: { current: HTMLElement | null },
): void {
  const place = placeOf(button);
  const list = listAround(button);
  const kind = buttonsAround(button).indexOf(button);
  let holder = button;
  const observer = new MutationObserver(() => {
    if (holder.isConnected || isStillToCome(place, list)) return;
    const standIn = findStandIn(place, list);
    holder = (standIn && buttonsAround(standIn)[kind]) ?? standIn ?? holder;
    if (returnFocusTo) returnFocusTo.current = holder;
    if (document.activeElement === document.body) holder.focus();
  });
  watching?.disconnect();
  watching = observer;
  observer.observe(document.body, { childList: true, subtree: true });
  // What follows may move once more, when it is counted and fetched anew.
  void leaving.finally(() => setTimeout(() => observer.disconnect(), SETTLING_MS));
}

/** In the timeline a memory's place is there before the memory. */
function isStillToCome(place: number, list: HTMLElement | null): boolean {
  return (list ?? document).querySelector(`[aria-posinset="${place}"]:not(:has(button))`) !== null;
}

/** Those of the same memory. */
function buttonsAround(button: HTMLElement): HTMLElement[] {
  return [...(button.closest('[aria-posinset]')?.querySelectorAll<HTMLElement>('button') ?? [])];
}
