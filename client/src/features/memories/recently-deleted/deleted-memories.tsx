import { Trash2 } from 'lucide-react';
import type { ReactNode } from 'react';
import { Button } from '../../../ui/buttons/button.tsx';
import { LoadError } from '../../../ui/error-notice.tsx';
import { IconButton } from '../../../ui/buttons/icon-button.tsx';
import { showToast } from '../../../ui/toasts/toast-store.ts';
import { Tooltip } from '../../../ui/tooltip.tsx';
import { useConfirm } from '../../../ui/dialogs/use-confirm.tsx';
import { MAX_GALLERY_COLUMNS } from '../grid/grid-layout.ts';
import { MemoryGrid, MemoryGridSkeleton } from '../grid/memory-grid.tsx';
import { useScrollPosition } from '../grid/scroll-position.ts';
import { Caption, PrintFigure, type PrintFigureProps } from '../print/memory-print.tsx';
import { useImageDescription } from '../memory-text.ts';
import { UNTITLED_MEM } from '../../../lib/memory-title.ts';
import { daysLeftLabel } from './days-left.ts';
import { NOT_DELETED, useRestoreFromTrash } from '../trash/use-memory-trash.ts';
import { useMemoryList } from '../store/memory-lists.ts';
import { usePurgeMemory } from '../store/memory-mutations.ts';
import type { StoredMemory } from '../store/memory-store.ts';

const PLACEHOLDERS = 8;

export function DeletedMemories({ empty }: { empty: ReactNode }) {
  const scroll = useScrollPosition();
  const [list] = useMemoryList({ isDeleted: true }, { start: scroll.position?.index });
  const { ids, error, retry } = list;
  const restore = useRestoreFromTrash();
  const confirm = useConfirm();
  const { mutateAsync: deleteForGood } = usePurgeMemory();
  const confirmDelete = (memory: StoredMemory) =>
    confirm({
      title: 'Delete this memory for good?',
      description: 'The photo and everything you wrote about it will be deleted. This can’t be undone.',
      confirmText: 'Delete for good',
      pendingText: 'Deleting...',
      errorToast: [
        NOT_DELETED,
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
        <MemoryGridSkeleton maxColumns={MAX_GALLERY_COLUMNS} count={PLACEHOLDERS} isAtStart={false} />
      </>
    );
  }
  if (!ids) {
    return <LoadError what="Your deleted memories" onRetry={retry} />;
  }
  if (ids.length === 0) return empty;
  return (
    <section aria-label="Deleted memories">
      <MemoryGrid
        memories={list}
        maxColumns={MAX_GALLERY_COLUMNS}
        scroller={window}
        scrollPosition={{ ...scroll, list: 'trash', isLoaded: true }}
        renderCard={(memory, size) => (
          <DeletedMemoryCard
            {...size}
            memory={memory}
            onRestore={() => restore(memory)}
            onDeleteForGood={() => void confirmDelete(memory)}
          />
        )}
      />
    </section>
  );
}

interface DeletedMemoryCardProps extends Omit<PrintFigureProps, 'memory' | 'description' | 'children'> {
  memory: StoredMemory;
  onRestore: () => void;
  onDeleteForGood: () => void;
}

function DeletedMemoryCard({ memory, onRestore, onDeleteForGood, ...figure }: DeletedMemoryCardProps) {
  const description = useImageDescription(memory);
  return (
    <PrintFigure memory={memory} description={description} {...figure}>
      <Caption memory={memory} untitled={UNTITLED_MEM} className="truncate" />
      <p className="text-small text-balance text-muted tabular-nums">
        {memory.deletedAt && daysLeftLabel(memory.deletedAt)}
      </p>
      <div className="mt-2 flex items-center justify-center gap-1">
        <Button variant="secondary" aria-label={`Restore ${description}`} onClick={onRestore}>
          Restore
        </Button>
        <Tooltip text="Delete for good">
          <IconButton
            aria-haspopup="dialog"
            name={`Delete ${description} for good`}
            tone="danger"
            onClick={onDeleteForGood}
          >
            <Trash2 className="size-4.5" />
          </IconButton>
        </Tooltip>
      </div>
    </PrintFigure>
  );
}
