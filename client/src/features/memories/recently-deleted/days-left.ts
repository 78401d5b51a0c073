import { TRASH_DAYS } from '#shared/album/memory';
import { daysUntil } from '../../../lib/dates.ts';

const DAY_MS = 24 * 60 * 60 * 1000;

export function daysLeftLabel(deletedAt: string, now = new Date()): string {
  const end = new Date(new Date(deletedAt).getTime() + TRASH_DAYS * DAY_MS);
  const days = daysUntil(end.toISOString(), now);
  if (days === 0) return 'Gone today';
  if (days === 1) return 'Gone tomorrow';
  return `Gone in ${days} days`;
}
