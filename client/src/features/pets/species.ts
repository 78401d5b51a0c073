import type { Pet, PetSpecies } from '#shared/album/pet';

/** In the order of the select. */
export const speciesNames: Record<PetSpecies, string> = {
  dog: 'Dog',
  cat: 'Cat',
  bird: 'Bird',
  fish: 'Fish',
  rabbit: 'Rabbit',
  hamster: 'Hamster',
  other: 'Other',
};

/** With the species, since two pets may have the same name. */
export function toPetOption({ id, name, species }: Pick<Pet, 'id' | 'name' | 'species'>) {
  return { value: id, name: `${name} (${speciesNames[species]})` };
}
