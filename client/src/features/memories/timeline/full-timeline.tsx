import { useMemo, type ReactNode } from 'react';
import { useInSight } from '../../../lib/use-in-sight.ts';
import { FailureNotice } from '../../../ui/failure-notice.tsx';
import { MemoryDialog } from '../details/memory-dialog.tsx';
import { useArrivals, useMemoryMonths } from './memory-months-api.ts';
import { useTimelineAddress } from './timeline-address.ts';
import { TimelineBar } from './timeline-bar.tsx';
import { TimelineEntrySkeleton } from './timeline-entry.tsx';
import { layOut } from './timeline-layout.ts';
import { TimelineSections } from './timeline-sections.tsx';
import { useOpenMemory } from '../details/use-open-memory.ts';
import { walkedTimeline } from './walked-timeline.ts';
import { useTimelineMemories } from './use-timeline-memories.ts';
import { useTimelineRows } from './use-timeline-rows.ts';

const PLACEHOLDERS = 5;

/**
 * Every memory there is, along one line. The months alone tell how long it is; of what they hold, only that which
 * comes near is fetched.
 */
export function FullTimeline({ empty }: { empty: ReactNode }) {
  const { order, place, showOrder, keepPlace } = useTimelineAddress();
  const { data: months, isPending, isFetching, refetch } = useMemoryMonths(order);
  const layout = useMemo(() => layOut(months ?? []), [months]);
  const [listRef, { rows, ...timeline }] = useTimelineRows({ layout, order, place, onPlace: keepPlace });
  const [isTopInSight, topRef] = useInSight();
  useArrivals(isTopInSight);
  const { memoryAt, failure } = useTimelineMemories(order, layout, rows);
  const { openDetails, dialog } = useOpenMemory(
    walkedTimeline(layout, { memoryAt, failure, revealRow: timeline.reveal }),
  );

  if (months?.length === 0) return empty;
  return (
    <>
      <TimelineBar
        months={layout.sections.map(({ month }) => month)}
        month={timeline.month}
        isPending={isPending}
        onMonth={timeline.goToMonth}
        order={order}
        onOrder={showOrder}
      />
      <div ref={topRef} />
      {/* The browser's own way of holding a place would hold it twice. */}
      <div ref={listRef} className="relative [overflow-anchor:none]" style={{ height: timeline.height }}>
        {isPending ? (
          <Skeletons />
        ) : months ? (
          <TimelineSections
            rows={rows}
            rowInSight={timeline.rowInSight}
            start={(rows[0]?.start ?? timeline.top) - timeline.top}
            measure={timeline.measure}
            layout={layout}
            order={order}
            memoryAt={memoryAt}
            onOpen={openDetails}
          />
        ) : (
          <FailureNotice onRetry={() => void refetch()} isRetrying={isFetching}>
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
