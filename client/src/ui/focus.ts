/*
 * Where the focus goes when what had it is gone. A dialog gives it back to what opened it; a list's item that is
 * removed passes it to its neighbor. Nobody else has to think of it.
 */

const CONTROL = 'a[href], button, input, select, textarea, [tabindex]:not([data-radix-focus-guard])';
const DIALOG = '[role="dialog"], [role="alertdialog"]';
/** Rows and cards take the focus themselves; memories stand in virtual lists, and know their position. */
const ROW = 'li[tabindex], article[tabindex]';
const TILE = '[data-memory-list] [aria-posinset]';
/** Marked by a screen as the best place when a list is empty, or a button has gone. */
const FALLBACK = '[data-focus-fallback], h1[tabindex]';
export const NOTIFICATIONS_ID = 'notifications';
const MAX_OPENERS = 8;

/** A control, and where it was: it may be gone when it is asked for. */
interface Trace {
  control: HTMLElement;
  ancestors: HTMLElement[];
  item: HTMLElement | null;
  isTile: boolean;
  list: HTMLElement | null;
  /** Of the item in its list, and how many those were. */
  position: number;
  count: number;
  /** Of the control among its item's buttons. */
  button: number;
  /** Of the control on the screen. */
  top: number;
}

/** What was focused or pressed last. Safari focuses no button that is pressed. */
let last: Trace | null = null;
/** Which control opened a dialog; null for one that opened without any. */
let openers = new WeakMap<HTMLElement, Trace | null>();
let recentOpeners: Trace[] = [];

/** Follows the focus as long as the app runs. @returns what ends that */
export function followFocus(): () => void {
  const listening = new AbortController();
  const options = { capture: true, signal: listening.signal };
  document.addEventListener('focusin', remember, options);
  document.addEventListener('click', remember, options);
  document.addEventListener('focusout', forgetIfLeft, options);
  const observer = new MutationObserver(passOn);
  observer.observe(document.body, { childList: true, subtree: true, attributeFilter: ['aria-setsize'] });
  return () => {
    listening.abort();
    observer.disconnect();
    last = null;
    openers = new WeakMap();
    recentOpeners = [];
  };
}

/** For `onCloseAutoFocus` of every dialog: gives the focus back to what opened it, or to what has its place now. */
export function returnFocus(event: Event): void {
  event.preventDefault();
  const opener = openers.get(event.currentTarget as HTMLElement) ?? null;
  const target = opener ? successorOf(opener) : fallbackIn(null);
  const dialog = openDialog();
  if (dialog && !(target && dialog.contains(target))) {
    // It opened in place of the one that closes, whose focus trap may have taken the focus back.
    if (!dialog.contains(document.activeElement))
      dialog.querySelector<HTMLElement>('input, textarea, select, button')?.focus();
    return;
  }
  if (opener) last = opener;
  // The page keeps its scroll position, even if the control is not wholly in sight.
  target?.focus({ preventScroll: target === opener?.control && topOf(target) === opener.top });
}

/** Makes the open dialog give the focus to something other than its opener. */
export function returnFocusTo(target: HTMLElement | null): void {
  const dialog = openDialog();
  if (dialog && target) setOpener(dialog, traceOf(target));
}

/** For a menu that closes: whether the focus stays in the dialog that one of its items opened. */
export function isBehindDialog(element: HTMLElement | null): boolean {
  const dialog = openDialog();
  return dialog !== null && !dialog.contains(element);
}

export function isNotification(target: EventTarget | null): boolean {
  return target instanceof Element && target.closest(`#${NOTIFICATIONS_ID}`) !== null;
}

function remember({ target }: Event): void {
  const focused = target instanceof Element ? target.closest<HTMLElement>(CONTROL) : null;
  if (!focused || isNotification(focused)) return;
  const dialog = focused.closest<HTMLElement>(DIALOG);
  if (dialog && !openers.has(dialog)) setOpener(dialog, last);
  const menu = focused.closest('[role="menu"]');
  const control = menu ? document.getElementById(menu.getAttribute('aria-labelledby') ?? '') : focused;
  if (control && control !== last?.control) last = traceOf(control);
}

/** A control that was left on purpose passes nothing on when it goes. */
function forgetIfLeft({ target, relatedTarget }: FocusEvent): void {
  if (relatedTarget) return;
  // Not at once: browsers also say this of a control that is being removed.
  queueMicrotask(() => {
    const isLeft = target instanceof Node && target.isConnected && target !== document.activeElement;
    if (isLeft && target === last?.control) last = { ...last, item: null };
  });
}

