import type { MailRow } from './email-queries.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const RETRIED_FOR_MS = 48 * HOUR_MS;
const MAX_PAUSE_MS = 6 * HOUR_MS;

/** When a mail that was not taken is tried again: after one minute, two, four, …, six hours; for two days. */
export function nextTry(
  { tries, firstTriedAt }: Pick<MailRow, 'tries' | 'firstTriedAt'>,
  now: Date,
): Pick<MailRow, 'firstTriedAt'> & ({ status: 'failed' } | { tryAt: Date }) {
  const since = firstTriedAt ?? now;
  const tryAt = new Date(now.getTime() + Math.min(MINUTE_MS * 2 ** (tries - 1), MAX_PAUSE_MS));
  const isOver = tryAt.getTime() > since.getTime() + RETRIED_FOR_MS;
  return { firstTriedAt: since, ...(isOver ? { status: 'failed' } : { tryAt }) };
}
