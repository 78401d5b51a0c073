import { DrizzleQueryError } from 'drizzle-orm/errors';

/** Drizzle wraps errors of queries, also of waiting for a connection. */
export function unwrapQueryError(error: unknown): unknown {
  return error instanceof DrizzleQueryError ? error.cause : error;
}

/** SQLSTATE: connection errors, shutdown or recovery, insufficient resources. */
const UNAVAILABLE_STATES = /^(08|57P0[123]|53)/;
/** These end the connection. */
const FATAL_SEVERITIES = /^(FATAL|PANIC)$/;
const UNAVAILABLE_SYSTEM_CODES = /^(ECONNREFUSED|ECONNRESET|ENOENT|EPIPE|ETIMEDOUT|ENOTFOUND)$/;
/** pg's errors without a code. */
const UNAVAILABLE_MESSAGES =
  /Connection terminated|is not queryable|timeout exceeded when trying to connect|timeout expired|Cannot use a pool after calling end/;

/** Whether the error or its cause is a database that is down, starting or out of connections. */
export function isDatabaseUnavailable(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  if (isPostgresError(error)) {
    if (UNAVAILABLE_STATES.test(error.code) || FATAL_SEVERITIES.test(error.severity)) return true;
  }
  const { code = '', syscall = '' } = error as NodeJS.ErrnoException;
  if (UNAVAILABLE_SYSTEM_CODES.test(code) && /^(connect|read|write)$/.test(syscall)) return true;
  return UNAVAILABLE_MESSAGES.test(error.message) || isDatabaseUnavailable(error.cause);
}

/** Postgres ended this transaction, because two waited for each other. */
export function isDeadlock(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  return (isPostgresError(error) && error.code === '40P01') || isDeadlock(error.cause);
}

/** The violated unique constraint or index, or null. */
export function violatedUniqueConstraint(error: unknown): string | null {
  if (!(error instanceof Error)) return null;
  if (isPostgresError(error) && error.code === '23505') return error.constraint ?? null;
  return violatedUniqueConstraint(error.cause);
}

/** Browsers know time zones that this Postgres does not. */
export function isUnknownTimeZone(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  return (isPostgresError(error) && error.code === '22023') || isUnknownTimeZone(error.cause);
}

function isPostgresError(
  error: Error,
): error is Error & { code: string; severity: string; constraint?: string } {
  return 'severity' in error && 'code' in error;
}
