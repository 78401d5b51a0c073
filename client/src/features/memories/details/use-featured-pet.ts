import { useEffect } from 'react';
import type { Memory } from '#shared/memory';
import type { Pet } from '#shared/pet';
import { usePets } from '../../pets/pet-api.ts';

/** The pet of a memory. A list that lacks it is older than the memory, and is asked for once more. */
export function useFeaturedPet({ petId }: Memory): Pet | undefined {
  const { data: pets, refetch } = usePets();
  const pet = pets?.find(({ id }) => id === petId);
  const isMissing = petId !== null && pets !== undefined && !pet;
  useEffect(() => {
    if (isMissing) void refetch();
  }, [isMissing, petId, refetch]);
  return pet;
}
