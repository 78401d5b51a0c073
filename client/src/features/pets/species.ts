import type { Pet, PetSpecies } from '#shared/pet';

/** How each species is called on a screen, in the order in which they are offered. */
export const speciesNames: Record<PetSpecies, string> = {
  dog: 'Dog',
  cat: 'Cat',
  bird: 'Bird',
  fish: 'Fish',
  rabbit: 'Rabbit',
  hamster: 'Hamster',
  other: 'Other',
};

/** A pet as one choice of several: two may have one name. */
export function petOption({ id, name, species }: Pick<Pet, 'id' | 'name' | 'species'>) {
  return { value: id, name: `${name} (${speciesNames[species]})` };
}
