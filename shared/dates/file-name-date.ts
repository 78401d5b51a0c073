import { isMemoryDate, joinMemoryDate, type MemoryDate } from './calendar-date.ts';

const DAY = String.raw`(?<!\d)(?<year>(?:19|20)\d\d)(?<by>[-_.]?)(?<month>\d\d)\k<by>(?<day>\d\d)`;
const TIME = String.raw`(?<hour>\d\d|\d(?=[-_.:]))(?<timeBy>[-_.:]?)(?<minute>\d\d)\k<timeBy>(?:[0-5]\d)`;
/** `_083059`, ` 08.30.59`, `T083059`, ` at 8.30.59 PM`, and milliseconds or a zone's letter after it. */
const DAY_AND_TIME = new RegExp(
  String.raw`${DAY}(?:[-_T ]+|\s*at\s+)${TIME}(?!\d{1,2}(?:\D|$))(?:\s*(?<half>[ap])m\b)?`,
  'i',
);
const DAY_ALONE = new RegExp(String.raw`${DAY}(?!\d)`);

const FIRST_YEAR = 1990;

/**
 * The date that phones and messengers write into names, like `IMG_20240131_083059.jpg`, `PXL_20240131_083059123.jpg`,
 * `IMG-20240131-WA0001.jpg` and `Screenshot 2024-01-31 at 8.30.59 PM.png`. Without its time if that does not exist. Null for days
 * that do not exist, and for years before 1990 or after next year.
 */
export function dateFromFileName(name: string, now = new Date()): MemoryDate | null {
  const withTime = DAY_AND_TIME.exec(name)?.groups;
  const { year, month, day } = withTime ?? DAY_ALONE.exec(name)?.groups ?? {};
  if (Number(year ?? 0) < FIRST_YEAR || Number(year) > now.getUTCFullYear() + 1) return null;
  const date = `${year}-${month}-${day}`;
  const dateAndTime = joinMemoryDate(date, withTime && `${hourOf(withTime)}:${withTime.minute}`);
  return [dateAndTime, date].find(isMemoryDate) ?? null;
}

/** Of 24, with two digits. */
function hourOf({ hour = '', half }: { hour?: string; half?: string }): string {
  if (!half || Number(hour) === 0 || Number(hour) > 12) return hour.padStart(2, '0');
  return String((Number(hour) % 12) + (half.toLowerCase() === 'p' ? 12 : 0)).padStart(2, '0');
}
