import type { MemoryDate } from '#shared/dates/calendar-date';
import { readCaptureDate } from '#shared/dates/capture-date';
import { isAnimatedImage } from '#shared/photos/animated-image';

export type PhotoFacts = {
  takenAt: MemoryDate | null;
  isAnimated: boolean;
};

/** @throws if the file is gone */
export async function readPhotoFacts(photo: Blob, type: string): Promise<PhotoFacts> {
  const bytes = new Uint8Array(await photo.arrayBuffer());
  return { takenAt: readCaptureDate(bytes), isAnimated: type === 'image/gif' || isAnimatedImage(bytes) };
}
