import type { ReactNode } from 'react';
import { FailureNotice } from '../../../ui/failure-notice.tsx';
import { Skeleton } from '../../../ui/skeleton.tsx';
import { showToast } from '../../../ui/toast-store.ts';
import { useConfirm } from '../../../ui/use-confirm.tsx';
import { MOST_GALLERY_COLUMNS } from '../grid/grid-layout.ts';
import { useKeptPlace } from '../grid/kept-place.ts';
import { MemoryGrid } from '../grid/memory-grid.tsx';
import { MorePages } from '../grid/more-pages.tsx';
import { DeletedMemoryCard } from './deleted-memory-card.tsx';
import { useRestoring } from './use-memory-trash.ts';
import { useMemoryList } from '../store/memory-lists.ts';
import { usePurgeMemory } from '../store/memory-mutations.ts';
import type { StoredMemory } from '../store/memory-store.ts';

/** Two beside each other on a phone: they are looked through, not looked at. */
const NARROWEST_COLUMN_PX = 130;
const PLACEHOLDERS = 8;

/** The trash, most recently deleted first. */
export function DeletedMemories({ empty }: { empty: ReactNode }) {
  const [place, keepPlace] = useKeptPlace();
  const [list] = useMemoryList({ isDeleted: true }, { start: place?.index });
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

  if (!ids && error === null) return <DeletedMemoriesSkeleton />;
  if (!ids) {
    return (
      <FailureNotice onRetry={retry}>
        Your deleted memories could not be loaded. Please check your connection and try again.
      </FailureNotice>
    );
  }
  return (
    <>
      {ids.length > 0 ? (
        <section aria-label="Deleted memories">
          <MemoryGrid
            ids={ids}
            mostColumns={MOST_GALLERY_COLUMNS}
            narrowestColumn={NARROWEST_COLUMN_PX}
            scroller={window}
            onView={list.onView}
            placeKeeper={{ list: 'trash', isThere: true, place, onRest: keepPlace }}
            renderCard={(memory, size) => (
              <DeletedMemoryCard
                {...size}
                memory={memory}
                onRestore={() => restore(memory)}
                onDeleteForGood={() => void askToDelete(memory)}
              />
            )}
          />
          <MorePages {...list} />
        </section>
      ) : (
        empty
      )}
    </>
  );
}

function DeletedMemoriesSkeleton() {
  return (
    <>
      <p role="status" className="sr-only">
        Loading...
      </p>
      <div className="grid grid-cols-2 gap-x-8 md:grid-cols-4">
        {Array.from({ length: PLACEHOLDERS }, (_, index) => (
          <div key={index} className="pb-14">
            <Skeleton className="aspect-square" />
            <Skeleton className="mx-auto mt-3 h-6 w-2/3" />
          </div>
        ))}
      </div>
    </>
  );
}
