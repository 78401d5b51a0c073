import { useLocation, useSearch } from 'wouter';
import type { MemoryCardProps } from '../grid/memory-card.tsx';

/** The server refuses longer ones. */
export const LONGEST_SEARCH = 1000;

/** What someone looks at in the gallery. The address keeps it, for reload and back. */
export interface GalleryAddress {
  q: string;
  /** Empty: all pets, and memories of none. */
  petId: string;
  view: MemoryCardProps['mode'];
}

interface GoOptions {
  /** As if it had been there from the start: the way back does not lead here. */
  replace?: boolean;
  state?: unknown;
}

export function useGalleryAddress() {
  const [path, navigate] = useLocation();
  const address = parse(new URLSearchParams(useSearch()));
  const go = (changes: Partial<GalleryAddress>, options?: GoOptions) =>
    navigate(path + format({ ...address, ...changes }), options);
  return [address, go] as const;
}

/** What makes no sense is left out. */
function parse(query: URLSearchParams): GalleryAddress {
  return {
    q: (query.get('q') ?? '').replaceAll('\0', '').trim().slice(0, LONGEST_SEARCH),
    petId: query.get('pet') ?? '',
    view: query.get('view') === 'list' ? 'list' : 'grid',
  };
}

function format({ q, petId, view }: GalleryAddress): string {
  const query = new URLSearchParams({
    ...(q && { q }),
    ...(petId && { pet: petId }),
    ...(view === 'list' && { view }),
  });
  return query.size > 0 ? `?${query}` : '';
}
