import type { Memory } from '#shared/memory';

const COLUMN_GAP_PX = 32;
const MIN_COLUMN_PX = 240;
export const MAX_GALLERY_COLUMNS = 4;
const LIST_ROW_PX = 141;
const CAPTION_PX = 120;
const PRINT_BORDER_PX = 16;
/** Panoramas and tall strips are cropped to these. */
const MIN_ASPECT_RATIO = 0.6;
const MAX_ASPECT_RATIO = 2;

export function printAspectRatio({ width, height }: Memory): number {
  if (!width || !height) return 1;
  return Math.min(MAX_ASPECT_RATIO, Math.max(MIN_ASPECT_RATIO, width / height));
}

export function countColumns(width: number, max: number, minWidth = MIN_COLUMN_PX): number {
  const fitting = Math.floor((width + COLUMN_GAP_PX) / (minWidth + COLUMN_GAP_PX));
  return Math.max(1, Math.min(max, fitting));
}

export function columnWidth(width: number, columns: number): number {
  return (width - COLUMN_GAP_PX * (columns - 1)) / columns;
}

export function gridStyle(columns: number) {
  return { columnGap: COLUMN_GAP_PX, gridTemplateColumns: `repeat(${columns}, minmax(0, 1fr))` };
}

/** Close to the real height, so that content does not jump when the row is rendered. */
export function estimateRowHeight(memories: Memory[], mode: 'grid' | 'list', width: number): number {
  if (mode === 'list') return LIST_ROW_PX;
  const heights = memories.map((memory) => {
    const ratio = printAspectRatio(memory);
    return (width * Math.min(1, ratio) - PRINT_BORDER_PX) / ratio + PRINT_BORDER_PX;
  });
  return Math.max(0, ...heights) + CAPTION_PX;
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
