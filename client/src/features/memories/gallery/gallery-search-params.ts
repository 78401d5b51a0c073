import { useEffect, useEffectEvent } from 'react';
import * as z from 'zod/mini';
import { useSearchParams } from '../../../lib/use-search-params.ts';
import { showToast } from '../../../ui/toast-store.ts';

/** The server refuses longer ones. */
export const MAX_SEARCH_LENGTH = 1000;

const q = z.pipe(
  z.string(),
  z.transform((text: string) => text.replaceAll('\0', '').trim().slice(0, MAX_SEARCH_LENGTH)),
);

const schema = z.object({
  tab: z.catch(z.enum(['memories', 'caricatures']), 'memories'),
  q: z.catch(q, ''),
  /** Empty: all pets, and memories of none. */
  pet: z.catch(z.string(), ''),
  view: z.catch(z.enum(['grid', 'list']), 'grid'),
  /** The memory whose photo is to become a caricature; empty while none is chosen. */
  photo: z.catch(z.string(), ''),
});

export type GallerySearchParams = z.infer<typeof schema>;

/** The gallery's filters and view. */
export const useGallerySearchParams = () => useSearchParams(schema);

/** Leaves a pet that has been deleted, or was never theirs. @returns whether all that is named is there */
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
