import { serverMessage } from '../lib/api-client.ts';
import { isLostSession } from '../lib/lost-session.ts';
import { showToast } from './toast-store.ts';

/**
 * Says that something failed, in the server's words where it has some. A lost session has its own notice.
 * @param description what is said when the server said nothing
 */
export function showFailure(error: unknown, title: string, description?: string): void {
  if (isLostSession(error)) return;
  const said = serverMessage(error) ?? description;
  showToast({ title, ...(said && { description: said }), variant: 'destructive' });
}
