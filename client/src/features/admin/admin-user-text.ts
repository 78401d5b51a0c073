import type { AdminUser } from '#shared/admin';
import { formatCalendarAge } from '../../lib/dates.ts';

const UNITS = ['bytes', 'KB', 'MB', 'GB', 'TB', 'PB'];
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

/** Three digits at most, so that a full account is not shown as nearly full by its decimals. */
export function formatBytes(bytes: number): string {
  let unit = 0;
  let amount = bytes;
  // 999.5 KB would be shown as 1000 KB.
  for (; amount >= 999.5 && unit < UNITS.length - 1; unit += 1) amount /= 1024;
  return `${Number(amount.toPrecision(3))} ${bytes === 1 ? 'byte' : UNITS[unit]}`;
}
