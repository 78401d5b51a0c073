import { useLocation, useSearch } from 'wouter';
import type { MemoryCardProps } from '../grid/memory-card.tsx';

/** The server refuses longer ones. */
export const LONGEST_SEARCH = 1000;

export type GalleryTab = 'memories' | 'caricatures';

/** What someone looks at in the gallery. The address keeps it, for reload and back. */
export interface GalleryAddress {
  tab: GalleryTab;
  q: string;
  /** Empty: all pets, and memories of none. */
  petId: string;
  view: MemoryCardProps['mode'];
  /** The memory whose photo is to become a caricature; empty while none is chosen. */
  photo: string;
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
    tab: query.get('tab') === 'caricatures' ? 'caricatures' : 'memories',
    q: (query.get('q') ?? '').replaceAll('\0', '').trim().slice(0, LONGEST_SEARCH),
    petId: query.get('pet') ?? '',
    view: query.get('view') === 'list' ? 'list' : 'grid',
    photo: query.get('photo') ?? '',
  };
}

function format({ tab, q, petId, view, photo }: GalleryAddress): string {
  const query = new URLSearchParams({
    ...(tab === 'caricatures' && { tab }),
    ...(q && { q }),
    ...(petId && { pet: petId }),
    ...(view === 'list' && { view }),
    ...(photo && { photo }),
  });
  return query.size > 0 ? `?${query}` : '';
}
