import { useEffect, useRef, type KeyboardEvent, type MouseEvent, type PointerEvent } from 'react';
import { positionInList } from '../../../ui/focus.ts';
import type { Selection } from './selection.ts';

const LONG_PRESS_MS = 500;
/** A finger that moves further scrolls. */
const MOVE_PX = 10;
/** Within which a click belongs to the pointer that was released. */
const CLICK_MS = 100;

/**
 * Props of the list's element. Ctrl or Cmd with a click, Shift with a click, `x` and a long press enter selection mode. In it, a
 * click toggles a photo, Shift with a click selects a range, dragging the mouse selects photos, and Escape leaves the mode.
 */
export function useSelectGestures(selection: Selection | null, ids: readonly string[]) {
  const press = useRef<{ timer: number; x: number; y: number } | null>(null);
  const drag = useRef<{ from: string } | null>(null);
  /** A long press or a drag ends with a click, which must not toggle again. */
  const ignoresNextClick = useRef(false);
  const clickTimer = useRef(0);
  const cancelPress = () => {
    if (press.current) clearTimeout(press.current.timer);
    press.current = null;
  };
  useEffect(() => {
    const endPress = () => {
      cancelPress();
      drag.current = null;
      clearTimeout(clickTimer.current);
      clickTimer.current = window.setTimeout(() => (ignoresNextClick.current = false), CLICK_MS);
    };
    // The pointer may be released outside the list.
    const types = ['pointerup', 'pointercancel'];
    for (const type of types) window.addEventListener(type, endPress);
    return () => {
      for (const type of types) window.removeEventListener(type, endPress);
      cancelPress();
    };
  }, []);
  if (!selection) return {};

  const idOf = (target: EventTarget): string | undefined => {
    const tile = tileOf(target);
    return tile ? ids[positionInList(tile) - 1] : undefined;
  };

  return {
    onPointerDown(event: PointerEvent<HTMLElement>) {
      cancelPress();
      clearTimeout(clickTimer.current);
      ignoresNextClick.current = false;
      drag.current = null;
      const id = idOf(event.target);
      // A second finger zooms.
      if (!id || event.button !== 0 || !event.isPrimary) return;
      if (event.pointerType === 'mouse') {
        if (selection.isActive() && !event.shiftKey) drag.current = { from: id };
        return;
      }
      const timer = window.setTimeout(() => {
        press.current = null;
        ignoresNextClick.current = true;
        selection.toggle(id);
      }, LONG_PRESS_MS);
      press.current = { timer, x: event.clientX, y: event.clientY };
    },
    onPointerMove({ clientX, clientY, target, buttons }: PointerEvent<HTMLElement>) {
      if (press.current && Math.hypot(clientX - press.current.x, clientY - press.current.y) > MOVE_PX)
        cancelPress();
      // The release was missed, as that over a menu of the system.
      if (buttons === 0) drag.current = null;
      const id = drag.current ? idOf(target) : undefined;
      if (!drag.current || !id || (id === drag.current.from && !ignoresNextClick.current)) return;
      if (!ignoresNextClick.current) {
        ignoresNextClick.current = true;
        selection.toggle(drag.current.from);
      }
      selection.extendTo(id, ids);
    },
    // Shift would select text.
    onMouseDown(event: MouseEvent<HTMLElement>) {
      if (event.shiftKey && idOf(event.target)) event.preventDefault();
    },
    // Android opens a menu for the photo, or drags it, otherwise.
    onContextMenu(event: MouseEvent<HTMLElement>) {
      if (ignoresNextClick.current || press.current) event.preventDefault();
    },
    onDragStart(event: MouseEvent<HTMLElement>) {
      if (selection.isActive() || press.current) event.preventDefault();
    },
    onClickCapture(event: MouseEvent<HTMLElement>) {
      const isStart = event.shiftKey || event.ctrlKey || event.metaKey;
      const id = idOf(event.target);
      // The keyboard's clicks have no detail.
      const isIgnored = ignoresNextClick.current && event.detail > 0;
      if (!id || (!isIgnored && !isStart && !selection.isActive())) return;
      event.preventDefault();
      event.stopPropagation();
      ignoresNextClick.current = false;
      if (isIgnored) return;
      if (event.shiftKey) selection.extendTo(id, ids);
      else selection.toggle(id);
      focusPhoto(event.target);
    },
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
