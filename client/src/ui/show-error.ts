import { isLostSession, serverMessage } from '../lib/api-client.ts';
import { showToast } from './toast-store.ts';

export interface ShowErrorOptions {
  /** Off where the text is always the same, whatever the server says. */
  showsServerMessage?: boolean;
}

/**
 * Says that something failed, in the server's words where it has some. A lost session has its own notice.
 * @param fallback what is said when the server said nothing
 */
export function showError(
  error: unknown,
  title: string,
  fallback?: string,
  { showsServerMessage = true }: ShowErrorOptions = {},
): void {
  if (isLostSession(error)) return;
  const description = (showsServerMessage && serverMessage(error)) || fallback;
  showToast({ title, ...(description && { description }), variant: 'destructive' });
}
