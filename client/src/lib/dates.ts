import { splitMemoryDate, type MemoryDate } from '#shared/calendar-date';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const WEEK = 7 * DAY;
const MONTH = 30 * DAY;

const short = new Intl.DateTimeFormat('en-US', { month: 'short', day: 'numeric', year: 'numeric' });
const longDay = new Intl.DateTimeFormat('en-US', { dateStyle: 'long', timeZone: 'UTC' });
const clock = new Intl.DateTimeFormat('en-US', { timeStyle: 'short', timeZone: 'UTC' });
const longInstant = new Intl.DateTimeFormat('en-US', { dateStyle: 'long' });

/** How long ago an instant was: minutes, hours, days, weeks, then months of 30 days. */
export function ageLabel(instant: string, now = new Date()): string {
  const age = now.getTime() - new Date(instant).getTime();
  if (age < MINUTE) return 'Less than a minute ago';
  if (age < HOUR) return ago(age / MINUTE, 'minute');
  if (age < DAY) return ago(age / HOUR, 'hour');
  if (age < WEEK) return ago(age / DAY, 'day');
  if (age < MONTH) return ago(age / WEEK, 'week');
  return ago(age / MONTH, 'month');
}

function ago(amount: number, unit: string): string {
  const count = Math.floor(amount);
  return `${count} ${unit}${count === 1 ? '' : 's'} ago`;
}

/** `Mar 1, 2026` in the reader's own zone; null when the text is no instant. */
export function shortDate(instant: string): string | null {
  const date = new Date(instant);
  return Number.isNaN(date.getTime()) ? null : short.format(date);
}

/** `March 1, 2026` of an instant, in the reader's own zone. */
export function longDate(instant: string): string {
  return longInstant.format(new Date(instant));
}

/** `March 1, 2026` of a memory date: the same day wherever it is read. */
export function longMemoryDate(date: MemoryDate): string {
  return longDay.format(new Date(`${splitMemoryDate(date).day}T00:00:00Z`));
}

/** `5:30 PM` of a memory date, or null when it has no time. */
export function memoryTime(date: MemoryDate): string | null {
  const { time } = splitMemoryDate(date);
  return time && clock.format(new Date(`2000-01-01T${time}:00Z`));
}
