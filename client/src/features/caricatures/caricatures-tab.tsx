import type { ReactNode } from 'react';
import { useHistoryState } from 'wouter/use-browser-location';
import { CaricatureGallery } from './caricature-gallery.tsx';
import { useGallerySearchParams, useResetMissingPet } from '../memories/gallery/gallery-search-params.ts';
import { PetFilter } from '../memories/gallery/gallery-bar.tsx';
import { usePets } from '../pets/pet-api.ts';
import { LoadingScreen } from '../../ui/loading-screen.tsx';

/** The gallery's second tab: the caricatures of the chosen pet, or all. */
export function CaricaturesTab({ firstPhotoButton }: { firstPhotoButton: ReactNode }) {
  const [params, setParams] = useGallerySearchParams();
  const { pet: petId, photo } = params;
  const pets = usePets();
  const isPhotoPreselected =
    useHistoryState<{ isPhotoPreselected?: boolean } | null>()?.isPhotoPreselected ?? false;
  const isPetFound = useResetMissingPet(params, pets.data, () => setParams({ pet: '' }, { replace: true }));
  if (!isPetFound && !pets.isError) return <LoadingScreen />;
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
