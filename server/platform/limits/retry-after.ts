/** A longer wait would be a mistake in the header. */
const MAX_SECONDS = 24 * 60 * 60;

/** The seconds of a `Retry-After` header, which contains seconds or a date. Null without one. */
export function parseRetryAfter(header: unknown): number | null {
  if (typeof header !== 'string' || header === '') return null;
  const seconds = /^\d+(\.\d+)?$/.test(header) ? Number(header) : (Date.parse(header) - Date.now()) / 1000;
  return Number.isFinite(seconds) ? Math.min(MAX_SECONDS, Math.max(0, Math.ceil(seconds))) : null;
}
