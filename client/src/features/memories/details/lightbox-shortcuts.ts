import type PhotoSwipe from 'photoswipe';
import type { PhotoSwipeOptions } from 'photoswipe';

/** PhotoSwipe's own keys: arrows for the neighbors, Z for the zoom. Escape and the focus are the dialog's. */
export const LIGHTBOX_SHORTCUTS = {
  arrowKeys: true,
  escKey: false,
  trapFocus: false,
  returnFocus: false,
} satisfies PhotoSwipeOptions;

/** PhotoSwipe would move the focus into itself. */
export function leaveTabToDialog(photoSwipe: PhotoSwipe): void {
  photoSwipe.on('keydown', (event) => event.originalEvent.key === 'Tab' && event.preventDefault());
}
