import type { Memory } from '#shared/memory';
import { showFailure } from '../../../ui/show-failure.ts';
import { LISTS } from '../memory-api.ts';
import { useDeleteMemory, useRestoreMemory, useTakeOut } from './memory-trash-api.ts';
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

  return (memory: Memory): void => {
    if (isUndoOffered(memory)) return;
    const deletion = { memory, putBack: takeOut(LISTS, memory) };
    offerUndo(deletion, undo);
    deleteMemory(memory).catch((error: unknown) => {
      deletion.putBack();
      withdrawUndo(deletion, undo);
      showFailure(error, 'Failed to delete memory', 'It is still in your album. Please try again.', {
        showsServerMessage: false,
      });
    });
  };
}
