import { FLIPBOOK_PAGE } from '#shared/album/flipbook';
import { pageAfterTurn } from '../spreads.ts';
import { animateLeaf, createLeaf, removeLanded, turnLeaves, updateProgress, type Leaf } from './leaves.ts';

// Given by the specification.
const MIN_PAGE_WIDTH = 400;
const MAX_PAGE = { width: 700, height: 800 };
const FLIP_MS = 800;
const MAX_SHADOW = 0.8;
export const SWIPE_PX = 50;

/** In page widths. */
const PERSPECTIVE = 7;
/** Of an upright page, compared with a flat one. */
const MAX_DIMMING = 0.28;
/** Of one page, for the edges of the stacks. */
const PAGE_THICKNESS_PX = 0.22;
const MAX_EDGE_PX = 12;

export interface BookLayout {
  isWide: boolean;
  pageWidth: number;
  pageHeight: number;
}

interface BookEngineOptions {
  stage: HTMLElement;
  total: number;
  startPage: number;
  /** A turn to the page starts. */
  onTurn: (page: number) => void;
  /** The visible pages change, including those of turning leaves. */
  onVisiblePages: (pages: number[]) => void;
  onLayout: (layout: BookLayout) => void;
  isMotionReduced: () => boolean;
}

type Side = 'left' | 'right';

/** Two facing pages are the back of one leaf and the front of the next. In single-page mode only fronts are visible. */
export class BookEngine {
  readonly #options: BookEngineOptions;
  readonly book = createPart('book');
  /** React renders the contents of each page into these. */
  readonly pages: HTMLElement[];
  readonly #shadows: Record<Side, HTMLElement>;
  readonly #edges: Record<Side, HTMLElement>;
  readonly #shades: Record<Side, HTMLElement>;
  readonly #resizeObserver: ResizeObserver;
  readonly #leaves: Leaf[] = [];
  #drag: { leaf: Leaf; startX: number; startCos: number; pixelsPerCos: number } | null = null;
  #layout: BookLayout = { isWide: false, pageWidth: 0, pageHeight: 0 };
  /** The open page, or the target of a turn in motion. */
  #page: number;
  #visiblePages: number[] = [];
  #frame = 0;

