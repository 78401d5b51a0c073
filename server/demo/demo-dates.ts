import type { CalendarDate } from '#shared/dates/calendar-date';

/** Relative to today: a number of days ago, or a day of the year (`MM-DD`) so many years before its last occurrence. */
export type DemoDate = { daysAgo: number } | { on: string; yearsAgo: number };

const DAY_MS = 24 * 60 * 60 * 1000;

/** Days of the year stay fixed, so that snow falls in winter whenever the demo is created. */
export function resolveDemoDate(date: DemoDate, today: CalendarDate): CalendarDate {
  if ('daysAgo' in date) return daysBefore(today, date.daysAgo);
  // Two days ago at the latest: both the day and the evening on which the photo was added are in the past.
  const latest = daysBefore(today, 2);
  const year = Number(latest.slice(0, 4)) - (date.on > latest.slice(5) ? 1 : 0) - date.yearsAgo;
  return `${year}-${date.on}`;
}

function daysBefore(day: CalendarDate, days: number): CalendarDate {
  return new Date(Date.parse(`${day}T00:00:00Z`) - days * DAY_MS).toISOString().slice(0, 10);
}
