import type { HeldMessage } from '#shared/transfers/inbound-email';
import { daysUntil } from '../../lib/dates.ts';

export function formatPhotoCount({ photoCount }: Pick<HeldMessage, 'photoCount'>): string {
  return photoCount === 1 ? '1 photo' : `${photoCount} photos`;
}

export function formatEmailCount(count: number): string {
  return count === 1 ? '1 email' : `${count} emails`;
}

/** `Oma Ingrid`, `Oma Ingrid and Uwe` or `Oma Ingrid, Uwe and 3 others`. */
export function formatRecipients(contacts: { name: string }[]): string {
  const names = contacts.slice(0, contacts.length > 3 ? 2 : 3).map(({ name }) => name);
  const others = contacts.length - names.length;
  return list.format(others > 0 ? [...names, `${others} others`] : names);
}

const list = new Intl.ListFormat('en-GB');

export function formatSender({ sender }: Pick<HeldMessage, 'sender'>): string {
  return sender ?? 'Unknown sender';
}

export function formatExpiry({ expiresAt }: Pick<HeldMessage, 'expiresAt'>, now = new Date()): string {
  const days = daysUntil(expiresAt, now);
  if (days === 0) return 'Expires today';
  if (days === 1) return 'Expires tomorrow';
  return `Expires in ${days} days`;
}
