import { toCalendarDay, type CalendarDate } from '#shared/dates/calendar-date';

const long = new Intl.DateTimeFormat('en-US', { dateStyle: 'full', timeZone: 'UTC' });

/** `Sunday, March 1, 2026`. A calendar date has no zone; an instant is formatted as its day in this zone. */
export function formatDay(when: CalendarDate | Date, timeZone: string): string {
  const day = typeof when === 'string' ? when : toCalendarDay(when, timeZone);
  return long.format(new Date(`${day}T00:00:00Z`));
}
