import {
  useVirtualizer,
  useWindowVirtualizer,
  type VirtualItem,
  type VirtualizerOptions,
} from '@tanstack/react-virtual';
import { useQueryClient } from '@tanstack/react-query';
import { useCallback, useImperativeHandle, useMemo, useRef, type ComponentType, type Ref } from 'react';
import type { MemoryOrder } from '#shared/album/memory';
import { formatMonth } from '../../../lib/dates.ts';
import { isTouch } from '../../../lib/browser/is-touch.ts';
import { classNames } from '../../../lib/class-names.ts';
import { ROW_LAYERS, useListBounds, useOnRangeInView, type Scroller } from '../../../lib/virtual-list.ts';
import { ErrorNotice } from '../../../ui/error-notice.tsx';
import { Skeleton } from '../../../ui/loading/skeleton.tsx';
import { Spinner } from '../../../ui/loading/spinner.tsx';
import { useMemoryDialog, type MemoryDialogProps } from '../details/use-memory-dialog.ts';
import { estimateRowHeight, gridStyle, isEagerRow, toColumns } from './grid-layout.ts';
import { isNarrowColumn } from '../print/print-layout.ts';
import { CloseGap } from './close-gap.ts';
import { MemoryCard, type MemoryCardProps } from './memory-card.tsx';
import { MemoryGridRow, type GridDivider, type RenderCard } from './memory-grid-row.tsx';
import { useSelectGestures } from '../selection/select-gestures.ts';
import type { Selection } from '../selection/selection.ts';
import { useGridFocus } from './use-grid-focus.ts';
import { useHiddenButtonGuard } from './use-hidden-button-guard.ts';
import type { LoadedList } from '../store/memory-lists.ts';
import { getMemory, isLoadedMemory, useMemory } from '../store/memory-store.ts';
import { monthOf } from './grid-month.ts';
import { paddingAbove, useScrollRestoration, type ScrollPositionOptions } from './scroll-position.ts';

/** Mounted above and below the view. Below, a row is completed: it is more likely to come into view. */
const OVERSCAN_MEMORIES = 6;
const INDEXES_PER_STEP = 50;
const NONE: string[] = [];

interface MemoryGridHandle {
  reveal: (index: number) => void;
}

interface MemoryGridProps {
  ref?: Ref<MemoryGridHandle>;
  memories: LoadedList;
  mode?: MemoryCardProps['mode'];
  maxColumns: number;
  scroller: Scroller;
  /** Only if the window is the scroller. */
  scrollPosition?: ScrollPositionOptions;
  renderCard: RenderCard;
  selection?: Selection | null;
  divider?: GridDivider | null;
  /** Shows the month of the first row in view, below a sticky bar. */
  monthOrder?: MemoryOrder;
}

export function MemoryGrid({
  ref: handle,
  memories,
  mode = 'grid',
  maxColumns,
  scroller,
  scrollPosition,
  renderCard,
  selection = null,
  divider = null,
  monthOrder,
}: MemoryGridProps) {
  const client = useQueryClient();
  const [{ width, top }, ref] = useListBounds(scroller);
  const { ids = NONE } = memories;
  // The same object until it changes, so that rows do not render again.
  const grid = useMemo(() => toColumns(width, mode === 'list' ? 1 : maxColumns), [width, mode, maxColumns]);
  const columns = grid.count;
  const rowIds = useMemo(() => splitIntoRows(ids, columns), [ids, columns]);
  // Row heights depend on the number of columns. A new function makes the virtualizer calculate all rows again.
  const getItemKey = useCallback((row: number) => `${mode} ${columns} ${row}`, [mode, columns]);
  const overscan = Math.floor(OVERSCAN_MEMORIES / columns);
  const extraBelow = Math.ceil(OVERSCAN_MEMORIES / columns) - overscan;
  const { rangeExtractor, reveal, listProps } = useGridFocus(ids, columns, extraBelow, selection);
  const gestures = useSelectGestures(selection, ids);
  const hiddenButtonGuard = useHiddenButtonGuard();
  useImperativeHandle(handle, () => ({ reveal }));
  const { inWindow, inElement } = useRows(scroller, {
    count: rowIds.length,
    estimateSize: (row) =>
      estimateRowHeight(
        (rowIds[row] ?? NONE).flatMap((id) => getMemory(client, id) ?? []),
        mode,
        grid.widthPx,
      ),
    getItemKey,
    rangeExtractor,
    overscan,
    scrollMargin: top,
    scrollPaddingStart: paddingAbove(scrollPosition),
    enabled: width > 0,
  });
  const { getVirtualItems, getTotalSize, measureElement, range, isScrolling } = inElement ?? inWindow;
  const rows = getVirtualItems();
  const [firstInView, lastInView] = toIndexRange(range, columns);
  useOnRangeInView(firstInView, lastInView, memories.onView);
  useScrollRestoration(inWindow, columns, width > 0, scrollPosition);
  return (
    <>
      {/* The virtualizer corrects the scroll offset; scroll anchoring would do it twice. */}
      <div
        {...hiddenButtonGuard}
        ref={ref}
        data-scrolling={isScrolling || undefined}
        className={classNames('relative [overflow-anchor:none]', ROW_LAYERS)}
        style={{ height: getTotalSize() }}
      >
        {monthOrder && range !== null && range.startIndex > 0 && (
          <StickyMonth id={ids[range.startIndex * columns] ?? ''} order={monthOrder} />
        )}
        <div
          {...listProps}
          {...gestures}
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
                ids={rowIds[index] ?? NONE}
                columns={grid}
                start={index * columns}
                total={ids.length}
                divider={divider && Math.floor(divider.index / columns) === index ? divider : null}
                isEager={isEagerRow(index, columns)}
                renderCard={renderCard}
              />
            </div>
          ))}
        </div>
      </div>
      <CloseGap ids={ids} listKey={memories.listKey} list={listProps.ref} />
      <MorePages {...memories} />
    </>
  );
}

