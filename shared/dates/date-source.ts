import * as z from 'zod/mini';
import { MemoryDate } from './calendar-date.ts';

/** The source of a memory's date. `person`: entered by someone. */
export const DateSource = z.enum(['person', 'exif', 'takeout', 'icloud', 'file-name']);
export type DateSource = z.infer<typeof DateSource>;

/** The date that Google Takeout or iCloud gives beside a photo, in the person's time zone. */
export const SidecarDate = z.object({
  source: z.enum(['takeout', 'icloud'], { error: 'The source of the date must be takeout or icloud' }),
  date: MemoryDate,
});
export type SidecarDate = z.infer<typeof SidecarDate>;

export const MAX_FILE_NAME_LENGTH = 255;
