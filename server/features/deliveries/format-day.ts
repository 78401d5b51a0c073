import { toCalendarDay, type CalendarDate } from '#shared/calendar-date';

const long = new Intl.DateTimeFormat('en-US', { dateStyle: 'full', timeZone: 'UTC' });

/** `Sunday, March 1, 2026`: a calendar day as it is, an instant as the day that it was in this zone. */
export function dayInWords(when: CalendarDate | Date, timeZone: string): string {
  const day = typeof when === 'string' ? when : toCalendarDay(when, timeZone);
  return long.format(new Date(`${day}T00:00:00Z`));
}
