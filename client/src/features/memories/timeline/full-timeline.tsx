import { useImperativeHandle, useMemo, useRef, type ReactNode, type Ref } from 'react';
import { useHistoryState } from 'wouter/use-browser-location';
import * as z from 'zod/mini';
import { MemoryOrder } from '#shared/memory';
import { formatMonth } from '../../../lib/dates.ts';
import { useSearchParams } from '../../../lib/use-search-params.ts';
import { classNames } from '../../../lib/class-names.ts';
import { ROW_LAYERS, useOnRangeInView } from '../../../lib/virtual-list.ts';
import { ErrorNotice } from '../../../ui/error-notice.tsx';
import { Segments } from '../../../ui/radio-group.tsx';
import { SelectField } from '../../../ui/select-field.tsx';
import { Skeleton } from '../../../ui/skeleton.tsx';
import { MemoryDialog } from '../details/memory-dialog.tsx';
import { useMemoryDialog, type MemoryActions } from '../details/use-memory-dialog.ts';
import { EmptyState } from '../empty-state.tsx';
import { useIsCurrentUrl } from '../grid/scroll-position.ts';
import { TimelineEntrySkeleton } from './timeline-entry.tsx';
import { sectionAtIndex, type Section, type TimelineLayout } from './timeline-layout.ts';
import { TimelineSections } from './timeline-sections.tsx';
import { useTimeline, type RowItem } from './use-timeline.ts';
import { useTimelineRows, type TimelinePosition } from './use-timeline-rows.ts';

const PLACEHOLDERS = 5;
const ROWS_PER_STEP = 10;

const floorToStep = (row: number) => row - (row % ROWS_PER_STEP);

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

interface TimelineRowsHandle {
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
function TimelineRows({
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

interface TimelineBarProps {
  layout: TimelineLayout;
  /** The month at the top of the viewport; undefined while loading. */
  month: string | undefined;
  isPending: boolean;
  onMonth: (month: string) => void;
  order: MemoryOrder;
  onStart: (order: MemoryOrder) => void;
}

const orders = [
  { value: 'added' as const, name: 'Added' },
  { value: 'taken' as const, name: 'Taken' },
];

function TimelineBar({ layout, month, isPending, onMonth, order, onStart }: TimelineBarProps) {
  const size = 'min-w-0 flex-1 sm:max-w-56';
  const months = useMemo(() => groupByYear(layout.sections.map(({ month }) => month)), [layout]);
  return (
    <div className="sticky top-0 z-10 -mx-5 mb-8 flex items-center justify-between gap-3 border-b border-hairline bg-paper px-5 py-2.5 sm:-mx-8 sm:px-8">
      {month === undefined ? (
        <div className={size}>{isPending && <Skeleton className="h-11" />}</div>
      ) : (
        <SelectField
          label="Go to month"
          isLabelHidden
          className={size}
          options={months}
          value={month}
          onChange={(event) => onMonth(event.target.value)}
        />
      )}
      <Segments
        label="Order by date"
        choices={orders}
        value={order}
        onChoose={onStart}
        choiceClassName="px-4 font-semibold"
      />
    </div>
  );
}

function groupByYear(months: string[]) {
  const getYear = (month: string) => month.slice(0, month.indexOf('-'));
  return [...new Set(months.map(getYear))].map((year) => ({
    group: year,
    options: months
      .filter((month) => getYear(month) === year)
      .map((month) => ({ value: month, name: formatMonth(month) })),
  }));
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
