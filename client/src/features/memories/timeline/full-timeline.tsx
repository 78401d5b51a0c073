import { useRef, type ReactNode } from 'react';
import { useHistoryState } from 'wouter/use-browser-location';
import * as z from 'zod/mini';
import { MemoryOrder } from '#shared/album/memory';
import { useSearchParams } from '../../../lib/routing/use-search-params.ts';
import { MemoryDialog } from '../details/memory-dialog.tsx';
import { useMemoryDialog } from '../details/use-memory-dialog.ts';
import { EmptyState } from '../empty-state.tsx';
import { useIsCurrentUrl } from '../grid/scroll-position.ts';
import { sectionAtIndex, type Section } from './timeline-layout.ts';
import { TimelineRows, type TimelineRowsHandle } from './timeline-rows.tsx';
import { useTimeline, type RowItem } from './use-timeline.ts';
import type { TimelinePosition } from './use-timeline-rows.ts';

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
    at: (index) => {
      const item = findItem(index)?.[1];
      return item && item !== 'loading' && 'id' in item ? item.id : undefined;
    },
    errorAt: (index) => {
      const item = findItem(index)?.[1];
      return item && item !== 'loading' && 'error' in item ? item.error : null;
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

const schema = z.object({
  order: z.catch(MemoryOrder, 'added'),
  month: z.catch(z.string(), ''),
});

/** The month is in the URL. The row within it is in the history state, since it means nothing to people. */
function useTimelineSearchParams() {
  const [{ order, month }, setParams] = useSearchParams(schema);
  const row = useHistoryState<{ row?: number } | null>()?.row ?? 0;
  const position = month === '' ? null : { month, row };
  const isCurrentUrl = useIsCurrentUrl();
  return {
    order,
    position,
    /** Starts at the top. Going back returns to the position in the previous order. */
    setOrder: (order: MemoryOrder) => setParams({ order, month: '' }),
    savePosition: (next: TimelinePosition | null) => {
      // A redundant navigation would cancel a step back in progress.
      const isSaved = next?.month === position?.month && next?.row === position?.row;
      if (!isSaved && isCurrentUrl())
        setParams({ month: next?.month ?? '' }, { replace: true, state: next && { row: next.row } });
    },
  };
}
