import type { BookRect, Point } from 'page-flip/dist/js/page-flip.module.js';
import { FLIPBOOK_PAGE } from '#shared/flipbook';
import { pageAfterTurn } from '../spreads.ts';
import { FlipOnDemand } from './flip-on-demand.ts';

/** The specification's constants of the viewer. */
const SETTINGS = {
  ...FLIPBOOK_PAGE,
  size: 'stretch',
  minWidth: 400,
  maxWidth: 700,
  minHeight: 500,
  maxHeight: 800,
  flippingTime: 800,
  maxShadowOpacity: 0.8,
  swipeDistance: 50,
  showCover: true,
  mobileScrollSupport: false,
  usePortrait: true,
} as const;

export const SWIPE_PX = SETTINGS.swipeDistance;
export const FLIP_MS = SETTINGS.flippingTime;

/** How the book lies on the screen. */
export interface BookLayout {
  isWide: boolean;
  pageWidth: number;
  pageHeight: number;
}

interface BookEngineOptions {
  /** The book takes its place in the middle of it, and never more than there is. */
  stage: HTMLElement;
  total: number;
  startPage: number;
  /** A turn to the page begins. */
  onTurn: (page: number) => void;
  onLayout: (layout: BookLayout) => void;
  /** Whether pages lie still, and change instead of flying. */
  isStill: () => boolean;
}

/** page-flip with an end: once destroyed nothing of it listens, waits or draws. */
export class BookEngine {
  readonly #options: BookEngineOptions;
  readonly #flip: FlipOnDemand;
  readonly #block = document.createElement('div');
  /** What stands on each page goes in here. */
  readonly pages: HTMLElement[];
  readonly #resizes: ResizeObserver;
  /** The page that is read, or that a turn on its way leads to. */
  #page: number;

  constructor(options: BookEngineOptions) {
    const { stage, total, startPage } = options;
    this.#options = options;
    this.pages = Array.from({ length: total }, () => document.createElement('div'));
    this.#page = startPage;
    stage.append(this.#block);
    this.#flip = new FlipOnDemand(this.#block, {
      ...SETTINGS,
      startPage,
      autoSize: false,
      useMouseEvents: false,
    });
    this.#flip.loadFromHTML(this.pages);
    // It would never take away the one that it listens to the window's size with.
    this.#flip.getUI().removeHandlers();
    Object.assign(this.#block.style, {
      // It demands the smallest size also where there is less room.
      minWidth: '0',
      minHeight: '0',
      width: '100%',
      maxWidth: `${2 * SETTINGS.maxWidth}px`,
      margin: 'auto',
      // Up and down is for long captions, sideways for the pages.
      touchAction: 'pan-y pinch-zoom',
    });
    this.#resizes = new ResizeObserver(() => this.#fit());
    this.#resizes.observe(stage);
    this.#fit();
  }

  /** What is turned and touched. */
  get block(): HTMLElement {
    return this.#block;
  }

  get rect(): BookRect {
    return this.#flip.render.getRect();
  }

  canTurn(by: 1 | -1): boolean {
    return this.#pageAfter(by) !== null;
  }

  /** Turns the page over, from its lower corner unless another is named. */
  turn(by: 1 | -1, corner: 'top' | 'bottom' = 'bottom'): void {
    const next = this.#pageAfter(by);
    if (next === null) return;
    if (this.#options.isStill()) {
      this.goTo(next);
      return;
    }
    this.#layDown();
    this.#flip.getFlipController().flip(this.cornerAt(by, corner));
    if (by === -1 && !this.isWide) this.#skipWhatIsOutOfSight();
    this.#turnTo(next);
  }

  /** Opens the book at a page. */
  goTo(page: number): void {
    this.#layDown();
    this.#flip.turnToPage(page);
    this.#flip.draw();
    this.#turnTo(page);
  }

  /** A hand takes the page by one of its corners. */
  lift(by: 1 | -1, corner: 'top' | 'bottom'): void {
    this.#layDown();
    this.#flip.getFlipController().fold(this.cornerAt(by, corner));
  }

  /** The corner of the page that was lifted follows the hand. */
  fold(corner: Point): void {
    this.#flip.getFlipController().fold(corner);
    this.#flip.draw();
  }

  /** The hand lets go of the page that it lifted. */
  release(by: 1 | -1, isTurned: boolean): void {
    const lifted = this.#lifted;
    if (!lifted) return;
    const next = this.#pageAfter(by);
    this.#let(lifted, isTurned);
    if (isTurned && next !== null) this.#turnTo(next);
  }

  /** A corner that the pointer is near lifts a little; any other lies down again. */
  hint(pointer: Point): void {
    if (!this.#flip.render.animation) this.#flip.getFlipController().showCorner(pointer);
    this.#flip.draw();
  }

  /** Within the block: the outer corner of the page that a turn takes. */
  cornerAt(by: 1 | -1, corner: 'top' | 'bottom'): Point {
    const { left, top, width, height } = this.rect;
    return { x: by === 1 ? left + width - 10 : left + 10, y: corner === 'top' ? top + 1 : top + height - 2 };
  }

  destroy(): void {
    this.#resizes.disconnect();
    this.#flip.stop();
    this.#block.remove();
  }

  get isWide(): boolean {
    return this.#flip.render.getOrientation() === 'landscape';
  }

  /** Where the corner of a page is that is on its way; undefined while all lie still. */
  get #lifted(): Point | undefined {
    return this.#flip.getFlipController().getCalculation()?.getPosition();
  }

  #let(lifted: Point, isTurned: boolean): void {
    const { pageWidth, height } = this.rect;
    const end = { x: isTurned ? -pageWidth : pageWidth, y: lifted.y > height / 2 ? height : 0 };
    this.#flip.getFlipController().animateFlippingTo(lifted, end, isTurned);
  }

  /** A single page comes back from beyond the left edge: the first half of its way is not to be seen. */
  #skipWhatIsOutOfSight(): void {
    const { animation } = this.#flip.render;
    if (!animation) return;
    animation.frames.splice(0, Math.floor(animation.frames.length * 0.4));
    animation.duration *= 0.75;
  }

  /** What is on its way arrives at once, and a page that is only lifted lies down where it was. */
  #layDown(): void {
    this.#flip.render.finishAnimation();
    const lifted = this.#lifted;
    if (!lifted) return;
    this.#let(lifted, false);
    this.#flip.render.finishAnimation();
  }

  #pageAfter(by: 1 | -1): number | null {
    return pageAfterTurn(by, this.#page, this.pages.length, this.isWide);
  }

  #turnTo(page: number): void {
    this.#page = page;
    this.#options.onTurn(page);
  }

  /** One page or two, as there is room; the page that is read stays in sight. */
  #fit(): void {
    this.#layDown();
    this.#block.style.height = `${this.#heightThatFits()}px`;
    this.#flip.update();
    this.#flip.turnToPage(this.#page);
    this.#flip.draw();
    const { pageWidth, height } = this.rect;
    this.#options.onLayout({ isWide: this.isWide, pageWidth, pageHeight: height });
  }

  /** Of the pages: page-flip gives no heed to the largest height, and moves covers to the top of any other. */
  #heightThatFits(): number {
    const { stage } = this.#options;
    const width = Math.min(stage.clientWidth, 2 * SETTINGS.maxWidth);
    const pageWidth = Math.min(width < 2 * SETTINGS.minWidth ? width : width / 2, SETTINGS.maxWidth);
    const inShape = (pageWidth * SETTINGS.height) / SETTINGS.width;
    return Math.floor(Math.min(inShape, stage.clientHeight, SETTINGS.maxHeight));
  }
}
