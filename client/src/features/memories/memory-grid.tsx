import { useVirtualizer } from '@tanstack/react-virtual';
import type { Memory } from '#shared/memory';
import { aspectOf } from './memory-aspect.ts';
import { MemoryCard } from './memory-card.tsx';
import { useColumns } from './use-columns.ts';

const EAGER_PICTURES = 6;
const ROWS_BEYOND_SIGHT = 3;

interface MemoryGridProps {
  memories: Memory[];
  /** What scrolls: only the rows in its sight, and a few more, are in the page. */
  scroller: HTMLElement | null;
  onOpen: (memory: Memory, opener: HTMLElement) => void;
  onEdit: (memory: Memory, opener: HTMLElement) => void;
  onLike: (memory: Memory) => void;
}

export function MemoryGrid({ memories, scroller, onOpen, onEdit, onLike }: MemoryGridProps) {
  const columns = useColumns();
  // eslint-disable-next-line react-hooks/incompatible-library -- the compiler leaves this one alone, which is right
  const { getVirtualItems, getTotalSize, measureElement } = useVirtualizer({
    count: Math.ceil(memories.length / columns),
    getScrollElement: () => scroller,
    estimateSize: (row) => rowHeightGuess(rowOf(memories, row, columns), columnWidth(scroller, columns)),
    overscan: ROWS_BEYOND_SIGHT,
  });
  const rows = getVirtualItems();
  return (
    <div className="relative" style={{ height: getTotalSize() }}>
      <div
        role="list"
        className="absolute inset-x-0 top-0"
        style={{ translate: `0 ${rows[0]?.start ?? 0}px` }}
      >
        {rows.map((row) => (
          <div
            key={row.key}
            ref={measureElement}
            data-index={row.index}
            className="grid gap-x-8 sm:grid-cols-2 lg:grid-cols-3"
          >
            {rowOf(memories, row.index, columns).map((memory, column) => (
              <div
                role="listitem"
                key={memory.id}
                aria-posinset={row.index * columns + column + 1}
                aria-setsize={memories.length}
                className="row-span-2 grid min-w-0 grid-cols-[minmax(0,1fr)] grid-rows-subgrid"
              >
                <MemoryCard
                  memory={memory}
                  mode="grid"
                  isEager={row.index * columns + column < EAGER_PICTURES}
                  onOpen={(opener) => onOpen(memory, opener)}
                  onEdit={(opener) => onEdit(memory, opener)}
                  onLike={() => onLike(memory)}
                />
              </div>
            ))}
          </div>
        ))}
      </div>
    </div>
  );
}

/** What stands below a print, and the border around it. */
const CAPTION_PX = 120;
const PRINT_BORDER_PX = 16;
const GAP_PX = 32;
const PADDING_PX = 44;

function rowOf(memories: Memory[], row: number, columns: number): Memory[] {
  return memories.slice(row * columns, (row + 1) * columns);
}

function columnWidth(scroller: HTMLElement | null, columns: number): number {
  return ((scroller?.clientWidth ?? 0) - PADDING_PX - GAP_PX * (columns - 1)) / columns;
}

/** Near enough that nothing jumps when a row that was never seen comes into sight from below. */
function rowHeightGuess(memories: Memory[], width: number): number {
  const heights = memories.map((memory) => {
    const aspect = aspectOf(memory);
    return (width * Math.min(1, aspect) - PRINT_BORDER_PX) / aspect + PRINT_BORDER_PX;
  });
  return Math.max(0, ...heights) + CAPTION_PX;
}
