import type { AdminUser } from '#shared/accounts/admin';
import type { BackupState } from '#shared/transfers/backup';
import { formatCalendarAge } from '../../lib/dates.ts';
import { formatBytes } from '../../lib/format-bytes.ts';

export const GIGABYTE = 1024 ** 3;

export function personName({
  firstName,
  lastName,
  username,
}: Pick<AdminUser, 'firstName' | 'lastName' | 'username'>): string {
  return [firstName, lastName].filter(Boolean).join(' ') || username;
}

/** Like `Seen yesterday`. */
export function formatLastSeen(lastSeenAt: string | null, now = new Date()): string {
  return lastSeenAt === null ? 'Not seen yet' : `Seen ${formatCalendarAge(lastSeenAt, now).toLowerCase()}`;
}

/** `1.2 GB of 10 GB` */
export function formatStorage({
  storageBytes,
  storageLimitBytes,
}: Pick<AdminUser, 'storageBytes' | 'storageLimitBytes'>): string {
  return `${formatBytes(storageBytes)} of ${formatBytes(storageLimitBytes)}`;
}

export function formatLastBackup({ lastBackupAt, failure }: BackupState, now = new Date()): string {
  if (lastBackupAt) return `Last backup: ${formatCalendarAge(lastBackupAt, now).toLowerCase()}.`;
  return failure ? 'There is no backup yet.' : 'The first backup is being made.';
}
