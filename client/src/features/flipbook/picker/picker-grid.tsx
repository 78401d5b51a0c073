import { useVirtualizer } from '@tanstack/react-virtual';
import { useRef, useState, type KeyboardEvent } from 'react';
import { extractRange, useListBounds } from '../../../lib/virtual-list.ts';
import { usePrefetchedMemories } from '../flipbook-store.ts';
import { PickerTile } from './picker-tile.tsx';

const OVERSCAN_ROWS = 2;
const GAP_PX = 14;
/** Below this width tiles are smaller, so that a phone has three columns. */
const PHONE_PX = 480;
const TEXT_PX = 48;

interface PickerGridProps {
  ids: string[];
  chosen: ReadonlySet<string>;
  /** @param isRange toggles everything since the last toggled one */
  onToggle: (id: string, isRange: boolean) => void;
  onChooseAll: () => void;
}

export function PickerGrid({ ids, chosen, onToggle, onChooseAll }: PickerGridProps) {
  const [scroller, setScroller] = useState<HTMLDivElement | null>(null);
  const [{ width, top }, ref] = useListBounds(scroller);
  const layout = getTileLayout(width);
  const tabStop = useTabStop();
  const currentRow = Math.floor(tabStop.current / layout.columns);
  // eslint-disable-next-line react-hooks/incompatible-library -- the compiler skips this hook, as it should
  const rows = useVirtualizer({
    count: Math.ceil(ids.length / layout.columns),
    getScrollElement: () => scroller,
    estimateSize: () => layout.rowHeight,
    getItemKey: (row) => `${layout.columns} ${layout.rowHeight} ${row}`,
    overscan: OVERSCAN_ROWS,
    scrollMargin: top,
    scrollPaddingStart: 12,
    scrollPaddingEnd: 12,
    enabled: width > 0,
    rangeExtractor: (range) => extractRange(range, currentRow),
  });
  usePrefetchedMemories(
    ids,
    (rows.range?.startIndex ?? 0) * layout.columns,
    ((rows.range?.endIndex ?? 0) + OVERSCAN_ROWS) * layout.columns,
  );

  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key.toLowerCase() === 'a' && (event.ctrlKey || event.metaKey)) {
      event.preventDefault();
      onChooseAll();
      return;
    }
    const rowsInView = Math.max(1, Math.floor((scroller?.clientHeight ?? 0) / layout.rowHeight));
    const next = indexAfterKey(event.key, tabStop.current, ids.length, layout.columns, rowsInView);
    if (next === null) return;
    event.preventDefault();
    tabStop.focus(next);
    rows.scrollToIndex(Math.floor(next / layout.columns));
  };

  return (
    <div ref={setScroller} className="min-h-0 flex-1 overflow-y-auto overscroll-contain px-5 py-4 sm:px-8">
      <div
        ref={ref}
        role="listbox"
        aria-label="Memories"
        aria-multiselectable
        onKeyDown={onKeyDown}
        className="relative"
        style={{ height: rows.getTotalSize() }}
      >
        {rows.getVirtualItems().map(({ key, index: row, start }) => (
          <div
            key={key}
            role="presentation"
            className="absolute inset-x-0 top-0 grid"
            style={{
              translate: `0 ${start - top}px`,
              columnGap: GAP_PX,
              gridTemplateColumns: `repeat(${layout.columns}, minmax(0, 1fr))`,
            }}
          >
            <RowTiles
              ids={ids}
              start={row * layout.columns}
              layout={layout}
              chosen={chosen}
              tabStop={tabStop}
              onToggle={onToggle}
            />
          </div>
        ))}
      </div>
    </div>
  );
}

interface RowTilesProps extends Omit<PickerGridProps, 'onChooseAll'> {
  start: number;
  layout: ReturnType<typeof getTileLayout>;
  tabStop: ReturnType<typeof useTabStop>;
}

function RowTiles({ ids, start, layout, chosen, tabStop, onToggle }: RowTilesProps) {
  return ids.slice(start, start + layout.columns).map((id, column) => {
    const index = start + column;
    const isCurrent = index === tabStop.current;
    return (
      <PickerTile
        key={id}
        id={id}
        index={index}
        total={ids.length}
        width={layout.tileWidth}
        isChosen={chosen.has(id)}
        isTabStop={isCurrent}
        ref={isCurrent ? tabStop.focusWhenDue : undefined}
        onToggle={(isRange) => {
          tabStop.set(index);
          onToggle(id, isRange);
        }}
      />
    );
  });
}

/** The tile that Tab reaches, and that the arrow keys move. */
function useTabStop() {
  const [current, setCurrent] = useState(0);
  const isFocusDue = useRef(false);
  return {
    current,
    set: setCurrent,
    /** Once it is rendered. */
    focus: (index: number) => {
      isFocusDue.current = true;
      setCurrent(index);
    },
    focusWhenDue: (tile: HTMLElement | null) => {
      if (!tile || !isFocusDue.current) return;
      isFocusDue.current = false;
      tile.focus({ preventScroll: true });
    },
  };
}

function getTileLayout(width: number) {
  const minTileWidth = width < PHONE_PX ? 92 : 148;
  const columns = Math.max(1, Math.floor((width + GAP_PX) / (minTileWidth + GAP_PX)));
  const tileWidth = Math.max(0, (width - GAP_PX * (columns - 1)) / columns);
  return { columns, tileWidth, rowHeight: Math.round(tileWidth) + TEXT_PX + GAP_PX };
}

function indexAfterKey(
  key: string,
  index: number,
  count: number,
  columns: number,
  rowsInView: number,
): number | null {
  const next = {
    ArrowRight: index + 1,
    ArrowLeft: index - 1,
    ArrowDown: index + columns,
    ArrowUp: index - columns,
    PageDown: index + columns * rowsInView,
    PageUp: index - columns * rowsInView,
    Home: 0,
    End: count - 1,
  }[key];
  if (next === undefined) return null;
  if (key.startsWith('Arrow') && (next < 0 || next >= count)) return index;
  return Math.min(Math.max(0, next), count - 1);
}
