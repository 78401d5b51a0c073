/**
 * An error at startup that the operator can fix. `runProcess` prints its message without a stack and exits with code 1.
 */
export class StartupError extends Error {
  override readonly name = 'StartupError';
}
