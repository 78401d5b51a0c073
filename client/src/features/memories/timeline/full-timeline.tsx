import type { VirtualItem } from '@tanstack/react-virtual';
import { useEffect, useEffectEvent, type ReactNode } from 'react';
import { FailureNotice } from '../../../ui/failure-notice.tsx';
import { MemoryDialog } from '../details/memory-dialog.tsx';
import { useTimelineAddress } from './timeline-address.ts';
import { TimelineBar } from './timeline-bar.tsx';
import { TimelineEntrySkeleton } from './timeline-entry.tsx';
import { TimelineSections } from './timeline-sections.tsx';
import { useOpenMemory } from '../details/use-open-memory.ts';
import { sectionOfPlace, type Section } from './timeline-layout.ts';
import { useTimeline, type RowItem } from './use-timeline.ts';
import { useTimelineRows } from './use-timeline-rows.ts';

const PLACEHOLDERS = 5;

/**
 * Every memory there is, along one line. The months alone tell how long it is; of what they hold, only that which
 * comes near is fetched.
 */
export function FullTimeline({ empty }: { empty: ReactNode }) {
  const { order, place, showOrder, keepPlace } = useTimelineAddress();
  const [{ layout, itemAt, failure, ...history }, topRef] = useTimeline(order);
  const [listRef, { rows, ...timeline }] = useTimelineRows({ layout, order, place, onPlace: keepPlace });
  useTellView(rows, history.onView);
  const placeToItem = (place: number): [Section, RowItem] | null => {
    const section = sectionOfPlace(layout, place);
    return section ? [section, itemAt(section, place - section.before)] : null;
  };
  const { openDetails, dialog } = useOpenMemory({
    count: layout.memoryCount,
    failure,
    at: (place) => {
      const item = placeToItem(place)?.[1];
      return item && item !== 'loading' && 'id' in item ? item.id : undefined;
    },
    reveal: (place) => {
      const [section, item] = placeToItem(place) ?? [];
      if (item && item !== 'loading' && 'retry' in item) item.retry();
      if (section) timeline.reveal(section.firstRow + 1 + place - section.before);
    },
  });

  if (history.isLoaded && layout.memoryCount === 0) return empty;
  return (
    <>
      <TimelineBar
        months={layout.sections.map(({ month }) => month)}
        month={timeline.month}
        isPending={history.isPending}
        onMonth={timeline.goToMonth}
        order={order}
        onOrder={showOrder}
      />
      <div ref={topRef} />
      {/* The browser's own way of holding a place would hold it twice. */}
      <div ref={listRef} className="relative [overflow-anchor:none]" style={{ height: timeline.height }}>
        {history.isPending ? (
          <Skeletons />
        ) : history.isLoaded ? (
          <TimelineSections
            rows={rows}
            rowInSight={timeline.rowInSight}
            start={(rows[0]?.start ?? timeline.top) - timeline.top}
            measure={timeline.measure}
            layout={layout}
            order={order}
            itemAt={itemAt}
            onOpen={openDetails}
          />
        ) : (
          <FailureNotice onRetry={history.refetch} isRetrying={history.isFetching}>
            Your timeline could not be loaded. Your memories are safe; please check your connection and try
            again.
          </FailureNotice>
        )}
      </div>
      {failure !== null && (
        <p role="alert" className="sr-only">
          Some memories could not be loaded.
        </p>
      )}
      {dialog && <MemoryDialog {...dialog} />}
    </>
  );
}

function useTellView(rows: VirtualItem[], onView: (first: number, last: number) => void): void {
  const tell = useEffectEvent(onView);
  const [first, last] = [rows[0]?.index, rows.at(-1)?.index];
  useEffect(() => {
    if (first !== undefined && last !== undefined) tell(first, last);
  }, [first, last]);
}

function Skeletons() {
  return (
    <>
      <p role="status" className="sr-only">
        Loading...
      </p>
      {Array.from({ length: PLACEHOLDERS }, (_, index) => (
        <TimelineEntrySkeleton key={index} />
      ))}
    </>
  );
}
