import { useState } from 'react';
import type { Memory } from '#shared/album/memory';
import { showFailure } from '../../../ui/toasts/show-error.ts';

/** The pet of a new caricature: the page's pet filter, else the photo's pet, else the one chosen for the photo. */
export function useCaricaturePet(filterPetId: string, photo: Memory | null) {
  /** `petId` is empty after pressing Create without choosing one. */
  const [choice, setChoice] = useState<{ memoryId: string; petId: string } | null>(null);
  const chosenPetId = choice && choice.memoryId === photo?.id ? choice.petId : null;
  const choosePet = (petId: string) => photo && setChoice({ memoryId: photo.id, petId });
  return {
    petId: filterPetId || photo?.petId || chosenPetId,
    isChoiceNeeded: photo !== null && !filterPetId && !photo.petId,
    chosenPetId,
    choosePet,
    rejectMissingPet: () => {
      choosePet('');
      showFailure('Pet Not Found', 'Could not determine which pet this photo belongs to.');
    },
  };
}
