/**
 * Something that keeps the server from starting and that the person at the terminal can mend.
 * Its message is printed as it is, without a stack, and the process ends with exit code 1.
 */
export class StartupError extends Error {
  override readonly name = 'StartupError';
}
