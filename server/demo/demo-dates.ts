import type { CalendarDate } from '#shared/calendar-date';

/** A day before today: so many days ago, or a day of the year (`MM-DD`) so many years before its last one. */
export type When = { daysAgo: number } | { on: string; yearsAgo: number };

const DAY_MS = 24 * 60 * 60 * 1000;

/** Snow stays in winter whenever the demo is made. */
export function dayOf(when: When, today: CalendarDate): CalendarDate {
  if ('daysAgo' in when) return daysBefore(today, when.daysAgo);
  // The last one is over, and the evening on which its photo was added too.
  const before = daysBefore(today, 2);
  const year = Number(before.slice(0, 4)) - (when.on > before.slice(5) ? 1 : 0) - when.yearsAgo;
  return `${year}-${when.on}`;
}

function daysBefore(day: CalendarDate, days: number): CalendarDate {
  return new Date(Date.parse(`${day}T00:00:00Z`) - days * DAY_MS).toISOString().slice(0, 10);
}
