import type { Memory } from '#shared/album/memory';
import { Photo, type PhotoProps } from '../photos/photo.tsx';
import { useImageDescription } from './memory-text.ts';

interface MemoryImageProps extends Omit<PhotoProps, 'photo' | 'description'> {
  memory: Memory;
}

export function MemoryImage({ memory, ...props }: MemoryImageProps) {
  return <Photo photo={memory} description={useImageDescription(memory)} {...props} />;
}
