import type { Memory } from '#shared/memory';

/** Between the columns. */
const GAP_PX = 32;
const MIN_COLUMN_PX = 240;
export const MAX_GALLERY_COLUMNS = 4;
/** A line of a list, with its hairline. */
const LINE_PX = 141;
/** What stands below a print, and the border around it. */
const CAPTION_PX = 120;
const PRINT_BORDER_PX = 16;
/** Extreme panoramas and strips are cropped to these, so that every print stays a picture. */
const MIN_ASPECT = 0.6;
const MAX_ASPECT = 2;

/** Width by height of a memory's print. */
export function aspectOf({ width, height }: Memory): number {
  if (!width || !height) return 1;
  return Math.min(MAX_ASPECT, Math.max(MIN_ASPECT, width / height));
}

/** How many memories stand beside each other: as many as there is room for, and never more than `max`. */
export function columnsIn(width: number, max: number, minWidth = MIN_COLUMN_PX): number {
  const fitting = Math.floor((width + GAP_PX) / (minWidth + GAP_PX));
  return Math.max(1, Math.min(max, fitting));
}

export function columnWidth(width: number, columns: number): number {
  return (width - GAP_PX * (columns - 1)) / columns;
}

export function gridStyle(columns: number) {
  return { columnGap: GAP_PX, gridTemplateColumns: `repeat(${columns}, minmax(0, 1fr))` };
}

/** Near enough that nothing jumps when a row that was never seen comes into sight. */
export function rowHeightGuess(memories: Memory[], mode: 'grid' | 'list', width: number): number {
  if (mode === 'list') return LINE_PX;
  const heights = memories.map((memory) => {
    const aspect = aspectOf(memory);
    return (width * Math.min(1, aspect) - PRINT_BORDER_PX) / aspect + PRINT_BORDER_PX;
  });
  return Math.max(0, ...heights) + CAPTION_PX;
}

/** Where a key leads from a place among tiles; null when it leads nowhere. Places count from 0. */
export function placeAfter(key: string, place: number, columns: number, count: number): number | null {
  const last = count - 1;
  const isInLastRow = Math.floor(place / columns) === Math.floor(last / columns);
  const places: Record<string, number> = {
    ArrowLeft: place - 1,
    ArrowRight: place + 1,
    ArrowUp: place - columns,
    // The last row may end before this column.
    ArrowDown: isInLastRow ? count : Math.min(place + columns, last),
    Home: 0,
    End: last,
  };
  const to = places[key];
  return to === undefined || to < 0 || to > last || to === place ? null : to;
}
