import { afterEach, describe, expect, it, vi } from 'vitest';
import {
  anniversariesOf,
  toCalendarDay,
  isCalendarDate,
  isMemoryDate,
  isTimeZone,
  splitMemoryDate,
  formatMemoryDate,
} from './calendar-date.ts';

describe('calendar date', () => {
  it.each(['2026-03-01', '2024-02-29', '2000-02-29', '0001-01-01', '9999-12-31'])('%s exists', (text) => {
    expect(isCalendarDate(text)).toBe(true);
  });

  it.each([
    '2026-02-29',
    '1900-02-29',
    '2026-13-01',
    '2026-00-10',
    '2026-04-31',
    '0000-01-01',
    '2026-3-1',
    '',
    'today',
  ])('%s does not', (text) => {
    expect(isCalendarDate(text)).toBe(false);
  });
});

describe('memory date', () => {
  it('may have a local time', () => {
    expect(isMemoryDate('2026-03-01T23:59')).toBe(true);
    expect(splitMemoryDate('2026-03-01T23:59')).toEqual({ day: '2026-03-01', time: '23:59' });
    expect(splitMemoryDate('2026-03-01')).toEqual({ day: '2026-03-01', time: null });
  });

  it.each([
    '2026-03-01T24:00',
    '2026-03-01T',
    '2026-03-01T10:00:00',
    '2026-03-01T10:00Z',
    '2026-03-01 10:00',
  ])('is not %s', (text) => {
    expect(isMemoryDate(text)).toBe(false);
  });
});

describe('formatMemoryDate', () => {
  afterEach(() => vi.unstubAllEnvs());

  it.each(['UTC', 'America/Los_Angeles', 'Pacific/Auckland'])('includes the time, if any, in %s', (zone) => {
    vi.stubEnv('TZ', zone);
    expect(formatMemoryDate('2026-03-01')).toBe('March 1, 2026');
    expect(formatMemoryDate('2026-03-01T17:30').replace(/\s/g, ' ')).toBe('March 1, 2026 at 5:30 PM');
    expect(formatMemoryDate('2026-03-01T23:30').replace(/\s/g, ' ')).toBe('March 1, 2026 at 11:30 PM');
  });
});

describe('toCalendarDay', () => {
  const instant = new Date('2026-03-01T10:30:00Z');

  it.each([
    ['America/Los_Angeles', '2026-03-01'],
    ['Pacific/Auckland', '2026-03-01'],
    ['Pacific/Kiritimati', '2026-03-02'],
    ['Pacific/Pago_Pago', '2026-02-28'],
  ])('in %s is %s', (timeZone, day) => {
    expect(toCalendarDay(instant, timeZone)).toBe(day);
  });
});

describe('time zone', () => {
  it('is an IANA name that the runtime knows', () => {
    for (const zone of ['Europe/London', 'UTC', 'America/Argentina/Buenos_Aires'])
      expect(isTimeZone(zone)).toBe(true);
    for (const zone of ['', '+02:00', 'Mars/Olympus', 'Europe/London; x', '../etc'])
      expect(isTimeZone(zone)).toBe(false);
  });
});

describe('anniversariesOf', () => {
  it('is the same day of earlier years', () => {
    expect(anniversariesOf('2026-05-31').slice(0, 2)).toEqual(['2025-05-31', '2024-05-31']);
    expect(anniversariesOf('2026-05-31').at(-1)).toBe('1826-05-31');
  });

  it('includes 29 February on the 28th of years without it', () => {
    expect(anniversariesOf('2026-02-28').slice(0, 4)).toEqual([
      '2025-02-28',
      '2024-02-29',
      '2024-02-28',
      '2023-02-28',
    ]);
    expect(anniversariesOf('2028-02-28').slice(0, 2)).toEqual(['2027-02-28', '2026-02-28']);
    expect(anniversariesOf('2028-02-29').slice(0, 2)).toEqual(['2024-02-29', '2020-02-29']);
  });
});
