import { useVirtualizer, useWindowVirtualizer, type Range, type VirtualItem } from '@tanstack/react-virtual';
import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useEffectEvent, useImperativeHandle, type Ref } from 'react';
import { columnsIn, columnWidth, rowHeightGuess } from './grid-layout.ts';
import type { MemoryCardProps } from './memory-card.tsx';
import { MemoryGridRow, type RenderCard } from './memory-grid-row.tsx';
import { useGridFocus } from './use-grid-focus.ts';
import { getMemory } from '../store/memory-store.ts';
import { paddingAbove, useGridPlace, type PlaceKeeper } from './use-grid-place.ts';
import { usePlace, type Scroller } from '../../../lib/use-place.ts';

const EAGER_PICTURES = 6;
const MEMORIES_BEYOND_SIGHT = 6;

export interface MemoryGridHandle {
  /** Brings the tile at a place, counted from 0, into sight. */
  reveal: (place: number) => void;
}

interface MemoryGridProps {
  ref?: Ref<MemoryGridHandle>;
  ids: string[];
  mode?: MemoryCardProps['mode'];
  /** Fewer stand beside each other where there is less room; in a list, one. */
  mostColumns: number;
  narrowestColumn?: number;
  /** Only the rows in its sight, and a few more, are in the page. */
  scroller: Scroller;
  /** For a grid that the window scrolls. */
  placeKeeper?: PlaceKeeper;
  /** Told the places in view, in fifties. */
  onView: (first: number, last: number) => void;
  renderCard: RenderCard;
}

export function MemoryGrid({
  ref: handle,
  ids,
  mode = 'grid',
  mostColumns,
  narrowestColumn,
  scroller,
  placeKeeper,
  onView,
  renderCard,
}: MemoryGridProps) {
  const client = useQueryClient();
  const [{ width, top }, ref] = usePlace(scroller);
  const columns = mode === 'list' ? 1 : columnsIn(width, mostColumns, narrowestColumn);
  const cardWidth = columnWidth(width, columns);
  const rowOf = (row: number) => ids.slice(row * columns, (row + 1) * columns);
  const { rowsToShow, reveal, listProps } = useGridFocus(ids, columns);
  useImperativeHandle(handle, () => ({ reveal }));
  const { inWindow, inElement } = useRows(scroller, {
    count: Math.ceil(ids.length / columns),
    estimateSize: (row) =>
      rowHeightGuess(
        rowOf(row).flatMap((id) => getMemory(client, id) ?? []),
        mode,
        cardWidth,
      ),
    // Rows of another number of columns have other heights.
    getItemKey: (row) => `${mode} ${columns} ${row}`,
    rangeExtractor: rowsToShow,
    overscan: Math.ceil(MEMORIES_BEYOND_SIGHT / columns),
    scrollMargin: top,
    scrollPaddingStart: paddingAbove(placeKeeper),
    enabled: width > 0,
  });
  const { getVirtualItems, getTotalSize, measureElement, range } = inElement ?? inWindow;
  const rows = getVirtualItems();
  useTellView(range, columns, onView);
  useGridPlace({ rows: inWindow, columns, isLaidOut: width > 0, keeper: placeKeeper });
  return (
    // Rows come and go above what is looked at: the browser must not scroll to make up for that too.
    <div ref={ref} className="relative [overflow-anchor:none]" style={{ height: getTotalSize() }}>
      <div
        {...listProps}
        role="list"
        data-memory-list=""
        className="absolute inset-x-0 top-0"
        style={{ translate: `0 ${(rows[0]?.start ?? top) - top}px` }}
      >
        {rows.map(({ key, index, start }, nth) => (
          <div
            key={key}
            ref={measureElement}
            data-index={index}
            style={{ marginTop: gapAbove(rows[nth - 1], { index, start }) }}
          >
            <MemoryGridRow
              ids={rowOf(index)}
              columns={columns}
              cardWidth={cardWidth}
              before={index * columns}
              total={ids.length}
              isEager={index * columns < EAGER_PICTURES}
              renderCard={renderCard}
            />
          </div>
        ))}
      </div>
    </div>
  );
}

const PLACES_PER_STEP = 50;

function useTellView(
  range: { startIndex: number; endIndex: number } | null,
  columns: number,
  onView: (first: number, last: number) => void,
): void {
  const tell = useEffectEvent(onView);
  const toStep = (row: number) => Math.floor((row * columns) / PLACES_PER_STEP) * PLACES_PER_STEP;
  const first = range && toStep(range.startIndex);
  const last = range && toStep(range.endIndex) + PLACES_PER_STEP - 1;
  useEffect(() => {
    if (first !== null && last !== null) tell(first, last);
  }, [first, last]);
}

/** What is left out between a row in sight and the one that has the focus, far from it. */
function gapAbove(
  before: VirtualItem | undefined,
  { index, start }: Pick<VirtualItem, 'index' | 'start'>,
): number {
  return before && before.index < index - 1 ? start - before.end : 0;
}

interface RowOptions {
  count: number;
  estimateSize: (row: number) => number;
  getItemKey: (row: number) => string;
  rangeExtractor: (range: Range) => number[];
  overscan: number;
  scrollMargin: number;
  scrollPaddingStart: number;
  enabled: boolean;
}

/** The rows within sight of whichever scrolls: of the element, if it is one. */
function useRows(scroller: Scroller, options: RowOptions) {
  const element = scroller instanceof HTMLElement ? scroller : null;
  // eslint-disable-next-line react-hooks/incompatible-library -- the compiler leaves this one alone, which is right
  const inElement = useVirtualizer({
    ...options,
    getScrollElement: () => element,
    enabled: options.enabled && element !== null,
  });
  const inWindow = useWindowVirtualizer({ ...options, enabled: options.enabled && element === null });
  return { inWindow, inElement: element && inElement };
}
