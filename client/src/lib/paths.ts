import { paths } from '#shared/page-paths';

export { paths };

export function flipbookPath(bookId: string): string {
  return paths.flipbook.replace(':bookId', bookId);
}

export function caricaturePath(memoryId: string): string {
  return `${paths.gallery}?${new URLSearchParams({ tab: 'caricatures', photo: memoryId })}`;
}

/** The gallery of one pet's memories. */
export function petGalleryPath(petId: string): string {
  return `${paths.gallery}?${new URLSearchParams({ pet: petId })}`;
}

/** The gallery of the memories that are found by a tag. */
export function tagGalleryPath(tag: string): string {
  return `${paths.gallery}?${new URLSearchParams({ q: tag })}`;
}

/** The history state of a flipbook if the previous entry is the gallery. */
export const CAME_FROM_GALLERY = { cameFrom: 'gallery' };
