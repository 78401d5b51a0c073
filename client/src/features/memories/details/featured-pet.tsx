import type { Pet } from '#shared/pet';
import { PetPicture } from '../../../ui/pet-picture.tsx';

/** 'Featured Pet': whom a memory is about. */
export function FeaturedPet({ pet }: { pet: Pet }) {
  return (
    <span className="flex items-center gap-3">
      {pet.profileImageUrl && (
        <PetPicture pet={pet} sizes="40px" isDecoration className="size-10 shrink-0 rounded-full" />
      )}
      <span className="line-clamp-3 min-w-0 wrap-anywhere">
        <bdi>{pet.name}</bdi>
        {pet.species !== 'other' && ` the ${pet.species}`}
      </span>
    </span>
  );
}
