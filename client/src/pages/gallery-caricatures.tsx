import type { ReactNode } from 'react';
import { useHistoryState } from 'wouter/use-browser-location';
import { CaricatureGallery } from '../features/caricatures/caricature-gallery.tsx';
import {
  useGallerySearchParams,
  useLeavingUnknownPet,
} from '../features/memories/gallery/gallery-search-params.ts';
import { PetFilter } from '../features/memories/gallery/gallery-bar.tsx';
import { usePets } from '../features/pets/pet-api.ts';
import { LoadingScreen } from '../ui/loading-screen.tsx';

/** The gallery's second tab: the caricatures of the chosen pet, or of all. */
export function GalleryCaricatures({ firstPhotoButton }: { firstPhotoButton: ReactNode }) {
  const [params, setParams] = useGallerySearchParams();
  const { pet: petId, photo } = params;
  const pets = usePets();
  const isPhotoPreselected =
    useHistoryState<{ isPhotoPreselected?: boolean } | null>()?.isPhotoPreselected ?? false;
  const isPetKnown = useLeavingUnknownPet(params, pets.data, () => setParams({ pet: '' }, { replace: true }));
  if (!isPetKnown && !pets.isError) return <LoadingScreen />;
  return (
    <CaricatureGallery
      petId={petId}
      pets={pets.data ?? []}
      photoId={photo}
      onChoosePhoto={(photo) => setParams({ photo }, { replace: true })}
      isPhotoPreselected={isPhotoPreselected}
      filter={
        <PetFilter
          pets={pets.isError ? [] : pets.data}
          petId={petId}
          onPet={(pet) => setParams({ pet, photo: '' })}
        />
      }
      firstPhotoButton={firstPhotoButton}
    />
  );
}
