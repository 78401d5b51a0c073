import { expect, it } from 'vitest';
import { formatBytes, formatLastSeen, formatStorage, personName } from './admin-user-text.ts';

it('names a person by the names they gave, else by the username', () => {
  const username = 'mara';
  expect(personName({ username, firstName: 'Mara', lastName: 'Winter' })).toBe('Mara Winter');
  expect(personName({ username, firstName: null, lastName: 'Winter' })).toBe('Winter');
  expect(personName({ username, firstName: '', lastName: null })).toBe('mara');
});

it('tells in words when a person was last seen', () => {
  const now = new Date(2026, 5, 20, 12);
  const seenOn = (day: number) => formatLastSeen(new Date(2026, 5, day, 23).toISOString(), now);
  expect(seenOn(20)).toBe('Seen today');
  expect(seenOn(19)).toBe('Seen yesterday');
  expect(seenOn(15)).toBe('Seen 5 days ago');
  expect(formatLastSeen(null, now)).toBe('Not seen yet');
});

it.each([
  [0, '0 bytes'],
  [1, '1 byte'],
  [999, '999 bytes'],
  [1000, '0.977 KB'],
  [1536, '1.5 KB'],
  [5 * 1024 ** 2, '5 MB'],
  [999.9 * 1024 ** 2, '0.976 GB'],
  [1.234 * 1024 ** 3, '1.23 GB'],
  [10 * 1024 ** 3, '10 GB'],
  [2 ** 50, '1 PB'],
])('shows %d bytes as %s', (bytes, text) => expect(formatBytes(bytes)).toBe(text));

it('shows the storage in use beside its limit', () => {
  const limit = 10 * 1024 ** 3;
  expect(formatStorage({ storageBytes: 1.5 * 1024 ** 3, storageLimitBytes: limit })).toBe('1.5 GB of 10 GB');
});
