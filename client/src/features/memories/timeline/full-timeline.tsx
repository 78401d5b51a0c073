import { useRef, type ReactNode } from 'react';
import { MemoryDialog } from '../details/memory-dialog.tsx';
import { useMemoryDialog } from '../details/use-memory-dialog.ts';
import { EmptyState } from '../empty-state.tsx';
import { sectionAtIndex, type Section } from './timeline-layout.ts';
import { TimelineRows, type TimelineRowsHandle } from './timeline-rows.tsx';
import { useTimelineSearchParams } from './timeline-search-params.ts';
import { useTimeline, type RowItem } from './use-timeline.ts';

export function FullTimeline({ emptyAction }: { emptyAction: ReactNode }) {
  const { order, position, setOrder, savePosition } = useTimelineSearchParams();
  const [timeline, topRef] = useTimeline(order);
  const { layout, itemAt, error } = timeline;
  const rowsRef = useRef<TimelineRowsHandle>(null);
  const findItem = (index: number): [Section, RowItem] | null => {
    const section = sectionAtIndex(layout, index);
    return section ? [section, itemAt(section, index - section.firstIndex)] : null;
  };
  const { actions, dialog } = useMemoryDialog({
    count: layout.memoryCount,
    error,
    at: (index) => {
      const item = findItem(index)?.[1];
      return item && item !== 'loading' && 'id' in item ? item.id : undefined;
    },
    reveal: (index) => {
      const [section, item] = findItem(index) ?? [];
      if (item && item !== 'loading' && 'retry' in item) item.retry();
      if (section) rowsRef.current?.reveal(section.firstRow + 1 + index - section.firstIndex);
    },
  });

  if (timeline.isLoaded && layout.memoryCount === 0)
    return (
      <EmptyState
        text="Upload your first memory to start your timeline!"
        action={emptyAction}
        className="py-6 sm:py-12"
      />
    );
  return (
    <>
      <TimelineRows
        ref={rowsRef}
        timeline={timeline}
        topRef={topRef}
        order={order}
        onStart={setOrder}
        position={position}
        onScrollEnd={savePosition}
        onOpen={actions.open}
      />
      {error !== null && (
        <p role="alert" className="sr-only">
          Some memories could not be loaded.
        </p>
      )}
      {dialog && <MemoryDialog {...dialog} />}
    </>
  );
}
