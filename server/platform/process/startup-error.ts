/** An error at startup that the operator can fix. `runProcess` prints its message without a stack. */
export class StartupError extends Error {
  override readonly name = 'StartupError';
}