/** Takes no room, so that it moves nothing. Each card tells its date to screen readers. */
function StickyMonth({ id, order }: { id: string; order: MemoryOrder }) {
  const memory = useMemory(id);
  if (!isLoadedMemory(memory)) return null;
  return (
    <div aria-hidden className="pointer-events-none sticky top-20 z-10 flex h-0 justify-center">
      <p className="h-fit animate-fade-in rounded-full bg-sheet px-3.5 py-1 text-small font-semibold shadow-print">
        {formatMonth(monthOf(memory, order))}
      </p>
    </div>
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
    // As a scroll anchor it would follow the end of the growing list.
    <div role="status" className="flex justify-center gap-3 pb-10 text-muted [overflow-anchor:none]">
      <Spinner />
      Loading more...
    </div>
  );
}

interface MemoryGridSkeletonProps extends Pick<MemoryGridProps, 'mode' | 'maxColumns'> {
  count?: number;
  /** Left-aligns the captions; otherwise they are centered. */
  isAtStart?: boolean;
}

export function MemoryGridSkeleton({
  mode,
  maxColumns,
  count,
  isAtStart = isTouch(),
}: MemoryGridSkeletonProps) {
  const [{ width }, ref] = useListBounds(window);
  const columns = toColumns(width, mode === 'list' ? 1 : maxColumns);
  const isNarrow = isNarrowColumn(columns.widthPx);
  return (
    <div ref={ref} className="grid" style={gridStyle(columns)}>
      {Array.from({ length: count ?? 2 * columns.count }, (_, index) =>
        mode === 'list' ? (
          <div key={index} className="flex items-center gap-4 border-b border-hairline py-4">
            <Skeleton className="size-27 shrink-0" />
            <div className="flex-1 space-y-3">
              <Skeleton className="h-6 w-2/3" />
              <Skeleton className="h-4 w-1/3" />
            </div>
          </div>
        ) : (
          <div key={index} className={isNarrow ? 'pb-10' : 'pb-12'}>
            <Skeleton className="aspect-square" />
            <Skeleton className={classNames('mt-3 h-6 w-2/3', !isAtStart && 'mx-auto')} />
          </div>
        ),
      )}
    </div>
  );
}

export function useMemoryCards(
  memories: LoadedList,
  mode: MemoryCardProps['mode'],
  MemoryDialog: ComponentType<MemoryDialogProps>,
) {
  const { ids = [], isComplete, error, retry } = memories;
  const gridRef = useRef<MemoryGridHandle>(null);
  const { actions, dialog } = useMemoryDialog({
    count: ids.length + (isComplete ? 0 : 1),
    at: (index) => ids[index],
    errorAt: () => error,
    reveal: (index) => {
      gridRef.current?.reveal(index);
      if (error !== null) retry();
    },
  });
  const renderCard: RenderCard = useCallback(
    (memory, size) => <MemoryCard {...size} memory={memory} mode={mode} actions={actions} />,
    [mode, actions],
  );
  return { gridRef, renderCard, dialog: dialog && <MemoryDialog {...dialog} /> };
}

function splitIntoRows(ids: string[], columns: number): string[][] {
  const rows: string[][] = [];
  for (let start = 0; start < ids.length; start += columns) rows.push(ids.slice(start, start + columns));
  return rows;
}

/** The indexes of a range of rows, in steps, so that scrolling seldom changes state. */
function toIndexRange(range: { startIndex: number; endIndex: number } | null, columns: number) {
  if (!range) return [];
  const toStep = (row: number) => Math.floor((row * columns) / INDEXES_PER_STEP) * INDEXES_PER_STEP;
  return [toStep(range.startIndex), toStep(range.endIndex) + INDEXES_PER_STEP - 1];
}

/** The height of the unmounted rows between the visible rows and a focused row outside them. */
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

function useRows(scroller: Scroller, options: RowOptions) {
  const element = scroller instanceof HTMLElement ? scroller : null;
  // eslint-disable-next-line react-hooks/incompatible-library -- the compiler skips this hook, as it should
  const inElement = useVirtualizer({
    ...options,
    getScrollElement: () => element,
    enabled: options.enabled && element !== null,
  });
  const inWindow = useWindowVirtualizer({ ...options, enabled: options.enabled && element === null });
  return { inWindow, inElement: element && inElement };
}
