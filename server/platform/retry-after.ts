/** Longer than any service asks us to wait: beyond it the header is a mistake. */
const MAX_SECONDS = 24 * 60 * 60;

/** How many seconds a `Retry-After` header asks us to wait: it has seconds, or a date. Null without one. */
export function parseRetryAfter(header: unknown): number | null {
  if (typeof header !== 'string' || header === '') return null;
  const seconds = /^\d+(\.\d+)?$/.test(header) ? Number(header) : (Date.parse(header) - Date.now()) / 1000;
  return Number.isFinite(seconds) ? Math.min(MAX_SECONDS, Math.max(0, Math.ceil(seconds))) : null;
}
