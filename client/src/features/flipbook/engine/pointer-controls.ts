import { SWIPE_PX, type BookEngine } from './book-engine.ts';

const DRAG_THRESHOLD_PX = 8;

interface Drag {
  pointer: number;
  startX: number;
  startY: number;
  /** Null until the pointer has moved far enough. */
  direction: 1 | -1 | null;
}

/** Turns pages by drag, swipe and click. A swipe may start beside the book. */
export function addPointerControls(
  engine: BookEngine,
  isMotionReduced: () => boolean,
  signal: AbortSignal,
): void {
  const { stage, book } = engine;
  let drag: Drag | null = null;

  const on = <Name extends keyof HTMLElementEventMap>(
    name: Name,
    listener: (event: HTMLElementEventMap[Name]) => void,
  ) => stage.addEventListener(name, listener, { signal });

  on('pointerdown', (event) => {
    if (!event.isPrimary || event.button !== 0 || isControl(event.target)) return;
    drag = { pointer: event.pointerId, startX: event.clientX, startY: event.clientY, direction: null };
  });

  on('pointermove', (event) => {
    if (event.pointerId !== drag?.pointer) return;
    if (event.buttons === 0) {
      // Released outside the stage, before the pointer was captured.
      drag = null;
      return;
    }
    const dx = event.clientX - drag.startX;
    const dy = event.clientY - drag.startY;
    if (drag.direction === null) {
      if (Math.abs(dx) < DRAG_THRESHOLD_PX || Math.abs(dx) < Math.abs(dy)) return;
      drag.direction = dx < 0 ? 1 : -1;
      stage.setPointerCapture(drag.pointer);
      if (!isMotionReduced() && engine.canTurn(drag.direction)) engine.startDrag(drag.direction, drag.startX);
    }
    engine.dragTo(event.clientX);
  });

  on('pointerup', (event) => {
    if (event.pointerId !== drag?.pointer) return;
    const { direction, startX } = drag;
    drag = null;
    if (direction === null) click(event);
    else endDrag(direction, (startX - event.clientX) * direction >= SWIPE_PX);
  });

  on('pointercancel', (event) => {
    if (event.pointerId !== drag?.pointer) return;
    const { direction } = drag;
    drag = null;
    if (direction !== null) endDrag(direction, false);
  });

  function endDrag(direction: 1 | -1, isTurned: boolean): void {
    if (!isMotionReduced()) engine.endDrag(isTurned);
    else if (isTurned) engine.turn(direction);
  }

  /** The left half turns back, or the left third of a single page; the rest turns forward. */
  function click(event: PointerEvent): void {
    const { left, width, top, bottom } = book.getBoundingClientRect();
    const share = (event.clientX - left) / width;
    if (share < 0 || share > 1 || event.clientY < top || event.clientY > bottom) return;
    engine.turn(share < (engine.isWide ? 1 / 2 : 1 / 3) ? -1 : 1);
  }
}

function isControl(target: EventTarget | null): boolean {
  return target instanceof Element && target.closest('button, a') !== null;
}
