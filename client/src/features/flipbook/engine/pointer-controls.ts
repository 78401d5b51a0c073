import { SWIPE_PX, type BookEngine } from './book-engine.ts';

/** As far as a finger trembles. */
const TREMBLE_PX = 8;

interface Drag {
  pointer: number;
  startX: number;
  startY: number;
  /** Forward or back, once that is clear. */
  by: 1 | -1 | null;
}

/** Lets pages be dragged, swiped and pressed; a swipe may begin beside the book. Ends with the signal. */
export function turnByHand(engine: BookEngine, isStill: () => boolean, signal: AbortSignal): void {
  const { stage, block } = engine;
  let drag: Drag | null = null;

  const on = <Name extends keyof HTMLElementEventMap>(
    name: Name,
    listener: (event: HTMLElementEventMap[Name]) => void,
  ) => stage.addEventListener(name, listener, { signal });

  on('pointerdown', (event) => {
    if (!event.isPrimary || event.button !== 0 || isControl(event.target)) return;
    drag = { pointer: event.pointerId, startX: event.clientX, startY: event.clientY, by: null };
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
    if (drag.by === null) {
      if (Math.abs(dx) < TREMBLE_PX || Math.abs(dx) < Math.abs(dy)) return;
      drag.by = dx < 0 ? 1 : -1;
      stage.setPointerCapture(drag.pointer);
      if (!isStill() && engine.canTurn(drag.by)) engine.lift(drag.by, drag.startX);
    }
    engine.drag(event.clientX);
  });

  on('pointerup', (event) => {
    if (event.pointerId !== drag?.pointer) return;
    const { by, startX } = drag;
    drag = null;
    if (by === null) press(event);
    else letGo(by, (startX - event.clientX) * by >= SWIPE_PX);
  });

  on('pointercancel', (event) => {
    if (event.pointerId !== drag?.pointer) return;
    const { by } = drag;
    drag = null;
    if (by !== null) letGo(by, false);
  });

  function letGo(by: 1 | -1, isTurned: boolean): void {
    if (!isStill()) engine.release(isTurned);
    else if (isTurned) engine.turn(by);
  }

  /** Right of the middle leads on, left of it back; of a single page, its left third. */
  function press(event: PointerEvent): void {
    const { left, width, top, bottom } = block.getBoundingClientRect();
    const share = (event.clientX - left) / width;
    if (share < 0 || share > 1 || event.clientY < top || event.clientY > bottom) return;
    engine.turn(share < (engine.isWide ? 1 / 2 : 1 / 3) ? -1 : 1);
  }
}

/** Controls on a page: pressing one turns no page. */
function isControl(target: EventTarget | null): boolean {
  return target instanceof Element && target.closest('button, a') !== null;
}
