import { useEffect, useEffectEvent } from 'react';
import { showToast } from '../../../ui/toast-store.ts';
import type { GallerySearchParams } from './gallery-search-params.ts';

/** A pet that has been deleted, or was never theirs, is left behind. @returns whether all that is named is there */
export function useLeavingUnknownPet(
  { pet: petId, tab }: GallerySearchParams,
  pets: { id: string }[] | undefined,
  onGone: () => void,
): boolean {
  const isKnown = petId === '' || (pets?.some(({ id }) => id === petId) ?? false);
  const isGone = !isKnown && pets !== undefined;
  const leave = useEffectEvent(() => {
    onGone();
    showToast({
      title: 'Pet not found',
      description: `This pet has been deleted. Here are the ${tab} of all your pets.`,
    });
  });
  useEffect(() => {
    if (isGone) leave();
  }, [isGone]);
  return isKnown;
}
