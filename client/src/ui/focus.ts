/*
 * A closing dialog returns the focus to its opener; a removed list item passes it to its neighbor, or to the nearest
 * `data-focus-fallback` if the list is empty.
 */

const CONTROL = 'a[href], button, input, select, textarea, [tabindex]:not([data-radix-focus-guard])';
const DIALOG = '[role="dialog"], [role="alertdialog"]';
/** Rows and cards are focusable themselves. Memories are in virtual lists, with their position in an attribute. */
const ROW = 'li[tabindex], article[tabindex]';
const TILE = '[data-memory-list] [aria-posinset]';
export const NOTIFICATIONS_ID = 'notifications';
const MAX_OPENERS = 8;

/** A control and its position, for when it has been removed. */
interface FocusRecord {
  control: HTMLElement;
  /** Its removal moves the focus: it is part of a list's item, or a dialog has returned the focus to it. */
  isFollowed: boolean;
  ancestors: HTMLElement[];
  item: HTMLElement | null;
  isTile: boolean;
  list: HTMLElement | null;
  /** The item's position in its list, and the list's length. */
  position: number;
  count: number;
  /** The control's index among its item's buttons. */
  button: number;
  top: number;
}

/** The control focused or clicked last. Safari does not focus a button on click. */
let last: FocusRecord | null = null;
/** The control that opened a dialog; null if it opened without one. */
let openers = new WeakMap<HTMLElement, FocusRecord | null>();
let recentOpeners: FocusRecord[] = [];

export function trackFocus(): () => void {
  const listeners = new AbortController();
  const options = { capture: true, signal: listeners.signal };
  document.addEventListener('focusin', recordFocus, options);
  document.addEventListener('click', recordFocus, options);
  document.addEventListener('focusout', forgetIfBlurred, options);
  const observer = new MutationObserver(moveFocusAfterRemoval);
  observer.observe(document.body, { childList: true, subtree: true, attributeFilter: ['aria-setsize'] });
  return () => {
    listeners.abort();
    observer.disconnect();
    last = null;
    openers = new WeakMap();
    recentOpeners = [];
  };
}

/** For `onCloseAutoFocus` of every dialog: focuses its opener, or what replaced it. */
export function returnFocus(event: Event): void {
  event.preventDefault();
  const opener = openers.get(event.currentTarget as HTMLElement) ?? null;
  const target = opener ? findReplacement(opener) : fallbackFocusTarget(null);
  const dialog = openDialog();
  if (dialog && !(target && dialog.contains(target))) {
    // This dialog replaces the closing one, whose focus trap may have taken the focus back.
    if (!dialog.contains(document.activeElement))
      dialog.querySelector<HTMLElement>('input, textarea, select, button')?.focus();
    return;
  }
  // Another page has the focus already.
  if (target !== opener?.control && document.activeElement !== document.body) return;
  if (opener) last = { ...opener };
  // Keeps the scroll position, even if the control is only partly in view.
  target?.focus({ preventScroll: target === opener?.control && topOf(target) === opener.top });
  if (last) last.isFollowed = true;
}

/** Makes the open dialog return the focus to another element than its opener. */
export function returnFocusTo(target: HTMLElement | null): void {
  const dialog = openDialog();
  if (dialog && target) setOpener(dialog, recordOf(target));
}

/** The same, to the item at a position of its opener's list; to the opener itself if that is still there. */
export function returnFocusToPosition(position: number): void {
  const dialog = openDialog();
  const opener = dialog && openers.get(dialog);
  if (!opener || (opener.control.isConnected && positionInList(opener.control) === position)) return;
  const items = [position, position - 1].map((at) => itemAt(opener, at));
  const target = items.map((item) => item?.querySelector('button')).find((button) => !!button);
  returnFocusTo(target ?? fallbackFocusTarget(null));
}

/** The position of a control's item in a virtual list, counted from 1. */
export function positionInList(control: Element): number {
  return Number(control.closest('[aria-posinset]')?.getAttribute('aria-posinset') ?? 0);
}

/** Whether a modal dialog is open that does not contain the element. */
export function isBehindDialog(element: HTMLElement | null): boolean {
  const dialog = openDialog();
  return dialog !== null && !dialog.contains(element);
}

export function isNotification(target: EventTarget | null): boolean {
  return target instanceof Element && target.closest(`#${NOTIFICATIONS_ID}`) !== null;
}

function recordFocus({ target }: Event): void {
  const focused = target instanceof Element ? target.closest<HTMLElement>(CONTROL) : null;
  if (!focused || isNotification(focused)) return;
  const dialog = focused.closest<HTMLElement>(DIALOG);
  if (dialog && !openers.has(dialog)) setOpener(dialog, last);
  const menu = focused.closest('[role="menu"]');
  const control = menu ? document.getElementById(menu.getAttribute('aria-labelledby') ?? '') : focused;
  if (control && control !== last?.control) last = recordOf(control);
}

