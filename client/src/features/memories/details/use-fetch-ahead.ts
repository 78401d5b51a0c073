import { useEffect } from 'react';
import type { Memory } from '#shared/memory';
import { variantsOf } from '../../../ui/photo.tsx';
import { photoSizes } from './photo-place.tsx';

/** Fetches the pictures that may be looked at next, in the width in which they will be. */
export function useFetchAhead(memories: (Memory | undefined | false)[]): void {
  const pictures = JSON.stringify(
    memories.flatMap((memory) => (memory ? [[memory.imageUrl, photoSizes(memory)]] : [])),
  );
  useEffect(() => {
    for (const [imageUrl, sizes] of JSON.parse(pictures) as [string, string][]) {
      const image = new Image();
      image.fetchPriority = 'low';
      image.sizes = sizes;
      image.srcset = variantsOf(imageUrl).srcSet;
    }
  }, [pictures]);
}
