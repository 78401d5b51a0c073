import { SWIPE_PX, type BookEngine } from './book-engine.ts';

/** As far as a finger trembles. */
const TREMBLE_PX = 8;
/** A dragged page does not slide, it lifts. */
const LIFT_PX = 60;

interface Drag {
  pointer: number;
  startX: number;
  startY: number;
  /** Forward or back, once that is clear. */
  by: 1 | -1 | null;
}

/** Lets a book's pages be dragged, swiped and pressed; a mouse near a corner lifts it a little. Ends with the signal. */
export function turnByHand(engine: BookEngine, isStill: () => boolean, signal: AbortSignal): void {
  const { block } = engine;
  let drag: Drag | null = null;

  const on = <Name extends keyof HTMLElementEventMap>(
    name: Name,
    listener: (event: HTMLElementEventMap[Name]) => void,
  ) => block.addEventListener(name, listener, { signal });

  on('pointerdown', (event) => {
    if (!event.isPrimary || event.button !== 0 || isControl(event.target)) return;
    drag = { pointer: event.pointerId, startX: event.clientX, startY: event.clientY, by: null };
  });

  on('pointermove', (event) => {
    if (!drag) {
      if (event.pointerType === 'mouse' && !isStill()) engine.hint(within(block, event));
      return;
    }
    if (event.pointerId !== drag.pointer) return;
    const dx = event.clientX - drag.startX;
    const dy = event.clientY - drag.startY;
    if (drag.by === null) {
      if (Math.abs(dx) < TREMBLE_PX || Math.abs(dx) < Math.abs(dy)) return;
      drag.by = dx < 0 ? 1 : -1;
      block.setPointerCapture(drag.pointer);
      if (!isStill() && engine.canTurn(drag.by)) engine.lift(drag.by, cornerNear(drag));
    }
    if (!isStill() && engine.canTurn(drag.by)) follow(drag, drag.by, dx, dy);
  });

  on('pointerup', (event) => {
    if (event.pointerId !== drag?.pointer) return;
    const { by, startX } = drag;
    drag = null;
    if (by === null) press(event);
    else if (!engine.canTurn(by)) return;
    else letGo(by, (startX - event.clientX) * by >= SWIPE_PX);
  });

  on('pointercancel', (event) => {
    if (event.pointerId !== drag?.pointer) return;
    const { by } = drag;
    drag = null;
    if (by !== null && engine.canTurn(by)) letGo(by, false);
  });

  on('pointerleave', (event) => {
    if (!drag && event.pointerType === 'mouse' && !isStill()) engine.hint({ x: -1, y: -1 });
  });

  /** The page's corner goes as far as it takes for the hand to lay it down at the book's other edge. */
  function follow(drag: Drag, by: 1 | -1, dx: number, dy: number): void {
    const { left, width, pageWidth } = engine.rect;
    const startX = within(block, { clientX: drag.startX, clientY: drag.startY }).x;
    const firstX = engine.isWide ? left : left + pageWidth;
    const room = by === 1 ? startX - firstX : left + width - startX;
    const pace = width / Math.min(width, Math.max(pageWidth * 0.75, room));
    const travelled = Math.max(1, -dx * by * pace);
    const corner = cornerNear(drag);
    const inwards = corner === 'top' ? 1 : -1;
    const lift = Math.min(LIFT_PX, travelled * 0.12) + Math.max(0, dy * inwards) / 2;
    const { x, y } = engine.cornerAt(by, corner);
    // A single page that comes back is out of sight until it is nearly upright.
    const beyondSight = by === -1 && !engine.isWide ? pageWidth * 0.8 : 0;
    const shown = travelled * (1 - beyondSight / width) + beyondSight;
    engine.fold({ x: x - by * shown, y: y + inwards * lift });
  }

  function cornerNear({ startX, startY }: Drag): 'top' | 'bottom' {
    const { top, height } = engine.rect;
    return within(block, { clientX: startX, clientY: startY }).y < top + height / 2 ? 'top' : 'bottom';
  }

  function letGo(by: 1 | -1, isTurned: boolean): void {
    if (isStill()) {
      if (isTurned) engine.turn(by);
    } else engine.release(by, isTurned);
  }

  /** Right of the middle leads on, left of it back; of a single page, its left third. */
  function press(event: PointerEvent): void {
    const { left, width, pageWidth, top, height } = engine.rect;
    const { x, y } = within(block, event);
    const share = engine.isWide ? (x - left) / width : (x - left - pageWidth) / pageWidth;
    if (share < 0 || share > 1 || y < top || y > top + height) return;
    engine.turn(share < (engine.isWide ? 1 / 2 : 1 / 3) ? -1 : 1, y < top + height / 2 ? 'top' : 'bottom');
  }
}

/** What is pressed for itself, and text that scrolls by dragging its bar. */
function isControl(target: EventTarget | null): boolean {
  return target instanceof Element && target.closest('button, a') !== null;
}

function within(block: HTMLElement, { clientX, clientY }: Pick<PointerEvent, 'clientX' | 'clientY'>) {
  const { left, top } = block.getBoundingClientRect();
  return { x: clientX - left, y: clientY - top };
}
