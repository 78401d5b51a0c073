import { useEffect, useState, type KeyboardEvent, type MouseEvent, type PointerEvent } from 'react';
import { positionInList } from '../../../ui/focus.ts';
import type { Selection } from './selection.ts';

const LONG_PRESS_MS = 500;
/** A finger that moves further scrolls. */
const MOVE_PX = 10;
/** Within which a click belongs to the pointer that was released. */
const CLICK_MS = 100;

/** The pointer that is down: a finger that may press long, or a mouse that may drag. */
class PointerGesture {
  /** The photo on which the mouse was pressed. */
  draggedFrom: string | null = null;
  /** A long press or a drag ends with a click, which must not toggle again. */
  ignoresNextClick = false;
  #press: { timer: number; x: number; y: number } | null = null;
  #clickTimer = 0;

  get isPressed(): boolean {
    return this.#press !== null;
  }

  begin(): void {
    this.cancelPress();
    clearTimeout(this.#clickTimer);
    this.ignoresNextClick = false;
    this.draggedFrom = null;
  }

  press({ clientX: x, clientY: y }: PointerEvent, onLongPress: () => void): void {
    const timer = window.setTimeout(() => {
      this.#press = null;
      this.ignoresNextClick = true;
      onLongPress();
    }, LONG_PRESS_MS);
    this.#press = { timer, x, y };
  }

  move({ clientX, clientY, buttons }: PointerEvent): void {
    if (this.#press && Math.hypot(clientX - this.#press.x, clientY - this.#press.y) > MOVE_PX)
      this.cancelPress();
    // The release was missed, as that over a menu of the system.
    if (buttons === 0) this.draggedFrom = null;
  }

  cancelPress(): void {
    if (this.#press) clearTimeout(this.#press.timer);
    this.#press = null;
  }

  end(): void {
    this.cancelPress();
    this.draggedFrom = null;
    clearTimeout(this.#clickTimer);
    this.#clickTimer = window.setTimeout(() => (this.ignoresNextClick = false), CLICK_MS);
  }
}

interface Gestures {
  pointer: PointerGesture;
  selection: Selection;
  ids: readonly string[];
  idOf: (target: EventTarget) => string | undefined;
}

/**
 * Props of the list's element. Ctrl or Cmd with a click, Shift with a click, `x` and a long press enter selection mode. In it, a
 * click toggles a photo, Shift with a click selects a range, dragging the mouse selects photos, and Escape leaves the mode.
 */
export function useSelectGestures(selection: Selection | null, ids: readonly string[]) {
  const [pointer] = useState(() => new PointerGesture());
  useEffect(() => {
    const end = () => pointer.end();
    // The pointer may be released outside the list.
    const types = ['pointerup', 'pointercancel'];
    for (const type of types) window.addEventListener(type, end);
    return () => {
      for (const type of types) window.removeEventListener(type, end);
      pointer.cancelPress();
    };
  }, [pointer]);
  if (!selection) return {};
  const idOf = (target: EventTarget): string | undefined => {
    const tile = tileOf(target);
    return tile ? ids[positionInList(tile) - 1] : undefined;
  };
  const gestures = { pointer, selection, ids, idOf };
  return { ...pressAndDrag(gestures), ...click(gestures), ...keys(gestures) };
}

function pressAndDrag({ pointer, selection, ids, idOf }: Gestures) {
  return {
    onPointerDown(event: PointerEvent<HTMLElement>) {
      pointer.begin();
      const id = idOf(event.target);
      // A second finger zooms.
      if (!id || event.button !== 0 || !event.isPrimary) return;
      if (event.pointerType !== 'mouse') pointer.press(event, () => selection.toggle(id));
      else if (selection.isActive() && !event.shiftKey) pointer.draggedFrom = id;
    },
    onPointerMove(event: PointerEvent<HTMLElement>) {
      pointer.move(event);
      const { draggedFrom } = pointer;
      const id = draggedFrom === null ? undefined : idOf(event.target);
      if (draggedFrom === null || !id || (id === draggedFrom && !pointer.ignoresNextClick)) return;
      if (!pointer.ignoresNextClick) {
        pointer.ignoresNextClick = true;
        selection.toggle(draggedFrom);
      }
      selection.extendTo(id, ids);
    },
    // Android opens a menu for the photo, or drags it, otherwise.
    onContextMenu(event: MouseEvent<HTMLElement>) {
      if (pointer.ignoresNextClick || pointer.isPressed) event.preventDefault();
    },
    onDragStart(event: MouseEvent<HTMLElement>) {
      if (selection.isActive() || pointer.isPressed) event.preventDefault();
    },
  };
}

function click({ pointer, selection, ids, idOf }: Gestures) {
  return {
    // Shift would select text.
    onMouseDown(event: MouseEvent<HTMLElement>) {
      if (event.shiftKey && idOf(event.target)) event.preventDefault();
    },
    onClickCapture(event: MouseEvent<HTMLElement>) {
      const isStart = event.shiftKey || event.ctrlKey || event.metaKey;
      const id = idOf(event.target);
      // The keyboard's clicks have no detail.
      const isIgnored = pointer.ignoresNextClick && event.detail > 0;
      if (!id || (!isIgnored && !isStart && !selection.isActive())) return;
      event.preventDefault();
      event.stopPropagation();
      pointer.ignoresNextClick = false;
      if (isIgnored) return;
      if (event.shiftKey) selection.extendTo(id, ids);
      else selection.toggle(id);
      focusPhoto(event.target);
    },
  };
}

function keys({ selection, idOf }: Gestures) {
  return {
    onKeyDownCapture(event: KeyboardEvent<HTMLElement>) {
      const id = idOf(event.target);
      if (!id || event.altKey || event.ctrlKey || event.metaKey) return;
      if (event.key === 'Escape' && selection.isActive()) selection.end();
      else if (isX(event)) selection.toggle(id);
      else return;
      focusPhoto(event.target);
      event.preventDefault();
      event.stopPropagation();
    },
  };
}

/** By the key's place on keyboards of other scripts. */
function isX({ key, code }: KeyboardEvent): boolean {
  return key === 'x' || (code === 'KeyX' && key.length === 1 && !/[a-z]/i.test(key));
}

function tileOf(target: EventTarget): HTMLElement | null {
  return target instanceof Element ? target.closest<HTMLElement>('[aria-posinset]') : null;
}

/** The card's other buttons are hidden while selecting. */
function focusPhoto(target: EventTarget): void {
  tileOf(target)?.querySelector('button')?.focus({ preventScroll: true });
}
