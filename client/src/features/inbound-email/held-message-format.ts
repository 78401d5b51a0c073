import type { HeldMessage } from '#shared/inbound-email';
import { daysUntil } from '../../lib/dates.ts';

export function formatPhotoCount({ photoCount }: Pick<HeldMessage, 'photoCount'>): string {
  return photoCount === 1 ? '1 photo' : `${photoCount} photos`;
}

export function formatSender({ sender }: Pick<HeldMessage, 'sender'>): string {
  return sender ?? 'Unknown sender';
}

export function formatExpiry({ expiresAt }: Pick<HeldMessage, 'expiresAt'>, now = new Date()): string {
  const days = daysUntil(expiresAt, now);
  if (days === 0) return 'Expires today';
  if (days === 1) return 'Expires tomorrow';
  return `Expires in ${days} days`;
}
