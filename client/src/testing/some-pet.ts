import type { Pet } from '#shared/album/pet';

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
    profileImageCrop: null,
    createdAt: new Date().toISOString(),
    ...details,
  };
}
