import type { Memory } from '#shared/memory';
import { Photo, type PhotoProps } from '../photos/photo.tsx';
import { useImageDescription } from './use-image-description.ts';

interface MemoryImageProps extends Omit<PhotoProps, 'photo' | 'description'> {
  memory: Memory;
}

/** A memory's photo, which says whom it shows. */
export function MemoryImage({ memory, ...props }: MemoryImageProps) {
  return <Photo photo={memory} description={useImageDescription(memory)} {...props} />;
}
