import {
  formatLongDay,
  splitMemoryDate,
  type CalendarDate,
  type MemoryDate,
} from '#shared/dates/calendar-date';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const WEEK = 7 * DAY;
const MONTH = 30 * DAY;

const short = new Intl.DateTimeFormat('en-US', { month: 'short', day: 'numeric', year: 'numeric' });
const timeOfDay = new Intl.DateTimeFormat('en-US', { timeStyle: 'short', hourCycle: 'h23' });
const shortDay = new Intl.DateTimeFormat('en-US', { dateStyle: 'medium', timeZone: 'UTC' });
const monthOfYear = new Intl.DateTimeFormat('en-US', { month: 'long', year: 'numeric', timeZone: 'UTC' });
const longInstant = new Intl.DateTimeFormat('en-US', { dateStyle: 'long' });

/** Elapsed time in minutes, hours, days, weeks or months of 30 days. */
export function formatAge(instant: string, now = new Date()): string {
  const age = now.getTime() - new Date(instant).getTime();
  if (age < MINUTE) return 'Just now';
  if (age < HOUR) return ago(age / MINUTE, 'minute');
  if (age < DAY) return ago(age / HOUR, 'hour');
  if (age < WEEK) return ago(age / DAY, 'day');
  if (age < MONTH) return ago(age / WEEK, 'week');
  return ago(age / MONTH, 'month');
}

/** Elapsed calendar days in the reader's zone, weeks, months of 30 days or years of 365. */
export function formatCalendarAge(instant: string, now = new Date()): string {
  const days = dayNumber(now) - dayNumber(new Date(instant));
  // The server's clock may be ahead.
  if (days <= 0) return 'Today';
  if (days === 1) return 'Yesterday';
  if (days < 7) return ago(days, 'day');
  if (days < 30) return ago(days / 7, 'week');
  if (days < 365) return ago(days / 30, 'month');
  return ago(days / 365, 'year');
}

/** Calendar days in the reader's zone; 0 for past instants. */
export function daysUntil(instant: string, now = new Date()): number {
  return Math.max(0, dayNumber(new Date(instant)) - dayNumber(now));
}

/** The calendar day in the reader's zone, as a number. Days have 23 to 25 hours. */
function dayNumber(date: Date): number {
  return Date.UTC(date.getFullYear(), date.getMonth(), date.getDate()) / DAY;
}

function ago(amount: number, unit: string): string {
  const count = Math.floor(amount);
  return `${count} ${unit}${count === 1 ? '' : 's'} ago`;
}

/** `Mar 1, 2026` in the reader's zone; null for an invalid instant. */
export function formatShortDate(instant: string): string | null {
  const date = new Date(instant);
  return Number.isNaN(date.getTime()) ? null : short.format(date);
}

/** `March 1, 2026` in the reader's zone. */
export function formatLongDate(instant: string): string {
  return longInstant.format(new Date(instant));
}

/** `today at 14:02`, `yesterday at 14:02` or `Mar 1, 2026 at 14:02`, in the reader's zone. */
export function formatMoment(instant: string, now = new Date()): string {
  const date = new Date(instant);
  const days = dayNumber(now) - dayNumber(date);
  const day = days <= 0 ? 'today' : days === 1 ? 'yesterday' : short.format(date);
  return `${day} at ${timeOfDay.format(date)}`;
}

/** In the reader's zone. */
export function toLocalDay(instant: string): CalendarDate {
  return new Date(dayNumber(new Date(instant)) * DAY).toISOString().slice(0, 10);
}

/** `March 1, 2026` */
export function formatLongMemoryDate(date: MemoryDate): string {
  return formatLongDay(splitMemoryDate(date).day);
}

/** `Mar 1, 2026` */
export function formatShortMemoryDate(date: MemoryDate): string {
  return shortDay.format(new Date(`${splitMemoryDate(date).day}T00:00:00Z`));
}

/** `March 2026` for `2026-03`. */
export function formatMonth(month: string): string {
  return monthOfYear.format(new Date(`${month}-01T00:00:00Z`));
}
