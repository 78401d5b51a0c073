/** The part of page-flip 2.0.7 that is used; some of it is private in its source, and the same in its build. */
declare module 'page-flip/dist/js/page-flip.module.js' {
  export interface Point {
    x: number;
    y: number;
  }

  /** Both pages of an open book, within the block; a single one is the right half. */
  export interface BookRect {
    left: number;
    top: number;
    width: number;
    height: number;
    pageWidth: number;
  }

  export interface Page {
    getElement(): HTMLElement;
    getTemporaryCopy(): Page | null;
    hideTemporaryCopy(): void;
  }

  export interface Animation {
    frames: (() => void)[];
    duration: number;
    startedAt: number;
  }

  export interface Render {
    timer: number;
    animation: Animation | null;
    leftPage: Page | null;
    rightPage: Page | null;
    flippingPage: Page | null;
    bottomPage: Page | null;
    start(): void;
    update(): void;
    clear(): void;
    drawFrame(): void;
    startAnimation(frames: (() => void)[], duration: number, onEnd: () => void): void;
    finishAnimation(): void;
    getRect(): BookRect;
    getOrientation(): 'portrait' | 'landscape';
  }

  export interface Flip {
    fold(point: Point): void;
    flip(point: Point): void;
    showCorner(point: Point): void;
    animateFlippingTo(start: Point, end: Point, isTurned: boolean): void;
    getCalculation(): { getPosition(): Point } | null;
  }

  export interface Settings {
    width: number;
    height: number;
    size: 'fixed' | 'stretch';
    minWidth: number;
    maxWidth: number;
    minHeight: number;
    maxHeight: number;
    flippingTime: number;
    maxShadowOpacity: number;
    swipeDistance: number;
    showCover: boolean;
    mobileScrollSupport: boolean;
    usePortrait: boolean;
    autoSize: boolean;
    startPage: number;
    useMouseEvents: boolean;
  }

  export class PageFlip {
    constructor(block: HTMLElement, settings: Partial<Settings>);
    loadFromHTML(pages: HTMLElement[]): void;
    update(): void;
    turnToPage(page: number): void;
    on(event: 'flip', callback: (event: { data: number }) => void): void;
    getFlipController(): Flip;
    getUI(): { removeHandlers(): void };
  }
}
