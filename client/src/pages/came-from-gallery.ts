/** What a book's entry in the browser's history holds when the one before is the gallery that it was made in. */
export const CAME_FROM_GALLERY = { cameFrom: 'gallery' };

export function cameFromGallery(state: unknown): boolean {
  return typeof state === 'object' && state !== null && 'cameFrom' in state;
}
