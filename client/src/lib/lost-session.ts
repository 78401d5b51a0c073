/**
 * Whether an error says that the session is gone. The text decides, never the status alone: a wrong password is
 * answered with 401 too.
 */
export function isLostSession(error: unknown): boolean {
  return error instanceof Error && /^401: .*Unauthorized/.test(error.message);
}
