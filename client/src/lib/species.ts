import type { PetSpecies } from '#shared/pet';

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
