import type { Pet } from '#shared/album/pet';
import type { PetRow } from './pet-queries.ts';

export function presentPet(row: PetRow): Pet {
  return {
    id: row.id,
    name: row.name,
    species: row.species,
    breed: row.breed,
    age: row.age,
    weight: row.weight,
    birthdayOrGotchaDay: row.birthdayOrGotchaDay,
    description: row.description,
    profileImageUrl: row.profileImageId && `/objects/${row.profileImageId}`,
    profileImageCrop:
      row.profileOriginalId && row.profileCrop
        ? { originalUrl: `/objects/${row.profileOriginalId}`, ...row.profileCrop }
        : null,
    createdAt: row.createdAt.toISOString(),
  };
}
