import { isAnimatedImage } from '#shared/animated-image';
import type { MemoryDate } from '#shared/calendar-date';
import { readCaptureDate } from '#shared/capture-date';

export type PhotoFacts = {
  takenAt: MemoryDate | null;
  isAnimated: boolean;
};

/** @throws if the file is gone */
export async function readPhotoFacts(photo: Blob, type: string): Promise<PhotoFacts> {
  const bytes = new Uint8Array(await photo.arrayBuffer());
  return { takenAt: readCaptureDate(bytes), isAnimated: type === 'image/gif' || isAnimatedImage(bytes) };
}
