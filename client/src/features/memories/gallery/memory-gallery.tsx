import type { ReactNode } from 'react';
import { usePets } from '../../pets/pet-api.ts';
import { useGallerySearchParams } from './gallery-search-params.ts';
import { GalleryBar } from './gallery-bar.tsx';
import { GalleryMemories } from './gallery-memories.tsx';
import { GallerySkeleton } from './gallery-skeleton.tsx';
import { toState, useKeptPlace } from '../grid/kept-place.ts';
import { fromRowStart } from '../grid/use-grid-place.ts';
import { useLeavingUnknownPet } from './use-leaving-unknown-pet.ts';

interface MemoryGalleryProps {
  /** What stands there when there are no memories at all. */
  empty: ReactNode;
  /** What else can be done with the memories that match. */
  action: (filters: { q: string; petId: string }) => ReactNode;
}

export function MemoryGallery({ empty, action }: MemoryGalleryProps) {
  const [params, setParams] = useGallerySearchParams();
  const [place, keepPlace] = useKeptPlace();
  const pets = usePets();
  const showEveryPet = () => setParams({ pet: '' }, { replace: true });
  const isPetKnown = useLeavingUnknownPet(params, pets.data, showEveryPet);
  const canAsk = isPetKnown || pets.isError;
  return (
    <>
      <GalleryBar
        params={params}
        pets={pets.isError ? [] : pets.data}
        onSearch={(q) => setParams({ q }, { replace: true })}
        onPet={(pet) => setParams({ pet })}
        onView={(view) => setParams({ view }, { state: toState(place && fromRowStart(place)) })}
        action={action({ q: params.q, petId: params.pet })}
      />
      {canAsk ? (
        <GalleryMemories
          params={params}
          place={place}
          onPlace={keepPlace}
          empty={empty}
          onShowAll={() => setParams({ q: '', pet: '' })}
          onPetGone={() => void pets.refetch()}
        />
      ) : (
        <GallerySkeleton view={params.view} />
      )}
    </>
  );
}
