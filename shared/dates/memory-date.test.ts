import { describe, expect, it } from 'vitest';
import { chooseMemoryDate, toMemoryDate } from './memory-date.ts';

describe('chooseMemoryDate', () => {
  const exif = '2024-01-31T08:30';
  const takeout = (date: string) => ({ source: 'takeout' as const, date });
  const fileName = 'IMG-20200101-WA0001.jpg';

  it('takes what the person entered before all others', () => {
    const person = '2010-01-01';
    expect(chooseMemoryDate({ person, exif, sidecar: takeout('2011-01-01'), fileName })).toEqual({
      date: person,
      source: 'person',
    });
  });

  it('takes none of the others if the person wants no date', () => {
    const others = { exif, sidecar: takeout('2011-01-01'), fileName };
    expect(chooseMemoryDate({ isUndated: true, ...others })).toBeNull();
    expect(chooseMemoryDate({ isUndated: true, person: '2010-01-01', ...others })?.source).toBe('person');
  });

  it.each([
    ['2024-02-02T08:30', 'exif'],
    ['2024-02-02T08:31', 'takeout'],
    ['2024-01-29T08:30', 'exif'],
    ['2024-01-29T08:29', 'takeout'],
  ])('the sidecar’s %s beside the camera’s date: %s', (date, source) => {
    expect(chooseMemoryDate({ exif, sidecar: takeout(date), fileName })?.source).toBe(source);
  });

  it('falls back from the sidecar to the file’s name to nothing', () => {
    const sidecar = { source: 'icloud' as const, date: '2019-05-05T10:00' };
    expect(chooseMemoryDate({ sidecar, fileName })).toEqual(sidecar);
    expect(chooseMemoryDate({ fileName })).toEqual({ date: '2020-01-01', source: 'file-name' });
    expect(chooseMemoryDate({ fileName: 'rex.jpg' })).toBeNull();
  });
});

describe('toMemoryDate', () => {
  it.each([
    ['Pacific/Auckland', '2024-02-01T00:30'],
    ['America/Los_Angeles', '2024-01-31T03:30'],
    ['UTC', '2024-01-31T11:30'],
  ])('%s', (timeZone, date) => {
    expect(toMemoryDate(new Date('2024-01-31T11:30:59Z'), timeZone)).toBe(date);
  });
});
