import { useState } from 'react';
import { classNames } from '../../../lib/class-names.ts';
import { Skeleton } from '../../../ui/skeleton.tsx';
import { columnsIn, GAP_PX } from '../grid/grid-layout.ts';
import { MemoryDialog } from '../details/memory-dialog.tsx';
import { memoryCards } from '../grid/memory-card.tsx';
import { MemoryGrid } from '../grid/memory-grid.tsx';
import { MorePages } from '../grid/more-pages.tsx';
import { useOpenMemory } from '../details/use-open-memory.ts';
import { useLightboxItems } from '../grid/use-lightbox-items.ts';
import type { LoadedList } from '../store/memory-lists.ts';
import { usePlace } from '../../../lib/use-place.ts';

const MOST_COLUMNS = 3;

/** A page of the album: it scrolls by itself, edge to edge on a phone. */
const albumPage =
  '-mx-5 mt-6 max-h-[600px] border-y border-hairline px-5 pt-8 sm:mx-0 sm:px-6 [scrollbar-gutter:stable]';

interface MemoryCollectionProps {
  memories: LoadedList;
  topRef: (element: HTMLElement | null) => void;
  /** All there are, also those that were not fetched yet. */
  total: number | undefined;
}

/** The album: every memory, fetched page by page as the end comes near. */
export function MemoryCollection({ memories, topRef, total }: MemoryCollectionProps) {
  const [scroller, setScroller] = useState<HTMLDivElement | null>(null);
  const { gridRef, list } = useLightboxItems(memories);
  const { openDetails, openEditor, toggleLike, share, deleteMemory, dialog } = useOpenMemory(list);
  return (
    <section aria-labelledby="collection-heading">
      <CollectionHeading total={total} />
      <div
        ref={setScroller}
        role="group"
        aria-labelledby="collection-heading"
        tabIndex={0}
        className={classNames(albumPage, 'scroll-py-4 overflow-y-auto overscroll-auto')}
      >
        <div ref={topRef} />
        <MemoryGrid
          ref={gridRef}
          ids={memories.ids ?? []}
          mostColumns={MOST_COLUMNS}
          onView={memories.onView}
          scroller={scroller}
          renderCard={memoryCards('grid', {
            onOpen: openDetails,
            onEdit: openEditor,
            onLike: toggleLike,
            onShare: (memory) => void share(memory),
            onDelete: deleteMemory,
          })}
        />
        <MorePages {...memories} />
      </div>
      {dialog && <MemoryDialog {...dialog} />}
    </section>
  );
}

/** As high as an album of some rows is. */
export function MemoryCollectionSkeleton() {
  const [{ width }, ref] = usePlace(window);
  const columns = columnsIn(width, MOST_COLUMNS);
  return (
    <section aria-labelledby="collection-heading">
      <CollectionHeading total={undefined} />
      <div className={classNames(albumPage, 'overflow-hidden')}>
        <div
          ref={ref}
          className="grid"
          style={{ columnGap: GAP_PX, gridTemplateColumns: `repeat(${columns}, minmax(0, 1fr))` }}
        >
          {Array.from({ length: 2 * columns }, (_, index) => (
            <div key={index} className="pb-12">
              <Skeleton className="aspect-square" />
              <Skeleton className="mx-auto mt-3 h-6 w-2/3" />
            </div>
          ))}
        </div>
      </div>
    </section>
  );
}

/** Its count has its line before it is known. */
function CollectionHeading({ total }: { total: number | undefined }) {
  const count = total ?? 0;
  return (
    <div className="flex flex-wrap items-baseline justify-between gap-x-6 gap-y-1">
      <h2 id="collection-heading" className="text-title">
        Your Memory Collection
      </h2>
      <p className={classNames('text-muted tabular-nums', total === undefined && 'invisible')}>
        {`${count} ${count === 1 ? 'memory' : 'memories'} captured`}
      </p>
    </div>
  );
}
