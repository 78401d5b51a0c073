/** SQLSTATE classes and codes that mean "the database is not there", not "the query is wrong". */
const UNAVAILABLE_STATES = /^(08|57P0[123]|53)/;
/** The connection ended with it, or never came to be. */
const ENDING_SEVERITIES = new Set(['FATAL', 'PANIC']);
const UNAVAILABLE_SYSTEM_CODES = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'ENOENT',
  'EPIPE',
  'ETIMEDOUT',
  'ENOTFOUND',
]);
/** What pg says, without a code, when a connection breaks or the pool has none to give in time. */
const UNAVAILABLE_MESSAGES =
  /Connection terminated|is not queryable|timeout exceeded when trying to connect|timeout expired|Cannot use a pool after calling end/;

/** Whether the error, or what caused it, is a database that is down, starting or out of connections. */
export function isDatabaseUnavailable(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const { code, syscall } = error as NodeJS.ErrnoException;
  if (
    isPostgresError(error) &&
    (UNAVAILABLE_STATES.test(error.code) || ENDING_SEVERITIES.has(error.severity))
  ) {
    return true;
  }
  if (
    code &&
    UNAVAILABLE_SYSTEM_CODES.has(code) &&
    (syscall === 'connect' || syscall === 'read' || syscall === 'write')
  )
    return true;
  return UNAVAILABLE_MESSAGES.test(error.message) || isDatabaseUnavailable(error.cause);
}

/** The unique constraint or index that a write ran into, or null. */
export function violatedUniqueConstraint(error: unknown): string | null {
  if (!(error instanceof Error)) return null;
  if (isPostgresError(error) && error.code === '23505') return error.constraint ?? null;
  return violatedUniqueConstraint(error.cause);
}

/** A zone that the browser's ICU knows and this Postgres does not. */
export function isUnknownTimeZone(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  return (isPostgresError(error) && error.code === '22023') || isUnknownTimeZone(error.cause);
}

function isPostgresError(
  error: Error,
): error is Error & { code: string; severity: string; constraint?: string } {
  return 'severity' in error && 'code' in error;
}
