import { useEffect, useState } from 'react';
import { variantsOf } from '../../../ui/photo.tsx';

interface ImageSize {
  width: number;
  height: number;
}

/** Fetches a picture ahead. @returns its size once it is there; null when it can't be had */
export function useImageSize(imageUrl: string | null): ImageSize | null | undefined {
  const [known, setKnown] = useState<{ imageUrl: string; size: ImageSize | null }>();
  useEffect(() => {
    if (imageUrl === null) return undefined;
    const image = new Image();
    image.onload = () =>
      setKnown({ imageUrl, size: { width: image.naturalWidth, height: image.naturalHeight } });
    image.onerror = () => setKnown({ imageUrl, size: null });
    image.src = variantsOf(imageUrl).src;
    return () => {
      image.onload = image.onerror = null;
    };
  }, [imageUrl]);
  return known?.imageUrl === imageUrl ? known?.size : undefined;
}
