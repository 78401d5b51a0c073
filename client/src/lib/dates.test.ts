import { afterEach, describe, expect, it, vi } from 'vitest';
import {
  formatAge,
  formatCalendarAge,
  daysUntil,
  toLocalDay,
  formatLongMemoryDate,
  formatMoment,
  formatMonth,
  formatShortDate,
} from './dates.ts';

const now = new Date('2026-11-20T12:00:00.000Z');
const before = (minutes: number) => new Date(now.getTime() - minutes * 60_000).toISOString();
const HOUR = 60;
const DAY = 24 * HOUR;

describe('formatAge', () => {
  it.each([
    [0, 'Just now'],
    [1, '1 minute ago'],
    [59, '59 minutes ago'],
    [HOUR, '1 hour ago'],
    [23 * HOUR + 59, '23 hours ago'],
    [DAY, '1 day ago'],
    [7 * DAY - 1, '6 days ago'],
    [7 * DAY, '1 week ago'],
    [30 * DAY - 1, '4 weeks ago'],
    [30 * DAY, '1 month ago'],
    [400 * DAY, '13 months ago'],
  ])('%i minutes read as "%s"', (minutes, label) => {
    expect(formatAge(before(minutes), now)).toBe(label);
  });

  it('treats instants in the near future as now', () => {
    expect(formatAge(before(-2), now)).toBe('Just now');
  });
});

describe('formatMoment', () => {
  const noon = new Date(2026, 10, 20, 12);
  it.each([
    [new Date(2026, 10, 20, 9, 5), 'today at 09:05'],
    [new Date(2026, 10, 20, 12, 1), 'today at 12:01'],
    [new Date(2026, 10, 19, 23, 59), 'yesterday at 23:59'],
    [new Date(2026, 10, 18, 0, 0), 'Nov 18, 2026 at 00:00'],
  ])('%s reads as "%s"', (instant, text) => {
    expect(formatMoment(instant.toISOString(), noon)).toBe(text);
  });
});

describe('formatCalendarAge', () => {
  const noon = new Date(2026, 10, 20, 12);
  const daysBefore = (days: number) => new Date(2026, 10, 20 - days, 12).toISOString();

  it.each([
    [0, 'Today'],
    [1, 'Yesterday'],
    [2, '2 days ago'],
    [6, '6 days ago'],
    [7, '1 week ago'],
    [13, '1 week ago'],
    [14, '2 weeks ago'],
    [29, '4 weeks ago'],
    [30, '1 month ago'],
    [59, '1 month ago'],
    [60, '2 months ago'],
    [364, '12 months ago'],
    [365, '1 year ago'],
    [729, '1 year ago'],
    [730, '2 years ago'],
    [36_500, '100 years ago'],
  ])('%i days read as "%s"', (days, label) => {
    expect(formatCalendarAge(daysBefore(days), noon)).toBe(label);
  });

  it('counts midnights, not hours', () => {
    const lateYesterday = new Date(2026, 10, 19, 23, 59).toISOString();
    const earlyToday = new Date(2026, 10, 20, 0, 0).toISOString();
    const justAfterMidnight = new Date(2026, 10, 20, 0, 1);
    const lateToday = new Date(2026, 10, 20, 23, 59);
    expect(formatCalendarAge(lateYesterday, justAfterMidnight)).toBe('Yesterday');
    expect(formatCalendarAge(earlyToday, lateToday)).toBe('Today');
  });

  it('is Today for a future instant', () => {
    expect(formatCalendarAge(daysBefore(-3), noon)).toBe('Today');
  });
});

describe('calendar days', () => {
  afterEach(() => vi.unstubAllEnvs());

  it.each([
    ['America/Los_Angeles', '2026-02-28'],
    ['Europe/London', '2026-02-28'],
    ['Pacific/Auckland', '2026-03-01'],
  ])('are those of %s', (zone, day) => {
    vi.stubEnv('TZ', zone);
    expect(toLocalDay('2026-02-28T12:00:00.000Z')).toBe(day);
  });

  it.each(['America/Los_Angeles', 'Pacific/Auckland'])('may have 23 or 25 hours in %s', (zone) => {
    vi.stubEnv('TZ', zone);
    for (let day = 1; day < 365; day += 1) {
      const evening = new Date(2026, 0, day, 23, 30).toISOString();
      const nextMorning = new Date(2026, 0, day + 1, 0, 30);
      expect(formatCalendarAge(evening, nextMorning)).toBe('Yesterday');
    }
  });
});

describe('formatMonth', () => {
  it('is the month and the year', () => {
    expect(formatMonth('2026-03')).toBe('March 2026');
  });
});

describe('formatShortDate', () => {
  it('is the short month, the day and the year', () => {
    expect(formatShortDate('2026-03-01T12:00:00.000Z')).toBe('Mar 1, 2026');
  });

  it('is null for an invalid instant', () => {
    expect(formatShortDate('soon')).toBeNull();
  });
});

describe('formatLongMemoryDate', () => {
  afterEach(() => vi.unstubAllEnvs());

  it.each(['America/Los_Angeles', 'Pacific/Auckland'])('is the stored day in %s, too', (zone) => {
    vi.stubEnv('TZ', zone);
    expect(formatLongMemoryDate('2026-03-01')).toBe('March 1, 2026');
    expect(formatLongMemoryDate('2026-03-01T23:30')).toBe('March 1, 2026');
  });

  it('is the stored day, with or without a time', () => {
    expect(formatLongMemoryDate('2026-03-01')).toBe('March 1, 2026');
    expect(formatLongMemoryDate('2026-03-01T23:59')).toBe('March 1, 2026');
  });

  it('formats years before 1970', () => {
    expect(formatLongMemoryDate('0099-12-31')).toBe('December 31, 99');
  });
});

describe('daysUntil', () => {
  it('counts midnights; 0 for past instants', () => {
    const lateInTheEvening = new Date(2026, 2, 28, 23, 30);
    const days = (day: number, hour: number) =>
      daysUntil(new Date(2026, 2, day, hour).toISOString(), lateInTheEvening);
    expect([days(28, 23), days(29, 0), days(29, 23), days(31, 1), days(20, 1)]).toEqual([0, 1, 1, 3, 0]);
  });
});
