import type { Memory } from '#shared/album/memory';
import { coveringWidth, squarePhotoSizes } from '../../../lib/image-sources.ts';

export const MIN_COLUMN_PX = 240;
const LIST_PHOTO_PX = 96;
/** Panoramas and tall strips are cropped to these. */
const MIN_ASPECT_RATIO = 0.6;
const MAX_ASPECT_RATIO = 2;

export function printAspectRatio({ width, height }: Memory): number {
  if (!width || !height) return 1;
  return Math.min(MAX_ASPECT_RATIO, Math.max(MIN_ASPECT_RATIO, width / height));
}

/** Of the column. A tall photo is narrower. */
export function printWidthShare(memory: Memory): number {
  return Math.min(1, printAspectRatio(memory));
}

/** For `<img>`. */
export function printPhotoSizes(memory: Memory, columnWidth: number): string {
  const frameWidth = printWidthShare(memory) * columnWidth;
  return `${coveringWidth(memory, frameWidth, printAspectRatio(memory))}px`;
}

export function listPhotoSizes(memory: Memory): string {
  return squarePhotoSizes(memory, LIST_PHOTO_PX);
}

/** Has captions of one line. */
export function isNarrowColumn(widthPx: number): boolean {
  return widthPx < MIN_COLUMN_PX;
}
