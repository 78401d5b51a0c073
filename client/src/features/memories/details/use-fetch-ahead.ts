import { useEffect } from 'react';
import type { Memory } from '#shared/memory';
import { variantsOf } from '../../../ui/photo.tsx';

/** How wide the photo of an open memory is on the screen. */
export const PHOTO_SIZES = '(min-width: 1024px) 560px, (min-width: 768px) 55vw, 90vw';

/** Fetches the pictures that may be looked at next, in the width in which they will be. */
export function useFetchAhead(memories: (Memory | undefined | false)[]): void {
  const addresses = memories.flatMap((memory) => (memory ? [memory.imageUrl] : [])).join(' ');
  useEffect(() => {
    for (const imageUrl of addresses.split(' ').filter(Boolean)) {
      const image = new Image();
      image.fetchPriority = 'low';
      image.sizes = PHOTO_SIZES;
      image.srcset = variantsOf(imageUrl).srcSet;
    }
  }, [addresses]);
}
