import { expect, it } from 'vitest';
import { formatLastBackup, formatLastSeen, formatStorage, personName } from './admin-user-text.ts';

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

it('shows the storage in use beside its limit', () => {
  const limit = 10 * 1024 ** 3;
  expect(formatStorage({ storageBytes: 1.5 * 1024 ** 3, storageLimitBytes: limit })).toBe('1.5 GB of 10 GB');
});

it('tells in words when the last backup was made', () => {
  const now = new Date(2026, 5, 20, 12);
  const backup = { lastBackupAt: new Date(2026, 5, 19, 3).toISOString(), ageHours: 33, failure: null };
  const failure = { at: now.toISOString(), reason: 'ENOSPC' };
  expect(formatLastBackup(backup, now)).toBe('Last backup: yesterday.');
  expect(formatLastBackup({ ...backup, lastBackupAt: null }, now)).toBe('The first backup is being made.');
  expect(formatLastBackup({ ...backup, lastBackupAt: null, failure }, now)).toBe('There is no backup yet.');
});
