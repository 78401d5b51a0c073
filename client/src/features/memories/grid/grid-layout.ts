import type { Memory } from '#shared/album/memory';
import { isNarrowColumn, MIN_COLUMN_PX, printAspectRatio } from '../print/print-layout.ts';

const COLUMN_GAP_PX = 32;
const NARROW_GAP_PX = 16;
/** Phones from 360 px on have two narrower columns. */
const MIN_TWO_COLUMNS_PX = 300;
export const MAX_GALLERY_COLUMNS = 4;
export const MAX_HOME_COLUMNS = 3;
/** These photos are loaded although they may not be in view, with those beside them. */
const EAGER_PHOTOS = 6;
const LIST_ROW_PX = 141;
const CAPTION_PX = 116;
const NARROW_CAPTION_PX = 78;
const PRINT_BORDER_PX = 16;

export interface GridColumns {
  count: number;
  gapPx: number;
  widthPx: number;
}

/** As many as fit. @param width of the grid */
export function toColumns(width: number, maxCount: number): GridColumns {
  const fitting = Math.max(1, Math.floor((width + COLUMN_GAP_PX) / (MIN_COLUMN_PX + COLUMN_GAP_PX)));
  const isNarrow = fitting === 1 && maxCount > 1 && width >= MIN_TWO_COLUMNS_PX;
  const count = isNarrow ? 2 : Math.min(maxCount, fitting);
  const gapPx = isNarrow ? NARROW_GAP_PX : COLUMN_GAP_PX;
  return { count, gapPx, widthPx: (width - gapPx * (count - 1)) / count };
}

export function isEagerRow(row: number, columns: number): boolean {
  return row * columns < EAGER_PHOTOS;
}

/** The classes that set the width of a page with a grid. */
export const GRID_PAGE = 'mx-auto max-w-6xl px-5 sm:px-8';
/** The same for the grid on home, which scrolls. */
export const HOME_GRID_SCROLLER = '-mx-5 overflow-y-auto px-5 sm:mx-0 sm:px-6 [scrollbar-gutter:stable]';

export function gridStyle({ count, gapPx }: GridColumns) {
  return { columnGap: gapPx, gridTemplateColumns: `repeat(${count}, minmax(0, 1fr))` };
}

/** For an element in the first column. */
export function rowWidth({ count, gapPx }: GridColumns): string {
  return `calc(${count * 100}% + ${(count - 1) * gapPx}px)`;
}

/** Close to the real height, so that content does not jump when the row is rendered. */
export function estimateRowHeight(memories: Memory[], mode: 'grid' | 'list', width: number): number {
  if (mode === 'list') return LIST_ROW_PX;
  const heights = memories.map((memory) => {
    const ratio = printAspectRatio(memory);
    return (width * Math.min(1, ratio) - PRINT_BORDER_PX) / ratio + PRINT_BORDER_PX;
  });
  return Math.max(0, ...heights) + (isNarrowColumn(width) ? NARROW_CAPTION_PX : CAPTION_PX);
}

/** The index that a navigation key moves to; null for other keys and past the ends. */
export function indexAfterKey(key: string, index: number, columns: number, count: number): number | null {
  const last = count - 1;
  const isInLastRow = Math.floor(index / columns) === Math.floor(last / columns);
  const indexes: Record<string, number> = {
    ArrowLeft: index - 1,
    ArrowRight: index + 1,
    ArrowUp: index - columns,
    // The last row may end before this column.
    ArrowDown: isInLastRow ? count : Math.min(index + columns, last),
    Home: 0,
    End: last,
  };
  const next = indexes[key];
  return next === undefined || next < 0 || next > last || next === index ? null : next;
}
