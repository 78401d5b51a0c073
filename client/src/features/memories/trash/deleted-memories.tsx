import type { ReactNode } from 'react';
import { FailureNotice } from '../../../ui/failure-notice.tsx';
import { showToast } from '../../../ui/toast-store.ts';
import { useConfirm } from '../../../ui/use-confirm.tsx';
import { MAX_GALLERY_COLUMNS } from '../grid/grid-layout.ts';
import { MemoryGrid, MemoryGridSkeleton } from '../grid/memory-grid.tsx';
import { useScrollPosition } from '../grid/scroll-position.ts';
import { DeletedMemoryCard } from './deleted-memory-card.tsx';
import { useRestoring } from './use-memory-trash.ts';
import { useMemoryList } from '../store/memory-lists.ts';
import { usePurgeMemory } from '../store/memory-mutations.ts';
import type { StoredMemory } from '../store/memory-store.ts';

/** Two beside each other on a phone: they are looked through, not looked at. */
const columns = { maxColumns: MAX_GALLERY_COLUMNS, minColumnWidth: 130 };
const PLACEHOLDERS = 8;

/** The trash, most recently deleted first. */
export function DeletedMemories({ empty }: { empty: ReactNode }) {
  const scroll = useScrollPosition();
  const [list] = useMemoryList({ isDeleted: true }, { start: scroll.position?.index });
  const { ids, error, retry } = list;
  const restore = useRestoring();
  const confirm = useConfirm();
  const { mutateAsync: deleteForGood } = usePurgeMemory();
  const askToDelete = (memory: StoredMemory) =>
    confirm({
      title: 'Delete this memory for good?',
      description: 'The photo and everything you wrote about it will be deleted. This can’t be undone.',
      confirmText: 'Delete for good',
      pendingText: 'Deleting...',
      failure: [
        'Failed to delete memory',
        'It is still in Recently deleted. Please try again.',
        { showsServerMessage: false },
      ],
      onConfirm: async () => {
        await deleteForGood(memory);
        showToast({ title: 'Memory deleted for good' });
      },
    });

  if (!ids && error === null) {
    return (
      <>
        <p role="status" className="sr-only">
          Loading...
        </p>
        <MemoryGridSkeleton {...columns} count={PLACEHOLDERS} />
      </>
    );
  }
  if (!ids) {
    return (
      <FailureNotice onRetry={retry}>
        Your deleted memories could not be loaded. Please check your connection and try again.
      </FailureNotice>
    );
  }
  if (ids.length === 0) return empty;
  return (
    <section aria-label="Deleted memories">
      <MemoryGrid
        memories={list}
        {...columns}
        scroller={window}
        scrollPosition={{ ...scroll, list: 'trash', isThere: true }}
        renderCard={(memory, size) => (
          <DeletedMemoryCard
            {...size}
            memory={memory}
            onRestore={() => restore(memory)}
            onDeleteForGood={() => void askToDelete(memory)}
          />
        )}
      />
    </section>
  );
}
