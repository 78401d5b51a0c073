// @vitest-environment jsdom
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { BookEngine } from './book-engine.ts';
import { addPointerControls } from './pointer-controls.ts';

const FRAME_MS = 16;
const TURN_MS = 800;
const WIDE = { width: 1280, height: 800 };
const NARROW = { width: 600, height: 800 };

/** The browser's frames, on a clock of the tests. */
let frames: Map<number, FrameRequestCallback>;
let now: number;
let resize: () => void;
let observers: number;
let isMotionReduced: boolean;
/** Of the stage. */
let size: { width: number; height: number };
let listeners: AbortController;

beforeEach(() => {
  frames = new Map();
  now = 0;
  observers = 0;
  isMotionReduced = false;
  listeners = new AbortController();
  let lastId = 0;
  vi.stubGlobal('requestAnimationFrame', (callback: FrameRequestCallback) => {
    frames.set(++lastId, callback);
    return lastId;
  });
  vi.stubGlobal('cancelAnimationFrame', (id: number) => frames.delete(id));
  vi.stubGlobal(
    'ResizeObserver',
    class {
      constructor(callback: () => void) {
        resize = callback;
      }
      observe = () => void observers++;
      disconnect = () => void observers--;
    },
  );
});
afterEach(() => {
  listeners.abort();
  document.body.replaceChildren();
  vi.unstubAllGlobals();
});

/** A book of as many memories, with its cover and its end. */
function openBook(memories: number, stageSize = WIDE) {
  size = { ...stageSize };
  const stage = document.createElement('div');
  Object.defineProperties(stage, {
    clientWidth: { get: () => size.width },
    clientHeight: { get: () => size.height },
    // jsdom captures no pointers.
    setPointerCapture: { value: () => {} },
  });
  document.body.append(stage);
  const opened: number[] = [];
  let visible: number[] = [];
  const layouts: { isWide: boolean; pageWidth: number; pageHeight: number }[] = [];
  const engine = new BookEngine({
    stage,
    total: 2 * memories + 2,
    startPage: 0,
    onTurn: (page) => opened.push(page),
    onVisiblePages: (pages) => (visible = pages),
    onLayout: (layout) => layouts.push(layout),
    isMotionReduced: () => isMotionReduced,
  });
  const layout = () => layouts.at(-1)!;
  const bookWidth = () => layout().pageWidth * (layout().isWide ? 2 : 1);
  // Centered in the stage. The open book's offset is 0.
  engine.book.getBoundingClientRect = () =>
    new DOMRect((size.width - bookWidth()) / 2, 0, bookWidth(), layout().pageHeight);
  addPointerControls(engine, () => isMotionReduced, listeners.signal);
  const page = (index: number) => engine.pages[index]!;
  return {
    engine,
    opened,
    layout,
    page,
    /** Pages that are shown, in the book's order. */
    shown: () => engine.pages.flatMap(({ dataset }, index) => (dataset['side'] ? [index] : [])),
    /** Pages whose content React renders. */
    reported: () => visible.toSorted((one, other) => one - other),
    turning: () =>
      engine.pages.flatMap(({ dataset }, index) => (dataset['turning'] === 'true' ? [index] : [])),
    /** In radians; 0 for a flat page. */
    angle: (index: number) => Number(/rotateY\((-?[\d.]+)rad\)/.exec(page(index).style.transform)?.[1] ?? 0),
    offset: () => parseFloat(engine.book.style.translate),
    spine: () => size.width / 2,
    point(type: string, x: number, { buttons = 1, y = 200 } = {}) {
      const event = new MouseEvent(type, { clientX: x, clientY: y, buttons, bubbles: true });
      Object.assign(event, { pointerId: 1, isPrimary: true });
      stage.dispatchEvent(event);
    },
  };
}

type Book = ReturnType<typeof openBook>;

function nextFrame(): boolean {
  const due = [...frames.values()];
  frames.clear();
  now += FRAME_MS;
  for (const callback of due) callback(now);
  return due.length > 0;
}

function pass(ms: number, onFrame = () => {}): void {
  for (const end = now + ms; now < end;) {
    nextFrame();
    onFrame();
  }
}

/** Until the book asks for no more frames. @returns the number of frames */
function untilAtRest(onFrame = () => {}): number {
  let count = 0;
  for (; nextFrame(); onFrame()) if (++count > 1000) throw new Error('The book never comes to rest');
  return count;
}

