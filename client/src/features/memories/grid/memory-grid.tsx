import { useVirtualizer, useWindowVirtualizer, type Range, type VirtualItem } from '@tanstack/react-virtual';
import { useImperativeHandle, type Ref } from 'react';
import type { Memory } from '#shared/memory';
import { columnsIn, columnWidth, rowHeightGuess } from './grid-layout.ts';
import type { MemoryCardProps } from './memory-card.tsx';
import { MemoryGridRow, type RenderCard } from './memory-grid-row.tsx';
import { useGridFocus } from './use-grid-focus.ts';
import { paddingAbove, useGridPlace, type PlaceKeeper } from './use-grid-place.ts';
import { usePlace, type Scroller } from '../../../lib/use-place.ts';

const EAGER_PICTURES = 6;
const MEMORIES_BEYOND_SIGHT = 6;

export interface MemoryGridHandle {
  /** Brings the tile at a place, counted from 0, into sight. */
  reveal: (place: number) => void;
}

interface MemoryGridProps<M extends Memory> {
  ref?: Ref<MemoryGridHandle>;
  memories: M[];
  mode?: MemoryCardProps['mode'];
  /** Fewer stand beside each other where there is less room; in a list, one. */
  mostColumns: number;
  narrowestColumn?: number;
  /** Only the rows in its sight, and a few more, are in the page. */
  scroller: Scroller;
  /** For a grid that the window scrolls. */
  placeKeeper?: PlaceKeeper;
  renderCard: RenderCard<M>;
}

export function MemoryGrid<M extends Memory>({
  ref: handle,
  memories,
  mode = 'grid',
  mostColumns,
  narrowestColumn,
  scroller,
  placeKeeper,
  renderCard,
}: MemoryGridProps<M>) {
  const [{ width, top }, ref] = usePlace(scroller);
  const columns = mode === 'list' ? 1 : columnsIn(width, mostColumns, narrowestColumn);
  const cardWidth = columnWidth(width, columns);
  const rowOf = (row: number) => memories.slice(row * columns, (row + 1) * columns);
  const { rowsToShow, reveal, listProps } = useGridFocus(memories, columns);
  useImperativeHandle(handle, () => ({ reveal }));
  const { inWindow, inElement } = useRows(scroller, {
    count: Math.ceil(memories.length / columns),
    estimateSize: (row) => rowHeightGuess(rowOf(row), mode, cardWidth),
    // Rows of another number of columns have other heights.
    getItemKey: (row) => `${mode} ${columns} ${row}`,
    rangeExtractor: rowsToShow,
    overscan: Math.ceil(MEMORIES_BEYOND_SIGHT / columns),
    scrollMargin: top,
    scrollPaddingStart: paddingAbove(placeKeeper),
    enabled: width > 0,
  });
  const { getVirtualItems, getTotalSize, measureElement } = inElement ?? inWindow;
  const rows = getVirtualItems();
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
              memories={rowOf(index)}
              columns={columns}
              cardWidth={cardWidth}
              before={index * columns}
              total={memories.length}
              isEager={index * columns < EAGER_PICTURES}
              renderCard={renderCard}
            />
          </div>
        ))}
      </div>
    </div>
  );
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