  constructor(options: BookEngineOptions) {
    const { stage, total, startPage } = options;
    this.#options = options;
    this.#page = startPage;
    this.#shadows = { left: createPart('book-shadow', 'left'), right: createPart('book-shadow', 'right') };
    this.#edges = { left: createPart('book-edge', 'left'), right: createPart('book-edge', 'right') };
    this.#shades = { left: createPart('book-shade', 'left'), right: createPart('book-shade', 'right') };
    this.pages = Array.from({ length: total }, () => createPart('book-page'));
    for (const parts of [this.#shadows, this.#edges, this.#shades]) this.book.append(parts.left, parts.right);
    this.book.append(...this.pages);
    stage.append(this.book);
    this.#resizeObserver = new ResizeObserver(() => this.#updateLayout());
    this.#resizeObserver.observe(stage);
    this.#updateLayout();
  }

  get stage(): HTMLElement {
    return this.#options.stage;
  }

  get isWide(): boolean {
    return this.#layout.isWide;
  }

  canTurn(direction: 1 | -1): boolean {
    return this.#pageAfter(direction) !== null;
  }

  turn(direction: 1 | -1): void {
    const next = this.#pageAfter(direction);
    if (next !== null) this.goTo(next);
  }

  goTo(page: number): void {
    const position = this.#position;
    // A dragged leaf continues from its current progress.
    if (this.#drag) animateLeaf(this.#drag.leaf, this.#drag.leaf.goal);
    this.#drag = null;
    this.#page = page;
    if (this.#options.isMotionReduced()) this.#leaves.length = 0;
    else turnLeaves(this.#leaves, position, this.#position, { last: this.#last, hasCovers: this.isWide });
    this.#options.onTurn(page);
    this.#draw();
  }

  /** Starts dragging the leaf that would turn next, or catches one that is turning back. */
  startDrag(direction: 1 | -1, startX: number): void {
    const at = this.#position;
    let leaf = this.#leaves.find((leaf) => (direction === 1 ? leaf.low : leaf.high) === at);
    if (!leaf) {
      leaf = direction === 1 ? createLeaf(at, at + 1, 1) : createLeaf(at - 1, at, 0);
      this.#leaves.push(leaf);
      this.#leaves.sort((one, other) => one.low - other.low);
    }
    // It falls back unless it is released as turned.
    animateLeaf(leaf, direction === 1 ? 0 : 1);
    this.#drag = {
      leaf,
      startX,
      startCos: Math.cos(this.#angle(leaf)),
      pixelsPerCos: this.#pixelsPerCos(leaf, direction, startX),
    };
    this.#draw();
  }

  dragTo(x: number): void {
    if (!this.#drag) return;
    const { leaf, startX, startCos, pixelsPerCos } = this.#drag;
    const cos = Math.min(1, Math.max(Math.cos(this.#maxAngle), startCos - (startX - x) / pixelsPerCos));
    leaf.progress = Math.acos(cos) / this.#maxAngle;
    this.#draw();
  }

  endDrag(isTurned: boolean): void {
    if (!this.#drag) return;
    const { leaf } = this.#drag;
    this.#drag = null;
    animateLeaf(leaf, leaf.goal);
    if (isTurned) this.goTo(this.#pageAt(leaf.goal === 0 ? leaf.high : leaf.low));
    else this.#draw();
  }

  destroy(): void {
    this.#resizeObserver.disconnect();
    cancelAnimationFrame(this.#frame);
    this.book.remove();
  }

  /** The number of leaves on the left once all turns have finished. */
  get #position(): number {
    return this.isWide ? Math.ceil(this.#page / 2) : this.#page;
  }

  get #last(): number {
    return this.isWide ? this.pages.length / 2 : this.pages.length - 1;
  }

  #pageAt(position: number): number {
    return this.isWide ? Math.max(0, 2 * position - 1) : position;
  }

  #pageAfter(direction: 1 | -1): number | null {
    return pageAfterTurn(direction, this.#page, this.pages.length, this.isWide);
  }

  /** In single-page mode a turned leaf stands upright and is invisible. */
  get #maxAngle(): number {
    return this.isWide ? Math.PI : Math.PI / 2;
  }

  #angle(leaf: Leaf): number {
    return leaf.progress * this.#maxAngle;
  }

  /** The distance of a drag that changes the cosine of the leaf's angle by one. */
  #pixelsPerCos(leaf: Leaf, direction: 1 | -1, startX: number): number {
    const { isWide, pageWidth } = this.#layout;
    const { left, width } = this.book.getBoundingClientRect();
    const fromSpine = Math.abs(startX - left - (isWide ? width / 2 : 0));
    if (!isWide) return Math.max(pageWidth * 0.75, direction === 1 ? fromSpine : pageWidth - fromSpine);
    // The book slides by half a page while a cover opens.
    const slide = leaf.low === 0 || leaf.high === this.#last ? pageWidth / 4 : 0;
    return Math.max(pageWidth * 0.375, fromSpine - slide);
  }

  /** Renders the book now, and in each frame until all leaves have landed. */
  #draw(): void {
    const dragged = this.#drag?.leaf ?? null;
    removeLanded(this.#leaves, dragged);
    this.#updateStyles();
    if (this.#frame || this.#leaves.every((leaf) => leaf === dragged)) return;
    this.#frame = requestAnimationFrame((now) => {
      this.#frame = 0;
      for (const leaf of this.#leaves) if (leaf !== this.#drag?.leaf) updateProgress(leaf, now, FLIP_MS);
      this.#draw();
    });
  }

  #updateStyles(): void {
    const { isWide, pageWidth } = this.#layout;
    const leaves = this.#leaves;
    const first = leaves[0];
    const final = leaves.at(-1);
    const lowest = first?.low ?? this.#position;
    const highest = final?.high ?? this.#position;
    const topPages = { left: isWide ? 2 * lowest - 1 : -1, right: isWide ? 2 * highest : highest };

    const visible = new Set<number>();
    this.#showPage(visible, topPages.left, 'left');
    this.#showPage(visible, topPages.right, 'right');
    for (const leaf of leaves) {
      const angle = this.#angle(leaf);
      this.#showPage(visible, isWide ? 2 * leaf.low : leaf.low, 'right', angle);
      if (isWide) this.#showPage(visible, 2 * leaf.high - 1, 'left', angle);
    }
    for (const page of this.#visiblePages) if (!visible.has(page)) this.#hidePage(page);

    for (const [side, other] of [
      ['left', Math.sin],
      ['right', Math.cos],
    ] as const) {
      const page = this.pages[topPages[side]];
      const shades = leaves.map(
        ({ progress }) => Math.sin(Math.PI * progress) * other((Math.PI / 2) * progress),
      );
      const { style } = this.#shades[side];
      style.opacity = page ? String(MAX_SHADOW * Math.max(0, ...shades)) : '0';
      style.zIndex = page ? String(Number(page.style.zIndex) + 1) : '';
    }

    // A closed book is centered; as its cover opens, it slides until the spine is centered.
    const frontCos = !isWide || lowest > 0 ? -1 : first ? Math.cos(this.#angle(first)) : 1;
    const backCos = !isWide || highest < this.#last ? 1 : final ? Math.cos(this.#angle(final)) : -1;
    this.book.style.translate = `${(-(frontCos + backCos) * pageWidth) / 4}px`;
    const covered = { left: isWide ? Math.max(0, -frontCos) : 0, right: Math.max(0, backCos) };
    const turned = leaves.reduce((sum, { low, high, progress }) => sum + (high - low) * progress, lowest);
    const thickness = { left: turned, right: this.#last - turned };
    for (const side of ['left', 'right'] as const) {
      this.#shadows[side].style.scale = `${covered[side]} 1`;
      const edge = isWide ? Math.min(MAX_EDGE_PX, 2 * thickness[side] * PAGE_THICKNESS_PX) : 0;
      // Visible only beside a flat cover.
      Object.assign(this.#edges[side].style, { width: `${edge}px`, opacity: String(covered[side] ** 8) });
    }

    if (visible.size === this.#visiblePages.length && this.#visiblePages.every((page) => visible.has(page)))
      return;
    this.#visiblePages = [...visible];
    this.#options.onVisiblePages(this.#visiblePages);
  }

  /** @param angle of the turning leaf; a flat page has none */
  #showPage(visible: Set<number>, page: number, side: Side, angle?: number): void {
    const element = this.pages[page];
    if (!element) return;
    visible.add(page);
    const { style, dataset } = element;
    dataset['side'] = side;
    dataset['turning'] = String(angle !== undefined);
    // The first page is on top of the right stack, the last one on top of the left. Odd values are for the shades.
    style.zIndex = String(2 * (side === 'right' ? this.pages.length - page : page + 1));
    style.transform =
      angle === undefined ? '' : `rotateY(${(side === 'right' ? -angle : Math.PI - angle).toFixed(5)}rad)`;
    const dimming = MAX_DIMMING * Math.sin(angle ?? 0);
    style.filter = dimming ? `brightness(${1 - dimming}) sepia(${dimming})` : '';
  }

  #hidePage(page: number): void {
    const { style, dataset } = this.pages[page]!;
    delete dataset['side'];
    delete dataset['turning'];
    style.cssText = '';
  }

  /** Fits one or two pages into the stage. The open page stays visible. */
  #updateLayout(): void {
    const { stage } = this.#options;
    const isWide = stage.clientWidth >= 2 * MIN_PAGE_WIDTH;
    const ratio = FLIPBOOK_PAGE.width / FLIPBOOK_PAGE.height;
    const maxWidth = Math.min(stage.clientWidth / (isWide ? 2 : 1), MAX_PAGE.width);
    const pageHeight = Math.floor(Math.min(maxWidth / ratio, stage.clientHeight, MAX_PAGE.height));
    const pageWidth = Math.floor(pageHeight * ratio);
    this.#layout = { isWide, pageWidth, pageHeight };
    this.#drag = null;
    this.#leaves.length = 0;
    this.book.dataset['wide'] = String(isWide);
    Object.assign(this.book.style, {
      width: `${pageWidth * (isWide ? 2 : 1)}px`,
      height: `${pageHeight}px`,
      perspective: `${pageWidth * PERSPECTIVE}px`,
    });
    this.#draw();
    this.#options.onLayout(this.#layout);
  }
}

function createPart(name: string, side?: Side): HTMLElement {
  const element = document.createElement('div');
  element.className = name;
  if (side) element.dataset['side'] = side;
  return element;
}
