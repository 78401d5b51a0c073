import { TRASH_DAYS, type Memory } from '#shared/memory';
import { currentToast, dismissToast, showToast } from '../../../ui/toast-store.ts';

export interface Deletion {
  memory: Memory;
  /** Into the lists that it was taken out of. */
  putBack: () => void;
}

type Undo = (deletions: Deletion[]) => void;

/** What the notice with this id offers to take back. */
let offered: { toastId: number; deletions: Deletion[] } = { toastId: 0, deletions: [] };

/** What is deleted while the notice is still there joins it: one Undo takes all of it back. */
export function offerUndo(deletion: Deletion, undo: Undo): void {
  offer([...deletionsOffered(), deletion], undo);
}

/** It was not deleted after all. */
export function withdrawUndo(deletion: Deletion, undo: Undo): void {
  const before = deletionsOffered();
  const rest = before.filter((each) => each !== deletion);
  if (rest.length === before.length) return;
  if (rest.length > 0) offer(rest, undo);
  else dismissToast(offered.toastId);
}

/** Whether a memory was deleted just now. */
export function isUndoOffered({ id }: Memory): boolean {
  return deletionsOffered().some(({ memory }) => memory.id === id);
}

function deletionsOffered(): Deletion[] {
  return currentToast()?.id === offered.toastId ? offered.deletions : [];
}

function offer(deletions: Deletion[], undo: Undo): void {
  const count = deletions.length;
  const toastId = showToast({
    title: count === 1 ? 'Memory deleted' : `${count} memories deleted`,
    description: `Kept for ${TRASH_DAYS} days.`,
    action: { name: 'Undo', onPress: () => undo(deletions) },
  });
  offered = { toastId, deletions };
}
