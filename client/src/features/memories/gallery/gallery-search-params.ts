import * as z from 'zod/mini';
import { useSearchParams } from '../../../lib/use-search-params.ts';

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

/** What someone looks at in the gallery. */
export const useGallerySearchParams = () => useSearchParams(schema);
