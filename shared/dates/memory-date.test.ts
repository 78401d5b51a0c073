import { describe, expect, it } from 'vitest';
import { chooseMemoryDate, dateFromFileName, toMemoryDate } from './memory-date.ts';

const NOW = new Date('2026-06-01T12:00:00Z');

describe('dateFromFileName', () => {
  it.each([
    // Android, Pixel, Samsung, Huawei, Nokia, Windows Phone
    ['IMG_20240131_083059.jpg', '2024-01-31T08:30'],
    ['IMG_20240131_083059_1.jpg', '2024-01-31T08:30'],
    ['IMG_20240131_083059~2.jpg', '2024-01-31T08:30'],
    ['IMG_20240131_083059_HDR.jpg', '2024-01-31T08:30'],
    ['IMG_20240131_083059123.jpg', '2024-01-31T08:30'],
    ['IMG_20240131_083059123_HDR.jpg', '2024-01-31T08:30'],
    ['PXL_20240131_083059123.jpg', '2024-01-31T08:30'],
    ['PXL_20240131_083059123.MP.jpg', '2024-01-31T08:30'],
    ['PXL_20240131_083059123.PORTRAIT.jpg', '2024-01-31T08:30'],
    ['MVIMG_20240131_083059.jpg', '2024-01-31T08:30'],
    ['PANO_20240131_083059.jpg', '2024-01-31T08:30'],
    ['BURST20240131083059.jpg', null],
    ['00000IMG_00000_BURST20240131083059123_COVER.jpg', null],
    ['20240131_083059.jpg', '2024-01-31T08:30'],
    ['20240131_083059(0).jpg', '2024-01-31T08:30'],
    ['20240131_083059-edited.jpg', '2024-01-31T08:30'],
    ['WP_20240131_08_30_59_Pro.jpg', '2024-01-31T08:30'],
    ['WP_20240131_001.jpg', '2024-01-31'],
    ['C360_2024-01-31-08-30-59-123.jpg', '2024-01-31T08:30'],
    // Messengers
    ['IMG-20240131-WA0001.jpg', '2024-01-31'],
    ['IMG-20240131-WA0001(1).jpeg', '2024-01-31'],
    ['WhatsApp Image 2024-01-31 at 08.30.59.jpeg', '2024-01-31T08:30'],
    ['WhatsApp Image 2024-01-31 at 08.30.59 (1).jpeg', '2024-01-31T08:30'],
    ['signal-2024-01-31-083059.jpg', '2024-01-31T08:30'],
    ['signal-2024-01-31-08-30-59-123.jpg', '2024-01-31T08:30'],
    ['signal-2024-01-31-08-30-59-123-1.jpg', '2024-01-31T08:30'],
    ['photo_2024-01-31_08-30-59.jpg', '2024-01-31T08:30'],
    ['photo_2024-01-31 08.30.59.jpeg', '2024-01-31T08:30'],
    // Screenshots
    ['Screenshot_2024-01-31.png', '2024-01-31'],
    ['Screenshot_20240131-083059.png', '2024-01-31T08:30'],
    ['Screenshot_20240131_083059_Chrome.jpg', '2024-01-31T08:30'],
    ['Screenshot_2024-01-31-08-30-59.png', '2024-01-31T08:30'],
    ['Screenshot_2024-01-31-08-30-59-123_com.example.app.jpg', '2024-01-31T08:30'],
    ['Screenshot 2024-01-31 at 08.30.59.png', '2024-01-31T08:30'],
    ['Screenshot 2024-01-31 at 10.30.59 PM.png', '2024-01-31T22:30'],
    ['Screenshot 2024-01-31 at 10.30.59\u202fAM.png', '2024-01-31T10:30'],
    ['Screenshot 2024-01-31 at 9.30.59\u202fpm.png', '2024-01-31T21:30'],
    ['Screenshot 2024-01-31 at 12.30.59 AM.png', '2024-01-31T00:30'],
    ['Screenshot 2024-01-31 at 12.30.59 PM.png', '2024-01-31T12:30'],
    ['Screenshot 2024-01-31 at 22.30.59 PM.png', '2024-01-31T22:30'],
    ['Screenshot 2024-01-31 at 08.30.59 Amy.png', '2024-01-31T08:30'],
    ['Screenshot from 2024-01-31 08-30-59.png', '2024-01-31T08:30'],
    // Dropbox, scanners, people
    ['2024-01-31 08.30.59.jpg', '2024-01-31T08:30'],
    ['2024-01-31 08.30.59-1.heic', '2024-01-31T08:30'],
    ['2024-01-31.jpg', '2024-01-31'],
    ['2024_01_31 Rex in the snow.jpg', '2024-01-31'],
    ['Rex 2024.01.31.jpg', '2024-01-31'],
    ['20240131T083059Z.jpg', '2024-01-31T08:30'],
    ['雪の日_20240131_083059.jpg', '2024-01-31T08:30'],
    ['1999-12-31.jpg', '1999-12-31'],
    ['20270101.jpg', '2027-01-01'],
    // No date, or none that can be
    ['IMG_0001.HEIC', null],
    ['DSC_2024.JPG', null],
    ['IMG_20240230_083059.jpg', null],
    ['IMG_20241301_083059.jpg', null],
    ['IMG_20240131_253059.jpg', '2024-01-31'],
    ['IMG_20240131_083099.jpg', '2024-01-31'],
    ['20240131_12345.jpg', '2024-01-31'],
    ['19890131.jpg', null],
    ['20280101.jpg', null],
    ['120240131.jpg', null],
    ['202401311.jpg', null],
    ['2024-01_31.jpg', null],
    ['FB_IMG_1706689859123.jpg', null],
    ['5f2b20240131aa.jpg', '2024-01-31'],
    ['', null],
  ])('%s', (name, date) => {
    expect(dateFromFileName(name, NOW)).toBe(date);
  });
});

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
