import { useVirtualizer } from '@tanstack/react-virtual';
import type { Memory } from '#shared/memory';
import { MemoryCard } from './memory-card.tsx';
import { useColumns } from './use-columns.ts';

const EAGER_PICTURES = 6;
const ROW_HEIGHT_GUESS_PX = 420;
const ROWS_BEYOND_SIGHT = 3;

interface MemoryGridProps {
  memories: Memory[];
  /** What scrolls: only the rows in its sight, and a few more, are in the page. */
  scroller: HTMLElement | null;
  onOpen: (memory: Memory) => void;
  onEdit: (memory: Memory) => void;
  onLike: (memory: Memory) => void;
}

export function MemoryGrid({ memories, scroller, onOpen, onEdit, onLike }: MemoryGridProps) {
  const columns = useColumns();
  // eslint-disable-next-line react-hooks/incompatible-library -- the compiler leaves this one alone, which is right
  const { getVirtualItems, getTotalSize, measureElement } = useVirtualizer({
    count: Math.ceil(memories.length / columns),
    getScrollElement: () => scroller,
    estimateSize: () => ROW_HEIGHT_GUESS_PX,
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
            {memories.slice(row.index * columns, (row.index + 1) * columns).map((memory, column) => (
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
                  onOpen={() => onOpen(memory)}
                  onEdit={() => onEdit(memory)}
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
