import type { ReactNode } from 'react';
import { usePets } from '../../pets/pet-api.ts';
import { useGalleryAddress, type GalleryAddress } from './gallery-address.ts';
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
  action: (filters: Pick<GalleryAddress, 'q' | 'petId'>) => ReactNode;
}

export function MemoryGallery({ empty, action }: MemoryGalleryProps) {
  const [address, go] = useGalleryAddress();
  const [place, keepPlace] = useKeptPlace();
  const pets = usePets();
  const showEveryPet = () => go({ petId: '' }, { replace: true });
  const isPetKnown = useLeavingUnknownPet(address, pets.data, showEveryPet);
  const canAsk = isPetKnown || pets.isError;
  return (
    <>
      <GalleryBar
        address={address}
        pets={pets.isError ? [] : pets.data}
        onSearch={(q) => go({ q }, { replace: true })}
        onPet={(petId) => go({ petId })}
        onView={(view) => go({ view }, { state: toState(place && fromRowStart(place)) })}
        action={action(address)}
      />
      {canAsk ? (
        <GalleryMemories
          address={address}
          place={place}
          onPlace={keepPlace}
          empty={empty}
          onShowAll={() => go({ q: '', petId: '' })}
          onPetGone={() => void pets.refetch()}
        />
      ) : (
        <GallerySkeleton view={address.view} />
      )}
    </>
  );
}
