import { isMemoryDate, type MemoryDate } from './calendar-date.ts';

/** EXIF dates are `2024:03:01 08:30:59` without a zone. Cameras without a clock write zeros. */
export function parseExifDate(value: unknown): MemoryDate | null {
  const match = typeof value === 'string' && /^(\d{4}):(\d{2}):(\d{2})[ T](\d{2}:\d{2})/.exec(value);
  if (!match) return null;
  const date = `${match[1]}-${match[2]}-${match[3]}T${match[4]}`;
  return isMemoryDate(date) ? date : null;
}
