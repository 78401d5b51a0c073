import * as z from 'zod/mini';
import { MAX_SEARCH_LENGTH, MemoryOrder } from '#shared/album/memory';
import { useSearchParams } from '../../../lib/routing/use-search-params.ts';
import { useOnTrue } from '../../../lib/use-on-true.ts';
import { showToast } from '../../../ui/toasts/toast-store.ts';

const q = z.pipe(
  z.string(),
  z.transform((text: string) => text.replaceAll('\0', '').trim().slice(0, MAX_SEARCH_LENGTH)),
);

const schema = z.object({
  tab: z.catch(z.enum(['memories', 'caricatures']), 'memories'),
  q: z.catch(q, ''),
  /** Empty for all memories, with or without a pet. */
  pet: z.catch(z.string(), ''),
  loved: z.catch(z.enum(['', 'true']), ''),
  order: z.catch(MemoryOrder, 'added'),
  view: z.catch(z.enum(['grid', 'list']), 'grid'),
  /** The memory whose photo is chosen for a caricature; empty for none. */
  photo: z.catch(z.string(), ''),
});

export type GallerySearchParams = z.infer<typeof schema>;

export const useGallerySearchParams = () => useSearchParams(schema);

/** Resets the filter if its pet has been deleted or belongs to someone else. @returns whether the pet exists */
export function useResetMissingPet(
  { pet: petId, tab }: GallerySearchParams,
  pets: { id: string }[] | undefined,
  onMissing: () => void,
): boolean {
  const isFound = petId === '' || (pets?.some(({ id }) => id === petId) ?? false);
  useOnTrue(!isFound && pets !== undefined, () => {
    onMissing();
    showToast({
      title: 'Pet not found',
      description: `This pet has been deleted. Here are the ${tab} of all your pets.`,
    });
  });
  return isFound;
}
