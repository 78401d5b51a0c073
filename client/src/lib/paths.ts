import { paths } from '#shared/page-paths';

export { paths };

export function flipbookPath(bookId: string): string {
  return paths.flipbook.replace(':bookId', bookId);
}

export function caricaturePath(memoryId: string): string {
  return `${paths.gallery}?${new URLSearchParams({ tab: 'caricatures', photo: memoryId })}`;
}

/** The history state of a flipbook if the previous entry is the gallery. */
export const CAME_FROM_GALLERY = { cameFrom: 'gallery' };
