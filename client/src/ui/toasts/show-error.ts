import { isLostSession, serverMessage } from '../../lib/api/api-client.ts';
import { CancelledError } from '../../lib/api/cancelled-error.ts';
import { showToast } from './toast-store.ts';

/** What to do after an error whose reason the server did not send. */
export const CHECK_CONNECTION = 'Please check your connection and try again.';

export interface ShowErrorOptions {
  /** False: always shows the fallback text. */
  showsServerMessage?: boolean;
}

export function showFailure(title: string, description: string | undefined): void {
  showToast({ title, ...(description && { description }), variant: 'destructive' });
}

/** Shows the server's message, or else the fallback. A lost session has its own toast, a closed question none. */
export function showError(
  error: unknown,
  title: string,
  fallback?: string,
  { showsServerMessage = true }: ShowErrorOptions = {},
): void {
  if (isLostSession(error) || error instanceof CancelledError) return;
  showFailure(title, (showsServerMessage && serverMessage(error)) || fallback);
}
