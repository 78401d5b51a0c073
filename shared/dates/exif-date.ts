import { toAsciiDigits } from '../text/digits.ts';
import { isCalendarDate, isMemoryDate, joinMemoryDate, type MemoryDate } from './calendar-date.ts';

const YEAR_FIRST = /^(\d{4})([-:/.])\s?(\d{1,2})[-:/.]\s?(\d{1,2})(?!\d)/;
/** Of IPTC and ISO 8601. */
const WITHOUT_SEPARATORS = /^(\d{4})()(\d\d)(\d\d)(?!\d)/;
/** Some programs write a blank for a leading zero. */
const TIME =
  /^[T\s]\s*(\d{1,2})([-:.]?)\s?(\d{1,2})(?:\2\s?(\d{1,2})(?!\d))?(?:[.,]\d+)?\s*(?:([ap])\.?m\b)?/i;

/** The oldest photo. A clock that was never set gives years like 0000 and 0001. */
const FIRST_YEAR = 1826;

/**
 * The local date of EXIF (`2024:03:01 08:30:59`), XMP (`2024-03-01T08:30:59+02:00`), IPTC (`20240301 083059+0200`), and of cameras
 * that do not keep to those. The day alone if the time does not exist. Null for years after the next: some phones write
 * those of another calendar.
 */
export function parseExifDate(value: unknown, now = new Date()): MemoryDate | null {
  if (typeof value !== 'string') return null;
  const text = toAsciiDigits(value).trim();
  const match = YEAR_FIRST.exec(text) ?? WITHOUT_SEPARATORS.exec(text);
  const [matched = '', year = '', , month = '', dayOfMonth = ''] = match ?? [];
  if (Number(year) < FIRST_YEAR || Number(year) > now.getUTCFullYear() + 1) return null;
  const day = `${year}-${month.padStart(2, '0')}-${dayOfMonth.padStart(2, '0')}`;
  if (!isCalendarDate(day)) return null;
  const date = joinMemoryDate(day, parseTime(text.slice(matched.length)));
  return isMemoryDate(date) ? date : day;
}

function parseTime(text: string): string | null {
  const [, hourText = '', , minute = '', second = '0', half] = TIME.exec(text) ?? [];
  if (!minute || Number(second) > 60) return null;
  const hour = half ? toHourOf24(Number(hourText), half) : Number(hourText);
  return hour === null ? null : `${String(hour).padStart(2, '0')}:${minute.padStart(2, '0')}`;
}

function toHourOf24(hour: number, half: string): number | null {
  if (hour < 1 || hour > 12) return null;
  return (hour % 12) + (half.toLowerCase() === 'p' ? 12 : 0);
}
