/** The user closed a question: nothing has happened, and nothing needs to be said. */
export class CancelledError extends Error {
  override readonly name = 'CancelledError';
}
