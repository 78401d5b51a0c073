import { FLIPBOOK_PAGE } from '#shared/flipbook';
import { pageAfterTurn } from '../spreads.ts';
import { head, layDown, moveLeaf, newLeaf, turnLeaves, type Leaf } from './leaves.ts';

// The specification's constants of the viewer.
const MIN_PAGE_WIDTH = 400;
const MAX_PAGE = { width: 700, height: 800 };
const FLIP_MS = 800;
const MAX_SHADOW = 0.8;
export const SWIPE_PX = 50;

/** In page widths: how far away the eye is. */
const EYE_DISTANCE = 7;
/** How much darker an upright page is than a flat one. */
const MAX_DIMMING = 0.28;
/** Of the pages' thickness, seen from the side. */
const PAGE_PX = 0.22;
const MAX_EDGE_PX = 12;

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
  /** Other pages are in sight, those of turning leaves included. */
  onShow: (pages: number[]) => void;
  onLayout: (layout: BookLayout) => void;
  /** Whether pages change without turning. */
  isStill: () => boolean;
}

type Side = 'left' | 'right';

/**
 * A book whose leaves turn around its spine. Two facing pages are the back of one leaf and the front of the next; a
 * single page is the front of a leaf whose back is not seen. Frames are drawn only while something moves.
 */
export class BookEngine {
  readonly #options: BookEngineOptions;
  readonly block = part('book');
  /** React renders the contents of each page into these. */
  readonly pages: HTMLElement[];
  readonly #shadows: Record<Side, HTMLElement>;
  readonly #edges: Record<Side, HTMLElement>;
  readonly #shades: Record<Side, HTMLElement>;
  readonly #resizes: ResizeObserver;
  readonly #leaves: Leaf[] = [];
  /** The leaf that is dragged. */
  #held: { leaf: Leaf; startX: number; startCos: number; reach: number } | null = null;
  #layout: BookLayout = { isWide: false, pageWidth: 0, pageHeight: 0 };
  /** The page that is read, or that a turn on its way leads to. */
  #page: number;
  #shown: number[] = [];
  #frame = 0;

