import type { ReactNode } from 'react';
import { useHistoryState } from 'wouter/use-browser-location';
import { CaricatureGallery } from '../features/caricatures/caricature-gallery.tsx';
import { useGalleryAddress } from '../features/memories/gallery/gallery-address.ts';
import { PetFilter } from '../features/memories/gallery/gallery-bar.tsx';
import { useLeavingUnknownPet } from '../features/memories/gallery/use-leaving-unknown-pet.ts';
import { usePets } from '../features/pets/pet-api.ts';
import { LoadingScreen } from '../ui/loading-screen.tsx';

/** The gallery's second tab: the caricatures of the chosen pet, or of all. */
export function GalleryCaricatures({ firstPhotoButton }: { firstPhotoButton: ReactNode }) {
  const [address, go] = useGalleryAddress();
  const { petId, photo } = address;
  const pets = usePets();
  const isCalled = useHistoryState<{ isCalled?: boolean } | null>()?.isCalled ?? false;
  const isPetKnown = useLeavingUnknownPet(address, pets.data, () => go({ petId: '' }, { replace: true }));
  if (!isPetKnown && !pets.isError) return <LoadingScreen />;
  return (
    <CaricatureGallery
      petId={petId}
      pets={pets.data ?? []}
      photoId={photo}
      onChoosePhoto={(photo) => go({ photo }, { replace: true })}
      isCalled={isCalled}
      filter={
        <PetFilter
          pets={pets.isError ? [] : pets.data}
          petId={petId}
          onPet={(petId) => go({ petId, photo: '' })}
        />
      }
      firstPhotoButton={firstPhotoButton}
    />
  );
}
