import { useState } from 'react';
import { classNames } from '../../../lib/class-names.ts';
import { MemoryDialog } from '../details/lazy-memory-dialog.tsx';
import { HOME_GRID_SCROLLER, MAX_HOME_COLUMNS } from '../grid/grid-layout.ts';
import { MemoryGrid, MemoryGridSkeleton, useMemoryCards } from '../grid/memory-grid.tsx';
import type { LoadedList } from '../store/memory-lists.ts';

const scrollArea = classNames(HOME_GRID_SCROLLER, 'mt-6 max-h-[600px] border-y border-hairline pt-8');

interface MemoryCollectionProps {
  memories: LoadedList;
  topRef: (element: HTMLElement | null) => void;
  total: number | undefined;
}

export function MemoryCollection({ memories, topRef, total }: MemoryCollectionProps) {
  const [scroller, setScroller] = useState<HTMLDivElement | null>(null);
  const { gridRef, renderCard, dialog } = useMemoryCards(memories, 'grid', MemoryDialog);
  return (
    <section aria-labelledby="collection-heading">
      <CollectionHeading total={total} />
      <div
        ref={setScroller}
        role="group"
        aria-labelledby="collection-heading"
        tabIndex={0}
        className={classNames(scrollArea, 'scroll-py-4 overscroll-auto')}
      >
        <div ref={topRef} />
        <MemoryGrid
          ref={gridRef}
          memories={memories}
          maxColumns={MAX_HOME_COLUMNS}
          scroller={scroller}
          renderCard={renderCard}
        />
      </div>
      {dialog}
    </section>
  );
}

export function MemoryCollectionSkeleton() {
  return (
    <section aria-labelledby="collection-heading">
      <CollectionHeading total={undefined} />
      <div className={classNames(scrollArea, 'overflow-hidden')}>
        <MemoryGridSkeleton maxColumns={MAX_HOME_COLUMNS} />
      </div>
    </section>
  );
}

/** Reserves the line of the count while that is loading. */
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
