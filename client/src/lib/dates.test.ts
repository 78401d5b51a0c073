import { describe, expect, it } from 'vitest';
import { ageLabel, longMemoryDate, memoryTime, shortDate } from './dates.ts';

const now = new Date('2026-11-20T12:00:00.000Z');
const before = (minutes: number) => new Date(now.getTime() - minutes * 60_000).toISOString();
const HOUR = 60;
const DAY = 24 * HOUR;

describe('ageLabel', () => {
  it.each([
    [0, 'Less than a minute ago'],
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
    expect(ageLabel(before(minutes), now)).toBe(label);
  });

  it('takes a clock that is a little ahead for now', () => {
    expect(ageLabel(before(-2), now)).toBe('Less than a minute ago');
  });
});

describe('shortDate', () => {
  it('is short month, day and year', () => {
    expect(shortDate('2026-03-01T12:00:00.000Z')).toBe('Mar 1, 2026');
  });

  it('is nothing for what is no instant', () => {
    expect(shortDate('soon')).toBeNull();
  });
});

describe('longMemoryDate', () => {
  it('is the day that was written, with or without a time', () => {
    expect(longMemoryDate('2026-03-01')).toBe('March 1, 2026');
    expect(longMemoryDate('2026-03-01T23:59')).toBe('March 1, 2026');
  });

  it('knows years before 1970', () => {
    expect(longMemoryDate('0099-12-31')).toBe('December 31, 99');
  });
});

describe('memoryTime', () => {
  it('is the time that was written, when one was', () => {
    expect(memoryTime('2026-03-01T17:30')).toMatch(/^5:30\sPM$/);
    expect(memoryTime('2026-03-01')).toBeNull();
  });
});
