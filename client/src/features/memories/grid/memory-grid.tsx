import {
  useVirtualizer,
  useWindowVirtualizer,
  type VirtualItem,
  type VirtualizerOptions,
} from '@tanstack/react-virtual';
import { useQueryClient } from '@tanstack/react-query';
import { useImperativeHandle, type Ref } from 'react';
import { ErrorNotice } from '../../../ui/error-notice.tsx';
import { Skeleton } from '../../../ui/skeleton.tsx';
import { Spinner } from '../../../ui/spinner.tsx';
import { columnsIn, columnWidth, gridStyle, rowHeightGuess } from './grid-layout.ts';
import type { MemoryCardProps } from './memory-card.tsx';
import { MemoryGridRow, type RenderCard } from './memory-grid-row.tsx';
import { useGridFocus } from './use-grid-focus.ts';
import type { LoadedList } from '../store/memory-lists.ts';
import { getMemory } from '../store/memory-store.ts';
import {
  paddingAbove,
  useOnView,
  useScrollRestoration,
  type ScrollPositionOptions,
} from './scroll-position.ts';
import { usePlace, type Scroller } from '../../../lib/use-place.ts';

const EAGER_PICTURES = 6;
const MEMORIES_BEYOND_SIGHT = 6;
const PLACES_PER_STEP = 50;

export interface MemoryGridHandle {
  /** Brings the tile at a place, counted from 0, into sight. */
  reveal: (place: number) => void;
}

interface MemoryGridProps {
  ref?: Ref<MemoryGridHandle>;
  memories: LoadedList;
  mode?: MemoryCardProps['mode'];
  /** Fewer stand beside each other where there is less room; in a list, one. */
  maxColumns: number;
  minColumnWidth?: number;
  /** Only the rows in its sight, and a few more, are in the page. */
  scroller: Scroller;
  /** For a grid that the window scrolls. */
  scrollPosition?: ScrollPositionOptions;
  renderCard: RenderCard;
}

export function MemoryGrid({
  ref: handle,
  memories,
  mode = 'grid',
  maxColumns,
  minColumnWidth,
  scroller,
  scrollPosition,
  renderCard,
}: MemoryGridProps) {
  const client = useQueryClient();
  const [{ width, top }, ref] = usePlace(scroller);
  const { ids = [] } = memories;
  const columns = mode === 'list' ? 1 : columnsIn(width, maxColumns, minColumnWidth);
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
    scrollPaddingStart: paddingAbove(scrollPosition),
    enabled: width > 0,
  });
  const { getVirtualItems, getTotalSize, measureElement, range } = inElement ?? inWindow;
  const rows = getVirtualItems();
  const [firstInView, lastInView] = placesIn(range, columns);
  useOnView(firstInView, lastInView, memories.onView);
  useScrollRestoration(inWindow, columns, width > 0, scrollPosition);
  return (
    <>
      {/* Rows come and go above what is looked at: the browser must not scroll to make up for that too. */}
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
      <MorePages {...memories} />
    </>
  );
}

function MorePages({ isComplete, error, retry }: LoadedList) {
  if (error !== null) {
    return (
      <div className="pb-10 [overflow-anchor:none]">
        <ErrorNotice onRetry={retry}>The rest of your memories could not be loaded.</ErrorNotice>
      </div>
    );
  }
  if (isComplete) return null;
  return (
    // The browser must not anchor its scrolling on it: it would follow the end of the list that grows above it.
    <div role="status" className="flex justify-center gap-3 pb-10 text-muted [overflow-anchor:none]">
      <Spinner />
      Loading more...
    </div>
  );
}

interface MemoryGridSkeletonProps extends Pick<MemoryGridProps, 'mode' | 'maxColumns' | 'minColumnWidth'> {
  count?: number;
}

/** In the shape of the memories to come. */
export function MemoryGridSkeleton({ mode, maxColumns, minColumnWidth, count }: MemoryGridSkeletonProps) {
  const [{ width }, ref] = usePlace(window);
  const columns = mode === 'list' ? 1 : columnsIn(width, maxColumns, minColumnWidth);
  return (
    <div ref={ref} className="grid" style={gridStyle(columns)}>
      {Array.from({ length: count ?? 2 * columns }, (_, index) =>
        mode === 'list' ? (
          <div key={index} className="flex items-center gap-4 border-b border-hairline py-4">
            <Skeleton className="size-27 shrink-0" />
            <div className="flex-1 space-y-3">
              <Skeleton className="h-6 w-2/3" />
              <Skeleton className="h-4 w-1/3" />
            </div>
          </div>
        ) : (
          <div key={index} className="pb-12">
            <Skeleton className="aspect-square" />
            <Skeleton className="mx-auto mt-3 h-6 w-2/3" />
          </div>
        ),
      )}
    </div>
  );
}

/** Which places some rows have, in steps, so that scrolling renders little. */
function placesIn(range: { startIndex: number; endIndex: number } | null, columns: number) {
  if (!range) return [];
  const toStep = (row: number) => Math.floor((row * columns) / PLACES_PER_STEP) * PLACES_PER_STEP;
  return [toStep(range.startIndex), toStep(range.endIndex) + PLACES_PER_STEP - 1];
}

/** What is left out between a row in sight and the one that has the focus, far from it. */
function gapAbove(
  before: VirtualItem | undefined,
  { index, start }: Pick<VirtualItem, 'index' | 'start'>,
): number {
  return before && before.index < index - 1 ? start - before.end : 0;
}

type RowOptions = { enabled: boolean } & Pick<
  VirtualizerOptions<Window, Element>,
  | 'count'
  | 'estimateSize'
  | 'getItemKey'
  | 'rangeExtractor'
  | 'overscan'
  | 'scrollMargin'
  | 'scrollPaddingStart'
>;

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
