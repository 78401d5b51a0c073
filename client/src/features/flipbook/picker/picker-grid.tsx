import { defaultRangeExtractor, useVirtualizer, type Range } from '@tanstack/react-virtual';
import { useRef, useState, type KeyboardEvent } from 'react';
import { useListBounds } from '../../../lib/virtual-list.ts';
import { usePrefetchedMemories } from '../flipbook-api.ts';
import { PickerTile } from './picker-tile.tsx';

const ROWS_BEYOND_SIGHT = 2;
const GAP_PX = 14;
/** Up to this width it is a phone, where three stand beside each other. */
const PHONE_PX = 480;
/** The two lines below a photo. */
const TEXT_PX = 48;

interface PickerGridProps {
  ids: string[];
  chosen: ReadonlySet<string>;
  /** @param isRange everything since the last one that was toggled follows it */
  onToggle: (id: string, isRange: boolean) => void;
  onChooseAll: () => void;
}

/** All memories there are to choose from; those in sight, and a few more, are in the page. */
export function PickerGrid({ ids, chosen, onToggle, onChooseAll }: PickerGridProps) {
  const [scroller, setScroller] = useState<HTMLDivElement | null>(null);
  const [{ width, top }, ref] = useListBounds(scroller);
  const layout = layOutTiles(width);
  // The one that Tab leads to; the arrows move it.
  const [current, setCurrent] = useState(0);
  const isFocusDue = useRef(false);
  const currentRow = Math.floor(current / layout.columns);
  // eslint-disable-next-line react-hooks/incompatible-library -- the compiler leaves this one alone, which is right
  const rows = useVirtualizer({
    count: Math.ceil(ids.length / layout.columns),
    getScrollElement: () => scroller,
    estimateSize: () => layout.rowHeight,
    getItemKey: (row) => `${layout.columns} ${layout.rowHeight} ${row}`,
    overscan: ROWS_BEYOND_SIGHT,
    scrollMargin: top,
    scrollPaddingStart: 12,
    scrollPaddingEnd: 12,
    enabled: width > 0,
    rangeExtractor: (range) => withRow(currentRow, range),
  });
  const visible = rows.getVirtualItems();
  usePrefetchedMemories(
    ids,
    (rows.range?.startIndex ?? 0) * layout.columns,
    ((rows.range?.endIndex ?? 0) + ROWS_BEYOND_SIGHT) * layout.columns,
  );

  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key.toLowerCase() === 'a' && (event.ctrlKey || event.metaKey)) {
      event.preventDefault();
      onChooseAll();
      return;
    }
    const rowsInSight = Math.max(1, Math.floor((scroller?.clientHeight ?? 0) / layout.rowHeight));
    const next = placeAfterKey(event.key, current, ids.length, layout.columns, rowsInSight);
    if (next === null) return;
    event.preventDefault();
    isFocusDue.current = true;
    setCurrent(next);
    rows.scrollToIndex(Math.floor(next / layout.columns));
  };
  const focusWhenDue = (tile: HTMLElement | null) => {
    if (!tile || !isFocusDue.current) return;
    isFocusDue.current = false;
    tile.focus({ preventScroll: true });
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
        {visible.map(({ key, index: row, start }) => (
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
            {ids.slice(row * layout.columns, (row + 1) * layout.columns).map((id, column) => {
              const place = row * layout.columns + column;
              const isCurrent = place === current;
              return (
                <PickerTile
                  key={id}
                  id={id}
                  place={place}
                  total={ids.length}
                  width={layout.tileWidth}
                  isChosen={chosen.has(id)}
                  isTabStop={isCurrent}
                  ref={isCurrent ? focusWhenDue : undefined}
                  onToggle={(isRange) => {
                    setCurrent(place);
                    onToggle(id, isRange);
                  }}
                />
              );
            })}
          </div>
        ))}
      </div>
    </div>
  );
}

/** The rows in sight, and the one that the focus is in or comes back to. */
function withRow(row: number, range: Range): number[] {
  const rows = defaultRangeExtractor(range);
  return rows.includes(row) || row >= range.count ? rows : [...rows, row].sort((one, other) => one - other);
}

/** How the tiles stand in a grid of some width. */
function layOutTiles(width: number) {
  const narrowest = width < PHONE_PX ? 92 : 148;
  const columns = Math.max(1, Math.floor((width + GAP_PX) / (narrowest + GAP_PX)));
  const tileWidth = Math.max(0, (width - GAP_PX * (columns - 1)) / columns);
  return { columns, tileWidth, rowHeight: Math.round(tileWidth) + TEXT_PX + GAP_PX };
}

/** The index that a navigation key moves to in a row-major grid; null for other keys. */
function placeAfterKey(
  key: string,
  place: number,
  count: number,
  columns: number,
  rowsInSight: number,
): number | null {
  const next = {
    ArrowRight: place + 1,
    ArrowLeft: place - 1,
    ArrowDown: place + columns,
    ArrowUp: place - columns,
    PageDown: place + columns * rowsInSight,
    PageUp: place - columns * rowsInSight,
    Home: 0,
    End: count - 1,
  }[key];
  if (next === undefined) return null;
  if (key.startsWith('Arrow') && (next < 0 || next >= count)) return place;
  return Math.min(Math.max(0, next), count - 1);
}
