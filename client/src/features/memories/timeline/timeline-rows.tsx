import { useImperativeHandle, type Ref } from 'react';
import { classNames } from '../../../lib/class-names.ts';
import { ROW_LAYERS, useOnRangeInView } from '../../../lib/virtual-list.ts';
import { ErrorNotice } from '../../../ui/error-notice.tsx';
import type { MemoryActions } from '../details/use-memory-dialog.ts';
import { TimelineBar, type TimelineBarProps } from './timeline-bar.tsx';
import { TimelineEntrySkeleton } from './timeline-entry.tsx';
import { TimelineSections } from './timeline-sections.tsx';
import type { useTimeline } from './use-timeline.ts';
import { useTimelineRows, type TimelinePosition } from './use-timeline-rows.ts';

const PLACEHOLDERS = 5;
const ROWS_PER_STEP = 10;

const floorToStep = (row: number) => row - (row % ROWS_PER_STEP);

export interface TimelineRowsHandle {
  reveal: (row: number) => void;
}

interface TimelineRowsProps extends Pick<TimelineBarProps, 'order' | 'onStart'> {
  ref: Ref<TimelineRowsHandle>;
  timeline: ReturnType<typeof useTimeline>[0];
  topRef: (element: HTMLElement | null) => void;
  /** The saved position; null for the top. */
  position: TimelinePosition | null;
  onScrollEnd: (position: TimelinePosition | null) => void;
  onOpen: MemoryActions['open'];
}

/** Rendered with each scroll event, unlike the lists of memories above it. */
export function TimelineRows({
  ref,
  timeline,
  topRef,
  order,
  onStart,
  position,
  onScrollEnd,
  onOpen,
}: TimelineRowsProps) {
  const { layout, itemAt } = timeline;
  const [listRef, { rows, topRow, ...list }] = useTimelineRows({ layout, order, position, onScrollEnd });
  const [first, last] = [rows[0]?.index, rows.at(-1)?.index];
  // In steps, so that scrolling seldom changes state.
  useOnRangeInView(
    first && floorToStep(first),
    last && floorToStep(last) + ROWS_PER_STEP - 1,
    timeline.onView,
  );
  useImperativeHandle(ref, () => ({ reveal: list.reveal }));
  return (
    <>
      <TimelineBar
        layout={layout}
        month={list.month}
        isPending={timeline.isPending}
        onMonth={list.goToMonth}
        order={order}
        onStart={onStart}
      />
      <div ref={topRef} />
      {/* The virtualizer corrects the scroll offset; scroll anchoring would do it twice. */}
      <div
        ref={listRef}
        data-scrolling={list.isScrolling || undefined}
        className={classNames('relative [overflow-anchor:none]', ROW_LAYERS)}
        style={{ height: list.height }}
      >
        {timeline.isPending ? (
          <Skeletons />
        ) : timeline.isLoaded ? (
          <TimelineSections
            rows={rows}
            topRow={topRow}
            start={(rows[0]?.start ?? list.top) - list.top}
            measure={list.measure}
            layout={layout}
            order={order}
            itemAt={itemAt}
            onOpen={onOpen}
          />
        ) : (
          <ErrorNotice onRetry={timeline.refetch} isRetrying={timeline.isFetching}>
            Your timeline could not be loaded. Your memories are safe; please check your connection and try
            again.
          </ErrorNotice>
        )}
      </div>
    </>
  );
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
