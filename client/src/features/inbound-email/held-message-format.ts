import type { HeldMessage } from '#shared/inbound-email';
import { daysUntil } from '../../lib/dates.ts';

export function photosIn({ photoCount }: Pick<HeldMessage, 'photoCount'>): string {
  return photoCount === 1 ? '1 photo' : `${photoCount} photos`;
}

export function senderOf({ sender }: Pick<HeldMessage, 'sender'>): string {
  return sender ?? 'Unknown sender';
}

/** How long it waits. */
export function expiryLabel({ expiresAt }: Pick<HeldMessage, 'expiresAt'>, now = new Date()): string {
  const days = daysUntil(expiresAt, now);
  if (days === 0) return 'Discarded today';
  if (days === 1) return 'Discarded tomorrow';
  return `Discarded in ${days} days`;
}
