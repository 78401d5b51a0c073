import { useWindowVirtualizer } from '@tanstack/react-virtual';
import { useCallback, useLayoutEffect, useMemo } from 'react';
import type { MemoryOrder } from '#shared/album/memory';
import { sectionAtRow, sectionForMonth, type TimelineLayout } from './timeline-layout.ts';
import { useListBounds, useOnScrollEnd, useRestoredScroll } from '../../../lib/virtual-list.ts';
import { useManualScrollRestoration } from '../grid/scroll-position.ts';

/** The height of the sticky bar, with some space below it. */
const BAR_PX = 76;
const OVERSCAN_ROWS = 3;
const HEADING_PX = 74;
/** From this width on the text is beside the photo. */
const WIDE_PX = 704;

export interface TimelinePosition {
  month: string;
  /** Counted from the month's heading. */
  row: number;
}

interface TimelineRowsOptions {
  layout: TimelineLayout;
  order: MemoryOrder;
  /** The saved position; null for the top. */
  position: TimelinePosition | null;
  onScrollEnd: (position: TimelinePosition | null) => void;
}

export function useTimelineRows({ layout, order, position, onScrollEnd }: TimelineRowsOptions) {
  const [{ width, top }, ref] = useListBounds(window);
  const isReady = width > 0 && layout.rowCount > 0;
  // Whenever a row is measured, the virtualizer asks for the keys of all rows below it.
  const keys = useMemo(() => listRowKeys(layout, order), [layout, order]);
  // A new function makes it calculate all rows again.
  const getItemKey = useCallback((row: number) => keys[row] ?? row, [keys]);
  const headings = useMemo(() => new Set(layout.sections.map(({ firstRow }) => firstRow)), [layout]);
  const virtualizer = useWindowVirtualizer({
    count: layout.rowCount,
    estimateSize: (row) => (headings.has(row) ? HEADING_PX : estimateEntryHeight(width)),
    getItemKey,
    overscan: OVERSCAN_ROWS,
    scrollMargin: top,
    scrollPaddingStart: BAR_PX,
    enabled: isReady,
  });
  useLayoutEffect(() => {
    // When a placeholder above the viewport becomes a memory, visible rows stay in place, also while scrolling up.
    virtualizer.shouldAdjustScrollPositionOnItemSizeChange = ({ start }, _delta, { scrollOffset }) =>
      start < (scrollOffset ?? 0);
  }, [virtualizer]);

  const topRow = virtualizer.getVirtualItemForOffset((virtualizer.scrollOffset ?? 0) + BAR_PX + 1)?.index;
  const section = sectionAtRow(layout, topRow ?? 0);

  const goTo = ({ month, row }: TimelinePosition) => {
    const section = sectionForMonth(layout, month);
    if (section)
      virtualizer.scrollToIndex(section.firstRow + Math.min(row, section.count), { align: 'start' });
  };
  useManualScrollRestoration();
  useRestoredScroll(isReady, order, () => {
    if (position) goTo(position);
    else virtualizer.scrollToOffset(0);
  });

  useOnScrollEnd(virtualizer.isScrolling, () => {
    const isAbove = (virtualizer.scrollOffset ?? 0) + BAR_PX < top;
    onScrollEnd(isAbove || !section ? null : { month: section.month, row: (topRow ?? 0) - section.firstRow });
  });

  const rows = {
    top,
    rows: virtualizer.getVirtualItems(),
    measure: virtualizer.measureElement,
    height: Math.max(virtualizer.getTotalSize(), heightToReachLast()),
    month: section?.month,
    topRow: topRow ?? 0,
    isScrolling: virtualizer.isScrolling,
    reveal: (row: number) => virtualizer.scrollToIndex(row, { align: 'auto' }),
    goToMonth: (month: string) => goTo({ month, row: 0 }),
  };
  return [ref, rows] as const;

  /** Room for the last month's heading to scroll to the top. */
  function heightToReachLast(): number {
    if (layout.sections.length < 2) return 0;
    const last = virtualizer.measurementsCache[layout.sections.at(-1)!.firstRow];
    return last ? last.start - top + window.innerHeight - BAR_PX : 0;
  }
}

/** Unique for each row: a month's rows keep their measured heights when another month grows. */
function listRowKeys({ sections }: TimelineLayout, order: MemoryOrder): string[] {
  return sections.flatMap(({ month, count }) =>
    Array.from({ length: count + 1 }, (_, row) => `${order} ${month} ${row}`),
  );
}

/** Rows in view are measured. */
function estimateEntryHeight(width: number): number {
  return width < WIDE_PX ? width - 60 + 190 : 370;
}