  constructor(options: BookEngineOptions) {
    const { stage, total, startPage } = options;
    this.#options = options;
    this.#page = startPage;
    this.#shadows = { left: part('book-shadow', 'left'), right: part('book-shadow', 'right') };
    this.#edges = { left: part('book-edge', 'left'), right: part('book-edge', 'right') };
    this.#shades = { left: part('book-shade', 'left'), right: part('book-shade', 'right') };
    this.pages = Array.from({ length: total }, () => part('book-page'));
    for (const parts of [this.#shadows, this.#edges, this.#shades])
      this.block.append(parts.left, parts.right);
    this.block.append(...this.pages);
    stage.append(this.block);
    this.#resizes = new ResizeObserver(() => this.#fit());
    this.#resizes.observe(stage);
    this.#fit();
  }

  get stage(): HTMLElement {
    return this.#options.stage;
  }

  get isWide(): boolean {
    return this.#layout.isWide;
  }

  canTurn(by: 1 | -1): boolean {
    return this.#pageAfter(by) !== null;
  }

  /** Turns one leaf. */
  turn(by: 1 | -1): void {
    const next = this.#pageAfter(by);
    if (next !== null) this.goTo(next);
  }

  /** Opens the book at a page, by one turn however far that is. */
  goTo(page: number): void {
    const position = this.#position;
    // A dragged leaf goes on from where it is.
    if (this.#held) head(this.#held.leaf, this.#held.leaf.goal);
    this.#held = null;
    this.#page = page;
    if (this.#options.isStill()) this.#leaves.length = 0;
    else turnLeaves(this.#leaves, position, this.#position, { last: this.#last, hasBoards: this.isWide });
    this.#options.onTurn(page);
    this.#draw();
  }

  /** Starts a drag of the leaf that a turn would take; one that is turning back is caught. */
  lift(by: 1 | -1, startX: number): void {
    const at = this.#position;
    let leaf = this.#leaves.find((leaf) => (by === 1 ? leaf.low : leaf.high) === at);
    if (!leaf) {
      leaf = by === 1 ? newLeaf(at, at + 1, 1) : newLeaf(at - 1, at, 0);
      this.#leaves.push(leaf);
      this.#leaves.sort((one, other) => one.low - other.low);
    }
    // Its goal until it is released as turned.
    head(leaf, by === 1 ? 0 : 1);
    this.#held = {
      leaf,
      startX,
      startCos: Math.cos(this.#angle(leaf)),
      reach: this.#reach(leaf, by, startX),
    };
    this.#draw();
  }

  /** The edge of the lifted leaf follows the pointer. */
  drag(x: number): void {
    if (!this.#held) return;
    const { leaf, startX, startCos, reach } = this.#held;
    const cos = Math.min(1, Math.max(Math.cos(this.#swing), startCos - (startX - x) / reach));
    leaf.progress = Math.acos(cos) / this.#swing;
    this.#draw();
  }

  /** Ends the drag: the leaf turns over, or falls back. */
  release(isTurned: boolean): void {
    if (!this.#held) return;
    const { leaf } = this.#held;
    this.#held = null;
    head(leaf, leaf.goal);
    if (isTurned) this.goTo(this.#pageAt(leaf.goal === 0 ? leaf.high : leaf.low));
    else this.#draw();
  }

  destroy(): void {
    this.#resizes.disconnect();
    cancelAnimationFrame(this.#frame);
    this.block.remove();
  }

  /** How many leaves lie on the left, once all have been turned that are on their way. */
  get #position(): number {
    return this.isWide ? Math.ceil(this.#page / 2) : this.#page;
  }

  get #last(): number {
    return this.isWide ? this.pages.length / 2 : this.pages.length - 1;
  }

  #pageAt(position: number): number {
    return this.isWide ? Math.max(0, 2 * position - 1) : position;
  }

  #pageAfter(by: 1 | -1): number | null {
    return pageAfterTurn(by, this.#page, this.pages.length, this.isWide);
  }

  /** A single page stands on its edge once it is turned, out of sight. */
  get #swing(): number {
    return this.isWide ? Math.PI : Math.PI / 2;
  }

  #angle(leaf: Leaf): number {
    return leaf.progress * this.#swing;
  }

  /** How many pixels of a drag change the cosine of the leaf's angle by one. */
  #reach(leaf: Leaf, by: 1 | -1, startX: number): number {
    const { isWide, pageWidth } = this.#layout;
    const { left, width } = this.block.getBoundingClientRect();
    const fromSpine = Math.abs(startX - left - (isWide ? width / 2 : 0));
    if (!isWide) return Math.max(pageWidth * 0.75, by === 1 ? fromSpine : pageWidth - fromSpine);
    // As a cover opens, the book slides by half a page.
    const slide = leaf.low === 0 || leaf.high === this.#last ? pageWidth / 4 : 0;
    return Math.max(pageWidth * 0.375, fromSpine - slide);
  }

  #moveOn(now: number): void {
    for (const leaf of this.#leaves) if (leaf !== this.#held?.leaf) moveLeaf(leaf, now, FLIP_MS);
  }

  /** Draws the book as it is now, and goes on until what moves has come to rest. */
  #draw(): void {
    layDown(this.#leaves, this.#held?.leaf ?? null);
    this.#place();
    if (this.#frame || !this.#leaves.some((leaf) => leaf !== this.#held?.leaf)) return;
    this.#frame = requestAnimationFrame((now) => {
      this.#frame = 0;
      this.#moveOn(now);
      this.#draw();
    });
  }

  #place(): void {
    const { isWide, pageWidth } = this.#layout;
    const leaves = this.#leaves;
    const first = leaves[0];
    const final = leaves.at(-1);
    const lowest = first?.low ?? this.#position;
    const highest = final?.high ?? this.#position;
    const pile = { left: isWide ? 2 * lowest - 1 : -1, right: isWide ? 2 * highest : highest };

    const shown = new Set<number>();
    this.#show(shown, pile.left, 'left');
    this.#show(shown, pile.right, 'right');
    for (const leaf of leaves) {
      const angle = this.#angle(leaf);
      this.#show(shown, isWide ? 2 * leaf.low : leaf.low, 'right', angle);
      if (isWide) this.#show(shown, 2 * leaf.high - 1, 'left', angle);
    }
    for (const page of this.#shown) if (!shown.has(page)) this.#hide(page);

    for (const [side, other] of [
      ['left', Math.sin],
      ['right', Math.cos],
    ] as const) {
      const page = this.pages[pile[side]];
      const shades = leaves.map(
        ({ progress }) => Math.sin(Math.PI * progress) * other((Math.PI / 2) * progress),
      );
      const { style } = this.#shades[side];
      style.opacity = page ? String(MAX_SHADOW * Math.max(0, ...shades)) : '0';
      style.zIndex = page ? String(Number(page.style.zIndex) + 1) : '';
    }

    // A closed book lies in the middle; it slides onto its spine as far as its cover opens.
    const frontCos = !isWide || lowest > 0 ? -1 : first ? Math.cos(this.#angle(first)) : 1;
    const backCos = !isWide || highest < this.#last ? 1 : final ? Math.cos(this.#angle(final)) : -1;
    this.block.style.translate = `${(-(frontCos + backCos) * pageWidth) / 4}px`;
    const covered = { left: isWide ? Math.max(0, -frontCos) : 0, right: Math.max(0, backCos) };
    const turned = leaves.reduce((sum, { low, high, progress }) => sum + (high - low) * progress, lowest);
    const thickness = { left: turned, right: this.#last - turned };
    for (const side of ['left', 'right'] as const) {
      this.#shadows[side].style.scale = `${covered[side]} 1`;
      const edge = isWide ? Math.min(MAX_EDGE_PX, 2 * thickness[side] * PAGE_PX) : 0;
      // Seen only beside a cover that lies.
      Object.assign(this.#edges[side].style, { width: `${edge}px`, opacity: String(covered[side] ** 8) });
    }

    if (shown.size === this.#shown.length && this.#shown.every((page) => shown.has(page))) return;
    this.#shown = [...shown];
    this.#options.onShow(this.#shown);
  }

  /** Lays a page down on its side, or lifts it with its leaf. */
  #show(shown: Set<number>, page: number, side: Side, angle?: number): void {
    const element = this.pages[page];
    if (!element) return;
    shown.add(page);
    const { style, dataset } = element;
    dataset['side'] = side;
    dataset['turning'] = String(angle !== undefined);
    // The first page is on top of the right pile, the last one on top of the left one; shades go in between.
    style.zIndex = String(2 * (side === 'right' ? this.pages.length - page : page + 1));
    style.transform =
      angle === undefined ? '' : `rotateY(${(side === 'right' ? -angle : Math.PI - angle).toFixed(5)}rad)`;
    const dimming = MAX_DIMMING * Math.sin(angle ?? 0);
    style.filter = dimming ? `brightness(${1 - dimming}) sepia(${dimming})` : '';
  }

  #hide(page: number): void {
    const { style, dataset } = this.pages[page]!;
    delete dataset['side'];
    delete dataset['turning'];
    style.cssText = '';
  }

  /** One page or two, as there is room; the page that is read stays in sight. */
  #fit(): void {
    const { stage } = this.#options;
    const isWide = stage.clientWidth >= 2 * MIN_PAGE_WIDTH;
    const ratio = FLIPBOOK_PAGE.width / FLIPBOOK_PAGE.height;
    const room = Math.min(stage.clientWidth / (isWide ? 2 : 1), MAX_PAGE.width);
    const pageHeight = Math.floor(Math.min(room / ratio, stage.clientHeight, MAX_PAGE.height));
    const pageWidth = Math.floor(pageHeight * ratio);
    this.#layout = { isWide, pageWidth, pageHeight };
    this.#held = null;
    this.#leaves.length = 0;
    this.block.dataset['wide'] = String(isWide);
    Object.assign(this.block.style, {
      width: `${pageWidth * (isWide ? 2 : 1)}px`,
      height: `${pageHeight}px`,
      perspective: `${pageWidth * EYE_DISTANCE}px`,
    });
    this.#draw();
    this.#options.onLayout(this.#layout);
  }
}

function part(name: string, side?: Side): HTMLElement {
  const element = document.createElement('div');
  element.className = name;
  if (side) element.dataset['side'] = side;
  return element;
}
