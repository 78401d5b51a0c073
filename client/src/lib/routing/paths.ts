import { MAX_SEARCH_LENGTH } from '#shared/album/memory';
import { paths } from '#shared/api/page-paths';

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

/** As many as the server searches for. */
const MAX_SEARCHED_PARTS = 64;
/** At least one for each word, also of a letter that stands for several. */
const PARTS = /[\p{L}\p{N}\p{M}]+|[^\p{L}\p{N}\p{M}]+/gu;

/** The gallery of the memories that are found by a tag, or by the beginning of a very long one. */
export function tagGalleryPath(tag: string): string {
  const parts = tag.normalize('NFKD').match(PARTS) ?? [];
  const text = parts.length > MAX_SEARCHED_PARTS ? parts.slice(0, MAX_SEARCHED_PARTS).join('') : tag;
  const q = text.slice(0, MAX_SEARCH_LENGTH).trim();
  return `${paths.gallery}?${new URLSearchParams({ q })}`;
}

/** The history state of a flipbook if the previous entry is the gallery. */
export const CAME_FROM_GALLERY = { cameFrom: 'gallery' };