function open(book: Book, page: number): void {
  book.engine.goTo(page);
  untilAtRest();
  book.opened.length = 0;
}

describe('a turn', () => {
  it('rotates both pages of one leaf from flat to flat, and ends after its duration', () => {
    const book = openBook(5);
    open(book, 1);
    book.engine.turn(1);
    expect(book.opened).toEqual([3]);
    const fronts: number[] = [];
    const count = untilAtRest(() => {
      if (book.turning().length === 0) return;
      expect(book.turning()).toEqual([2, 3]);
      fronts.push(book.angle(2));
      // The back of the same leaf.
      expect(book.angle(3)).toBeCloseTo(Math.PI + book.angle(2), 4);
    });
    expect(fronts).toEqual(fronts.toSorted((one, other) => other - one));
    expect(fronts[0]).toBe(0);
    expect(fronts.at(-1)).toBeLessThan(-3);
    expect(Math.abs(count * FRAME_MS - TURN_MS)).toBeLessThan(3 * FRAME_MS);
    expect(book.shown()).toEqual([3, 4]);
    expect([book.page(3).style.transform, book.page(4).style.transform]).toEqual(['', '']);
  });

  it.each([
    ['End', 11],
    ['Home', 0],
    ['a jump', 7],
  ])('shows in every frame the pages that it has reported: %s', (_, target) => {
    const book = openBook(5);
    open(book, 5);
    book.engine.goTo(target);
    const expectWhole = () => {
      expect(book.shown().length).toBeGreaterThan(0);
      expect(book.shown()).toEqual(book.reported());
    };
    expectWhole();
    untilAtRest(expectWhole);
    expect(book.shown()).toEqual(target === 11 ? [11] : target === 0 ? [0] : [7, 8]);
  });

  it('slides the closed book from the middle, so that the open one has its spine there', () => {
    const book = openBook(3);
    const { pageWidth } = book.layout();
    expect(book.offset()).toBe(-pageWidth / 2);
    open(book, 1);
    expect(book.offset()).toBeCloseTo(0);
    book.engine.goTo(7);
    untilAtRest();
    expect(book.offset()).toBe(pageWidth / 2);
    const offsets: number[] = [];
    book.engine.goTo(5);
    untilAtRest(() => offsets.push(book.offset()));
    expect(offsets).toEqual(offsets.toSorted((one, other) => other - one));
    expect(offsets.at(-1)).toBeCloseTo(0);
  });

  it('is reversed from its current angle', () => {
    const book = openBook(5);
    open(book, 3);
    book.engine.turn(1);
    pass(TURN_MS / 2);
    const angle = book.angle(4);
    expect(angle).toBeLessThan(-0.5);
    book.engine.turn(-1);
    expect(book.angle(4)).toBe(angle);
    const angles = [angle];
    untilAtRest(() => angles.push(book.angle(4)));
    expect(angles).toEqual(angles.toSorted((one, other) => one - other));
    expect([book.opened, book.shown()]).toEqual([
      [5, 3],
      [3, 4],
    ]);
  });

  it('may follow others before they have ended', () => {
    const book = openBook(5);
    for (let presses = 0; presses < 5; presses++) {
      book.engine.turn(1);
      pass(2 * FRAME_MS);
    }
    expect(book.turning().length).toBeGreaterThan(2);
    untilAtRest();
    expect([book.opened.at(-1), book.shown()]).toEqual([9, [9, 10]]);
    for (const page of [0, 11, 0, 1]) {
      book.engine.goTo(page);
      pass(2 * FRAME_MS);
    }
    untilAtRest();
    expect([book.shown(), book.turning()]).toEqual([[1, 2], []]);
  });

  it('has no motion if reduced motion is preferred', () => {
    const book = openBook(3);
    isMotionReduced = true;
    book.engine.turn(1);
    expect([frames.size, book.turning(), book.shown()]).toEqual([0, [], [1, 2]]);
    book.point('pointerdown', book.spine() + 200);
    book.point('pointermove', book.spine());
    expect(book.turning()).toEqual([]);
    book.point('pointerup', book.spine());
    expect([frames.size, book.turning(), book.shown()]).toEqual([0, [], [3, 4]]);
  });
});

