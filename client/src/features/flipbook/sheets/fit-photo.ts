import { MAX_FLIPBOOK_PHOTO_SCALE } from '#shared/flipbook';
import type { Memory } from '#shared/memory';
import type { BookLayout } from '../engine/book-engine.ts';

/** Of the page's width, left free on each side; the print's border is in it. */
const MARGIN = 0.1;

/** How large a whole photo is on a page, in pixels of the screen. Of unknown shape: a square. */
export function fitPhoto(
  { width, height }: Pick<Memory, 'width' | 'height'>,
  { pageWidth, pageHeight }: Pick<BookLayout, 'pageWidth' | 'pageHeight'>,
): { width: number; height: number } {
  const margin = 2 * MARGIN * pageWidth;
  const room = { width: pageWidth - margin, height: pageHeight - margin };
  const photo = width && height ? { width, height } : { width: room.width, height: room.width };
  const scale = Math.min(room.width / photo.width, room.height / photo.height, MAX_FLIPBOOK_PHOTO_SCALE);
  return { width: Math.round(photo.width * scale), height: Math.round(photo.height * scale) };
}
