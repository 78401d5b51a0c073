import type { Memory } from '#shared/memory';
import { isLostSession } from '../../../lib/lost-session.ts';
import { showToast } from '../../../ui/toast-store.ts';
import { LISTS } from '../memory-api.ts';
import { useDeleteMemory, useRestoreMemory, useTakeOut } from './memory-trash-api.ts';
import { passFocusOn } from './pass-focus-on.ts';
import { showRestored, type Restored } from './restored-notice.ts';
import { isUndoOffered, offerUndo, withdrawUndo, type Deletion } from './undo-offer.ts';

/** Into the trash with a memory, at once and without a question: it can be undone. */
export function useMemoryTrash() {
  const takeOut = useTakeOut();
  const { mutateAsync: deleteMemory } = useDeleteMemory();
  const { mutateAsync: restoreMemory } = useRestoreMemory();

  const restore = ({ memory }: Deletion): Promise<Restored> =>
    restoreMemory(memory).then(
      () => 'restored' as const,
      (error: unknown) => {
        takeOut(LISTS, memory);
        return { error };
      },
    );
  const undo = (deletions: Deletion[]) => {
    // The last first: each finds the neighbors that it had.
    for (const { putBack } of deletions.toReversed()) putBack();
    void Promise.all(deletions.map(restore)).then(showRestored);
  };

  /** @param returnFocusTo of the dialog in which it lay open */
  return (memory: Memory, opener: HTMLElement, returnFocusTo?: { current: HTMLElement | null }): void => {
    if (isUndoOffered(memory)) return;
    const deletion = { memory, putBack: takeOut(LISTS, memory) };
    offerUndo(deletion, undo);
    const leaving = deleteMemory(memory).catch((error: unknown) => {
      deletion.putBack();
      withdrawUndo(deletion, undo);
      showFailure(error);
    });
    passFocusOn(opener, leaving, returnFocusTo);
  };
}

/** A lost session has its own notice. */
function showFailure(error: unknown): void {
  if (isLostSession(error)) return;
  showToast({
    title: 'Failed to delete memory',
    description: 'It is still in your album. Please try again.',
    variant: 'destructive',
  });
}
