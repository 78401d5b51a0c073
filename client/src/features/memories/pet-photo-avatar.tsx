import type { Pet } from '#shared/album/pet';
import { PetAvatar, type PetAvatarProps } from '../pets/pet-avatar.tsx';
import { useNewestPetPhoto } from './store/memory-lists.ts';

type PetPhotoAvatarProps = Omit<PetAvatarProps, 'pet' | 'newestImageUrl'> & { pet: Pet };

/** A pet without a picture has its newest photo. */
export function PetPhotoAvatar({ pet, ...avatar }: PetPhotoAvatarProps) {
  const newestImageUrl = useNewestPetPhoto(pet.id, pet.profileImageUrl === null);
  return <PetAvatar pet={pet} newestImageUrl={newestImageUrl} {...avatar} />;
}
