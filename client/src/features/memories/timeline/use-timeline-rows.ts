import { useWindowVirtualizer } from '@tanstack/react-virtual';
import { useEffectEvent, useLayoutEffect } from 'react';
import type { MemoryOrder } from '#shared/memory';
import { sectionAt, sectionOf, type TimelineLayout } from './timeline-layout.ts';
import { usePlace } from '../../../lib/use-place.ts';
import { useManualScrollRestoration, useOnScrollEnd } from '../grid/scroll-position.ts';

/** What the bar covers at the top of the screen, with a little air. */
const BAR_PX = 76;
const ROWS_BEYOND_SIGHT = 3;
const HEADING_PX = 74;
/** From this width on the words stand beside the print. */
const WIDE_PX = 704;

export interface TimelinePlace {
  month: string;
  /** How many rows below the month's heading. */
  row: number;
}

interface TimelineRowsOptions {
  layout: TimelineLayout;
  order: MemoryOrder;
  /** Where to begin; null: at the top. */
  place: TimelinePlace | null;
  /** Told where someone has come to rest. */
  onPlace: (place: TimelinePlace | null) => void;
}

/** The rows in sight and a few more; the month that is looked at, and the way to another. */
export function useTimelineRows({ layout, order, place, onPlace }: TimelineRowsOptions) {
  const [{ width, top }, ref] = usePlace(window);
  const isReady = width > 0 && layout.rowCount > 0;
  const virtualizer = useWindowVirtualizer({
    count: layout.rowCount,
    estimateSize: (row) => (sectionAt(layout, row)?.firstRow === row ? HEADING_PX : entryHeightGuess(width)),
    getItemKey: (row) => {
      const section = sectionAt(layout, row);
      return `${order} ${section?.month} ${row - (section?.firstRow ?? 0)}`;
    },
    overscan: ROWS_BEYOND_SIGHT,
    scrollMargin: top,
    scrollPaddingStart: BAR_PX,
    enabled: isReady,
  });
  useLayoutEffect(() => {
    // A row above that turns from placeholder to memory moves nothing in sight, also on the way up.
    virtualizer.shouldAdjustScrollPositionOnItemSizeChange = ({ start }, _delta, { scrollOffset }) =>
      start < (scrollOffset ?? 0);
  }, [virtualizer]);

  const rowInSight = virtualizer.getVirtualItemForOffset((virtualizer.scrollOffset ?? 0) + BAR_PX + 1)?.index;
  const section = sectionAt(layout, rowInSight ?? 0);

  const goTo = ({ month, row }: TimelinePlace) => {
    const section = sectionOf(layout, month);
    if (section)
      virtualizer.scrollToIndex(section.firstRow + Math.min(row, section.count), { align: 'start' });
  };
  const begin = useEffectEvent(() => {
    if (place) goTo(place);
    else virtualizer.scrollToOffset(0);
  });
  useManualScrollRestoration();
  useLayoutEffect(() => {
    if (isReady) begin();
  }, [isReady, order]);

  useOnScrollEnd(virtualizer.isScrolling, () => {
    const isAbove = (virtualizer.scrollOffset ?? 0) + BAR_PX < top;
    onPlace(isAbove || !section ? null : { month: section.month, row: (rowInSight ?? 0) - section.firstRow });
  });

  const rows = {
    top,
    rows: virtualizer.getVirtualItems(),
    measure: virtualizer.measureElement,
    height: Math.max(virtualizer.getTotalSize(), heightToReachLast()),
    month: section?.month,
    rowInSight: rowInSight ?? 0,
    reveal: (row: number) => virtualizer.scrollToIndex(row, { align: 'auto' }),
    goToMonth: (month: string) => goTo({ month, row: 0 }),
  };
  return [ref, rows] as const;

  /** The last month's heading can come to the top of the screen like any other. */
  function heightToReachLast(): number {
    if (layout.sections.length < 2) return 0;
    const last = virtualizer.measurementsCache[layout.sections.at(-1)!.firstRow];
    return last ? last.start - top + window.innerHeight - BAR_PX : 0;
  }
}

/** Near enough for a scrollbar; what comes into sight is measured. */
function entryHeightGuess(width: number): number {
  return width < WIDE_PX ? width - 60 + 190 : 370;
}