function passOn(): void {
  for (const trace of [last, ...recentOpeners])
    if (trace?.item && trace.control.isConnected) Object.assign(trace, positionOf(trace.item));
  if (!last?.item || last.control.isConnected || document.activeElement !== document.body) return;
  if (isScrolledAway(last)) return;
  const target = successorOf(last);
  if (target && !isBehindDialog(target)) target.focus();
}

function setOpener(dialog: HTMLElement, opener: Trace | null): void {
  openers.set(dialog, opener);
  if (!opener) return;
  opener.top = topOf(opener.control);
  recentOpeners = [opener, ...recentOpeners.slice(0, MAX_OPENERS - 1)];
}

function traceOf(control: HTMLElement): Trace {
  const ancestors: HTMLElement[] = [];
  for (let at = control.parentElement; at; at = at.parentElement) ancestors.push(at);
  const tile = control.closest<HTMLElement>(TILE);
  const row = control.closest<HTMLElement>(ROW);
  const item = tile ?? row?.closest('li') ?? row;
  return {
    control,
    ancestors,
    item,
    isTile: tile !== null,
    list: item?.closest<HTMLElement>('[data-memory-list]') ?? item?.parentElement ?? null,
    ...(item ? positionOf(item) : { position: 0, count: 0 }),
    button: item ? buttonsOf(item).indexOf(control) : -1,
    top: topOf(control),
  };
}

/** The control, or what took its place; null while that is being loaded. */
function successorOf(trace: Trace): HTMLElement | null {
  if (isThere(trace.control)) return trace.control;
  const { item, isTile, position } = trace;
  if (!item) return fallbackIn(trace);
  const neighbors = [position, position - 1].map((at) => itemAt(trace, at));
  // The timeline shows a memory's place before the memory.
  if (isTile && neighbors[0]?.querySelector('button') === null) return null;
  for (const neighbor of neighbors) {
    const target = neighbor && targetIn(neighbor, trace.button);
    if (target) return target;
  }
  return fallbackIn(trace);
}

function itemAt({ isTile, list }: Trace, position: number): Element | null {
  if (!isTile) return (list?.isConnected && list.children[position]) || null;
  return (list?.isConnected ? list : document).querySelector(`[aria-posinset="${position}"]`);
}

/** The row itself; of a tile the button of the same kind. */
function targetIn(item: Element, button: number): HTMLElement | null {
  const row = item.matches(ROW) ? item : item.querySelector(ROW);
  if (row instanceof HTMLElement) return row;
  const buttons = buttonsOf(item);
  return buttons[button] ?? buttons[0] ?? null;
}

/** The nearest marked place around what has gone; in a dialog the dialog, which may have an opener of its own. */
function fallbackIn(trace: Trace | null): HTMLElement | null {
  for (const ancestor of trace?.ancestors ?? []) {
    if (!isThere(ancestor)) {
      const opener = openers.get(ancestor);
      if (opener) return successorOf(opener);
      continue;
    }
    const marked = ancestor.querySelector<HTMLElement>(FALLBACK);
    if (marked) return marked.querySelector<HTMLElement>('[aria-selected="true"]') ?? marked;
    if (ancestor.matches(DIALOG)) return ancestor;
  }
  return document.querySelector<HTMLElement>('h1[tabindex]') ?? document.getElementById('main');
}

/** On the page, and in no dialog that is closing. */
function isThere(element: HTMLElement): boolean {
  return element.isConnected && element.closest(DIALOG)?.getAttribute('data-state') !== 'closed';
}

function openDialog(): HTMLElement | null {
  const dialogs = document.querySelectorAll<HTMLElement>('[role$="dialog"][data-state="open"]');
  return [...dialogs].at(-1) ?? null;
}

function positionOf(item: HTMLElement): Pick<Trace, 'position' | 'count'> {
  const siblings = [...(item.parentElement?.children ?? [])];
  return item.matches(TILE)
    ? {
        position: Number(item.getAttribute('aria-posinset')),
        count: Number(item.getAttribute('aria-setsize')),
      }
    : { position: siblings.indexOf(item), count: siblings.length };
}

/** A virtual list takes what is far from sight out of the page; the list is as long as before. */
function isScrolledAway({ item, list, count }: Trace): boolean {
  const left = list?.isConnected ? list.querySelector('[aria-setsize]') : null;
  return !item?.isConnected && left !== null && Number(left.getAttribute('aria-setsize')) >= count;
}

function buttonsOf(item: Element): HTMLElement[] {
  return [...item.querySelectorAll<HTMLElement>('button')];
}

/** Of its parent: the control itself may be lifted while the pointer is over it. */
function topOf(control: HTMLElement): number {
  return control.parentElement?.getBoundingClientRect().top ?? 0;
}
