import { findStandIn, placeOf } from '../details/memory-stand-in.ts';

const SETTLING_MS = 500;

/**
 * A memory leaves its list, with a button of it that has the focus, or gets it back from a dialog: its neighbour's
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
  const kind = buttonsAround(button).indexOf(button);
  const observer = new MutationObserver(() => {
    if (button.isConnected) return;
    observer.disconnect();
    const standIn = findStandIn(place);
    const target = (standIn && buttonsAround(standIn)[kind]) ?? standIn;
    if (returnFocusTo) returnFocusTo.current = target;
    if (document.activeElement === document.body) target?.focus();
  });
  observer.observe(document.body, { childList: true, subtree: true });
  // What has left is seen to leave a little later.
  void leaving.finally(() => setTimeout(() => observer.disconnect(), SETTLING_MS));
}

/** Those of the same memory. */
function buttonsAround(button: HTMLElement): HTMLElement[] {
  return [...(button.closest('[aria-posinset]')?.querySelectorAll<HTMLElement>('button') ?? [])];
}
