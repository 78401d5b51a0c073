import { isLostSession } from '../../../lib/lost-session.ts';
import { showToast } from '../../../ui/toast-store.ts';
import { isNotFound } from '../../../lib/api-client.ts';

/** What came of restoring a memory. */
export type Restored = 'restored' | { error: unknown };

/** One notice for all that were restored together. A lost session has its own. */
export function showRestored(outcomes: Restored[]): void {
  const errors = outcomes.flatMap((outcome) => (outcome === 'restored' ? [] : [outcome.error]));
  if (errors.some(isLostSession)) return;
  const failed = errors.filter((error) => !isNotFound(error)).length;
  const gone = errors.length - failed;
  if (failed > 0) {
    showToast({
      title: `Failed to restore ${failed === 1 ? 'memory' : `${failed} memories`}`,
      description: `${failed === 1 ? 'It is' : 'They are'} still in Recently deleted, where you can try again.`,
      variant: 'destructive',
    });
  } else if (gone > 0) {
    showToast({
      title: 'Too late to restore',
      description: `${gone === 1 ? 'The memory was' : `${gone} memories were`} deleted for good meanwhile.`,
      variant: 'destructive',
    });
  } else {
    const count = outcomes.length;
    showToast({ title: count === 1 ? 'Memory restored' : `${count} memories restored`, variant: 'success' });
  }
}
