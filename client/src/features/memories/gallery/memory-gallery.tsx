import { useEffect, useEffectEvent, type ReactNode } from 'react';
import { showToast } from '../../../ui/toast-store.ts';
import { usePets } from '../../pets/pet-api.ts';
import { useGalleryAddress, type GalleryAddress } from './gallery-address.ts';
import { GalleryBar } from './gallery-bar.tsx';
import { GalleryMemories } from './gallery-memories.tsx';
import { GallerySkeleton } from './gallery-skeleton.tsx';
import { toState, useKeptPlace } from '../grid/kept-place.ts';
import { fromRowStart } from '../grid/use-grid-place.ts';

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

/** A pet that has been deleted, or was never theirs, is left behind. @returns whether all that is named is there */
function useLeavingUnknownPet(
  { petId }: GalleryAddress,
  pets: { id: string }[] | undefined,
  onGone: () => void,
): boolean {
  const isKnown = petId === '' || (pets?.some(({ id }) => id === petId) ?? false);
  const isGone = !isKnown && pets !== undefined;
  const leave = useEffectEvent(() => {
    onGone();
    showToast({
      title: 'Pet not found',
      description: 'It is not among your pets any more. Here are the memories of all of them.',
    });
  });
  useEffect(() => {
    if (isGone) leave();
  }, [isGone]);
  return isKnown;
}
