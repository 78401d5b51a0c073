import * as z from 'zod/mini';

/** `YYYY-MM-DD` without a time zone. Converted to an instant only for formatting, in UTC. */
export type CalendarDate = string;

/** A calendar date, optionally with a local time: `YYYY-MM-DD` or `YYYY-MM-DDTHH:mm`. No zone. */
export type MemoryDate = string;

export const INVALID_DATE = 'Please enter a valid date';

const DATE = /^(\d{4})-(\d{2})-(\d{2})$/;
const TIME = /^([01]\d|2[0-3]):[0-5]\d$/;

/** Rejects days that do not exist, like 2026-02-29. Years 0001 to 9999. */
export function isCalendarDate(text: string): boolean {
  const match = DATE.exec(text);
  if (!match) return false;
  const [year, month, day] = [Number(match[1]), Number(match[2]), Number(match[3])];
  if (year < 1 || month < 1 || month > 12 || day < 1) return false;
  return day <= daysInMonth(year, month);
}

function daysInMonth(year: number, month: number): number {
  if (month === 2) return isLeapYear(year) ? 29 : 28;
  return [4, 6, 9, 11].includes(month) ? 30 : 31;
}

function isLeapYear(year: number): boolean {
  return (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0;
}

/** The earliest year of an anniversary: photography is younger. */
const FIRST_YEAR = 1826;

/** This day in earlier years, latest first. In years without a 29 February its anniversary is on the 28th. */
export function anniversariesOf(today: CalendarDate): CalendarDate[] {
  const thisYear = Number(today.slice(0, 4));
  const days = today.endsWith('-02-28') && !isLeapYear(thisYear) ? ['-02-29', '-02-28'] : [today.slice(4)];
  const anniversaries: CalendarDate[] = [];
  for (let year = thisYear - 1; year >= FIRST_YEAR; year--)
    for (const day of days) if (isCalendarDate(`${year}${day}`)) anniversaries.push(`${year}${day}`);
  return anniversaries;
}

/** The time is `HH:mm` or null. */
export function splitMemoryDate(date: MemoryDate): { day: CalendarDate; time: string | null } {
  const [day = '', time] = date.split('T');
  return { day, time: time ?? null };
}

/** A missing or empty time leaves the day alone. */
export function joinMemoryDate(day: CalendarDate, time: string | null | undefined): MemoryDate {
  return time ? `${day}T${time}` : day;
}

export function isMemoryDate(text: string): boolean {
  const { day, time } = splitMemoryDate(text);
  return isCalendarDate(day) && (time === null || TIME.test(time));
}

/** The calendar day that an instant falls on in an IANA time zone. */
export function toCalendarDay(instant: Date, timeZone: string): CalendarDate {
  const parts = new Intl.DateTimeFormat('en-US', {
    timeZone,
    calendar: 'gregory',
    numberingSystem: 'latn',
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
  }).formatToParts(instant);
  const part = (type: string) => parts.find((each) => each.type === type)?.value ?? '';
  return `${part('year').padStart(4, '0')}-${part('month')}-${part('day')}`;
}

const longDayFormat = new Intl.DateTimeFormat('en-US', { dateStyle: 'long', timeZone: 'UTC' });

export function formatLongDay(day: CalendarDate): string {
  return longDayFormat.format(new Date(`${day}T00:00:00Z`));
}

const shortTimeFormat = new Intl.DateTimeFormat('en-US', { timeStyle: 'short', timeZone: 'UTC' });

/** `March 1, 2026 at 5:30 PM`, or the day alone without a time. */
export function formatMemoryDate(date: MemoryDate): string {
  const { day, time } = splitMemoryDate(date);
  if (!time) return formatLongDay(day);
  return `${formatLongDay(day)} at ${shortTimeFormat.format(new Date(`2000-01-01T${time}:00Z`))}`;
}

/** Whether the runtime knows this IANA time zone, e.g. `Pacific/Auckland`. Offsets like `+02:00` are rejected. */
export function isTimeZone(text: string): boolean {
  if (!/^[A-Za-z][A-Za-z0-9_+-]*(\/[A-Za-z0-9_+-]+)*$/.test(text)) return false;
  try {
    new Intl.DateTimeFormat('en-US', { timeZone: text });
    return true;
  } catch {
    return false;
  }
}

export const MemoryDate = z
  .string({ error: 'Please enter a date' })
  .check(z.refine(isMemoryDate, { error: INVALID_DATE }));

export const MemoryDateInput = z.union([z.literal(''), MemoryDate], {
  error: 'Please enter a valid date, like 2026-03-01',
});
