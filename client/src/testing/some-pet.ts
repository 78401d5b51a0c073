import type { Pet } from '#shared/pet';

/** A pet as the API answers it, for tests of how it is shown. */
export function somePet(details: Partial<Pet> = {}): Pet {
  return {
    id: '01980000-0000-7000-8000-000000000003',
    name: 'Rex',
    species: 'dog',
    breed: null,
    age: null,
    weight: null,
    birthdayOrGotchaDay: null,
    description: null,
    profileImageUrl: null,
    createdAt: new Date().toISOString(),
    ...details,
  };
}
