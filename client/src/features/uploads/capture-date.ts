import type { MemoryDate } from '#shared/calendar-date';
import { parseExifDate } from '#shared/exif-date';

/** When a photo was taken, as its camera wrote it; null when it doesn't say. The reader is fetched when it is needed. */
export async function readCaptureDate(photo: Blob): Promise<MemoryDate | null> {
  try {
    const { default: exifr } = await import('exifr');
    const tags = (await exifr.parse(photo, {
      pick: ['DateTimeOriginal', 'CreateDate'],
      reviveValues: false,
    })) as { DateTimeOriginal?: unknown; CreateDate?: unknown } | undefined;
    return parseExifDate(tags?.DateTimeOriginal ?? tags?.CreateDate);
  } catch {
    return null;
  }
}