/** The removal of a control that was blurred on purpose moves no focus. */
function forgetIfBlurred({ target, relatedTarget }: FocusEvent): void {
  if (relatedTarget) return;
  // Deferred: browsers also fire this while a control is being removed.
  queueMicrotask(() => {
    const isLeft = target instanceof Node && target.isConnected && target !== document.activeElement;
    if (isLeft && target === last?.control) last.isFollowed = false;
  });
}

function moveFocusAfterRemoval(): void {
  for (const record of [last, ...recentOpeners])
    if (record?.item && record.control.isConnected) Object.assign(record, positionOf(record.item));
  if (!last?.isFollowed || last.control.isConnected || document.activeElement !== document.body) return;
  if (isScrolledAway(last)) return;
  const target = findReplacement(last);
  if (target && !isBehindDialog(target)) target.focus();
}

function setOpener(dialog: HTMLElement, opener: FocusRecord | null): void {
  openers.set(dialog, opener);
  if (!opener) return;
  opener.top = topOf(opener.control);
  recentOpeners = [opener, ...recentOpeners.slice(0, MAX_OPENERS - 1)];
}

function recordOf(control: HTMLElement): FocusRecord {
  const ancestors: HTMLElement[] = [];
  for (let at = control.parentElement; at; at = at.parentElement) ancestors.push(at);
  const tile = control.closest<HTMLElement>(TILE);
  const row = control.closest<HTMLElement>(ROW);
  const item = tile ?? row?.closest('li') ?? row;
  return {
    control,
    isFollowed: item !== null,
    ancestors,
    item,
    isTile: tile !== null,
    list: item?.closest<HTMLElement>('[data-memory-list]') ?? item?.parentElement ?? null,
    ...(item ? positionOf(item) : { position: 0, count: 0 }),
    button: item ? buttonsOf(item).indexOf(control) : -1,
    top: topOf(control),
  };
}

/** The control or its replacement; null while that is loading. */
function findReplacement(record: FocusRecord): HTMLElement | null {
  if (isThere(record.control)) return record.control;
  const { item, isTile, position } = record;
  if (!item) return fallbackFocusTarget(record);
  const neighbors = [position, position - 1].map((at) => itemAt(record, at));
  // The timeline shows a placeholder until the memory is loaded.
  if (isTile && neighbors[0]?.querySelector('button') === null) return null;
  for (const neighbor of neighbors) {
    const target = neighbor && targetIn(neighbor, record.button);
    if (target) return target;
  }
  return fallbackFocusTarget(record);
}

function itemAt({ isTile, list }: FocusRecord, position: number): Element | null {
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

/** The nearest marked element around a removed control. A closed dialog's opener is preferred to the page. */
function fallbackFocusTarget(record: FocusRecord | null): HTMLElement | null {
  for (const ancestor of record?.ancestors ?? []) {
    if (!isThere(ancestor)) {
      const opener = openers.get(ancestor);
      if (opener) return findReplacement(opener);
      continue;
    }
    const marked = ancestor.querySelector<HTMLElement>('[data-focus-fallback]');
    if (marked) return marked.querySelector<HTMLElement>('[aria-selected="true"]') ?? marked;
    if (ancestor.matches(DIALOG)) return ancestor;
  }
  return document.querySelector<HTMLElement>('h1[tabindex]') ?? document.getElementById('main');
}

/** In the document, and not in a dialog that is closing. */
function isThere(element: HTMLElement): boolean {
  return element.isConnected && element.closest(DIALOG)?.getAttribute('data-state') !== 'closed';
}

function openDialog(): HTMLElement | null {
  const dialogs = document.querySelectorAll<HTMLElement>('[role$="dialog"][data-state="open"]');
  return [...dialogs].at(-1) ?? null;
}

function positionOf(item: HTMLElement): Pick<FocusRecord, 'position' | 'count'> {
  const siblings = [...(item.parentElement?.children ?? [])];
  return item.matches(TILE)
    ? { position: positionInList(item), count: Number(item.getAttribute('aria-setsize')) }
    : { position: siblings.indexOf(item), count: siblings.length };
}

/** Unmounted by its virtual list, which is as long as before. */
function isScrolledAway({ item, list, count }: FocusRecord): boolean {
  if (!item) return false;
  const left = list?.isConnected ? list.querySelector('[aria-setsize]') : null;
  return !item.isConnected && left !== null && Number(left.getAttribute('aria-setsize')) >= count;
}

function buttonsOf(item: Element): HTMLElement[] {
  return [...item.querySelectorAll<HTMLElement>('button')];
}

/** Measures the parent, since a card moves on hover. */
function topOf(control: HTMLElement): number {
  return control.parentElement?.getBoundingClientRect().top ?? 0;
}
