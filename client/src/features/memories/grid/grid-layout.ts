import type { Memory } from '#shared/memory';
import { aspectOf } from '../memory-aspect.ts';

/** Between the columns. */
export const GAP_PX = 32;
const NARROWEST_COLUMN_PX = 240;
export const MOST_GALLERY_COLUMNS = 4;
/** A line of a list, with its hairline. */
const LINE_PX = 141;
/** What stands below a print, and the border around it. */
const CAPTION_PX = 120;
const PRINT_BORDER_PX = 16;

/** How many memories stand beside each other: as many as there is room for, and never more than `most`. */
export function columnsIn(width: number, most: number): number {
  const fitting = Math.floor((width + GAP_PX) / (NARROWEST_COLUMN_PX + GAP_PX));
  return Math.max(1, Math.min(most, fitting));
}

export function columnWidth(width: number, columns: number): number {
  return (width - GAP_PX * (columns - 1)) / columns;
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
