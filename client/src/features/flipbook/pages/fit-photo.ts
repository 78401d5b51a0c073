import { MAX_FLIPBOOK_PHOTO_SCALE } from '#shared/album/flipbook';
import type { Memory } from '#shared/album/memory';
import type { BookLayout } from '../engine/book-engine.ts';

/** On each side, as a share of the page's width. Includes the print's border. */
const MARGIN = 0.1;

/** The size of the whole photo on a page, in CSS pixels. A photo of unknown size is a square. */
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