describe('another size of the window', () => {
  it('keeps the page, also during a turn', () => {
    const book = openBook(3);
    open(book, 5);
    expect(book.shown()).toEqual([5, 6]);
    size = { ...NARROW };
    resize();
    expect([book.layout().isWide, book.shown()]).toEqual([false, [5]]);
    size = { ...WIDE };
    resize();
    expect([book.layout().isWide, book.shown()]).toEqual([true, [5, 6]]);
    book.engine.turn(-1);
    pass(TURN_MS / 4);
    size = { ...NARROW };
    resize();
    expect([book.shown(), book.turning()]).toEqual([[3], []]);
    untilAtRest();
    expect(book.shown()).toEqual([3]);
    size = { width: 1280, height: 300 };
    resize();
    expect(book.layout().pageHeight).toBeLessThanOrEqual(300);
  });
});

describe('a drag', () => {
  const setUp = () => {
    const book = openBook(3);
    open(book, 1);
    const { pageWidth } = book.layout();
    return { book, pageWidth, at: (share: number) => book.spine() + pageWidth * share };
  };

  it('holds the edge of the page under the pointer', () => {
    const { book, pageWidth, at } = setUp();
    book.point('pointerdown', at(0.98));
    for (const share of [0.8, 0.5, 0.2, -0.5]) {
      book.point('pointermove', at(share));
      expect(book.turning()).toEqual([2, 3]);
      // It was taken at 0.98 of the page's width.
      const held = Math.cos(book.angle(2)) * 0.98 * pageWidth;
      expect(held).toBeCloseTo(at(share) - book.spine(), 0);
    }
    // It waits for the pointer.
    const angle = book.angle(2);
    pass(TURN_MS);
    expect(book.angle(2)).toBe(angle);
  });

  it.each([
    ['turns the page', 0.3, 3],
    ['falls back near its start', 0.96, null],
  ])('%s on release', (_, share, page) => {
    const { book, at } = setUp();
    book.point('pointerdown', at(0.98));
    book.point('pointermove', at(0.5));
    book.point('pointermove', at(share));
    book.point('pointerup', at(share), { buttons: 0 });
    untilAtRest();
    expect(book.opened).toEqual(page === null ? [] : [page]);
    expect([book.shown(), book.turning()]).toEqual([page === null ? [1, 2] : [3, 4], []]);
  });

  it('falls back when the browser cancels it', () => {
    const { book, at } = setUp();
    book.point('pointerdown', at(0.98));
    book.point('pointermove', at(-0.3));
    book.point('pointercancel', at(-0.3));
    book.point('pointerup', at(-0.3), { buttons: 0 });
    untilAtRest();
    expect([book.opened, book.shown()]).toEqual([[], [1, 2]]);
  });

  it('does not begin with a button that was released elsewhere', () => {
    const { book, at } = setUp();
    book.point('pointerdown', at(0.9));
    book.point('pointermove', at(0.9), { buttons: 0 });
    book.point('pointermove', at(0.4));
    expect(book.turning()).toEqual([]);
  });

  it('goes on from its angle when a key turns back, which its release does not change', () => {
    const { book, at } = setUp();
    book.point('pointerdown', at(0.9));
    book.point('pointermove', at(0));
    const angle = book.angle(2);
    expect(angle).toBeLessThan(-1);
    book.engine.turn(-1);
    expect(book.angle(2)).toBe(angle);
    nextFrame();
    expect(book.angle(2)).toBe(angle);
    book.point('pointerup', at(0), { buttons: 0 });
    untilAtRest();
    expect([book.opened, book.shown()]).toEqual([[0], [0]]);
  });

  it('in the margin beside the book is a swipe, and a vertical one is none', () => {
    const { book, at } = setUp();
    book.point('pointerdown', at(0.9));
    book.point('pointermove', at(0.85), { y: 400 });
    book.point('pointerup', at(0.85), { buttons: 0, y: 900 });
    expect([book.opened, book.turning()]).toEqual([[], []]);
    book.point('pointerdown', at(1.05));
    book.point('pointermove', at(0.9));
    book.point('pointerup', at(0.9), { buttons: 0 });
    untilAtRest();
    expect(book.opened).toEqual([3]);
  });
});

it('a destroyed book leaves no frame, no observer and no element', () => {
  const book = openBook(3);
  book.engine.turn(1);
  pass(3 * FRAME_MS);
  expect([frames.size, observers, document.querySelectorAll('.book').length]).toEqual([1, 1, 1]);
  book.engine.destroy();
  expect([frames.size, observers, document.querySelectorAll('.book').length]).toEqual([0, 0, 0]);
});
