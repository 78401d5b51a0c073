import type { ReactNode } from 'react';
import { useHistoryState } from 'wouter/use-browser-location';
import * as z from 'zod/mini';
import { MemoryOrder } from '#shared/memory';
import { useIsHere } from '../../../lib/use-is-here.ts';
import { useSearchParams } from '../../../lib/use-search-params.ts';
import { ErrorNotice } from '../../../ui/error-notice.tsx';
import { MemoryDialog } from '../details/memory-dialog.tsx';
import { useOnView } from '../grid/scroll-position.ts';
import { TimelineBar } from './timeline-bar.tsx';
import { TimelineEntrySkeleton } from './timeline-entry.tsx';
import { TimelineSections } from './timeline-sections.tsx';
import { useOpenMemory } from '../details/use-open-memory.ts';
import { sectionOfPlace, type Section } from './timeline-layout.ts';
import { useTimeline, type RowItem } from './use-timeline.ts';
import { useTimelineRows, type TimelinePlace } from './use-timeline-rows.ts';

const PLACEHOLDERS = 5;

/**
 * Every memory there is, along one line. The months alone tell how long it is; of what they hold, only that which
 * comes near is fetched.
 */
export function FullTimeline({ empty }: { empty: ReactNode }) {
  const { order, place, showOrder, keepPlace } = useTimelinePlace();
  const [{ layout, itemAt, failure, ...history }, topRef] = useTimeline(order);
  const [listRef, { rows, ...timeline }] = useTimelineRows({ layout, order, place, onPlace: keepPlace });
  useOnView(rows[0]?.index, rows.at(-1)?.index, history.onView);
  const placeToItem = (place: number): [Section, RowItem] | null => {
    const section = sectionOfPlace(layout, place);
    return section ? [section, itemAt(section, place - section.before)] : null;
  };
  const { actions, dialog } = useOpenMemory({
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
        onStart={showOrder}
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
            onOpen={actions.open}
          />
        ) : (
          <ErrorNotice onRetry={history.refetch} isRetrying={history.isFetching}>
            Your timeline could not be loaded. Your memories are safe; please check your connection and try
            again.
          </ErrorNotice>
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

const schema = z.object({
  order: z.catch(MemoryOrder, 'added'),
  month: z.catch(z.string(), ''),
});

/** The month stands in the address; the row beside it, in the history's state, since it means nothing to a person. */
function useTimelinePlace() {
  const [{ order, month }, setParams] = useSearchParams(schema);
  const row = useHistoryState<{ row?: number } | null>()?.row ?? 0;
  const place = month === '' ? null : { month, row };
  const isHere = useIsHere();
  return {
    order,
    place,
    /** From the top. The way back leads to where they were in the order before. */
    showOrder: (order: MemoryOrder) => setParams({ order, month: '' }),
    keepPlace: (next: TimelinePlace | null) => {
      // Nothing is written again that is there already: it would call off a step back that is just being taken.
      const isKept = next?.month === place?.month && next?.row === place?.row;
      if (!isKept && isHere())
        setParams({ month: next?.month ?? '' }, { replace: true, state: next && { row: next.row } });
    },
  };
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
