import type { Memory } from '#shared/memory';
import { GAP_PX } from './grid-layout.ts';
import { MemoryCard, type MemoryCardProps } from './memory-card.tsx';

/** What can be done with each memory. The button that was pressed gets the focus back afterwards. */
export interface MemoryActions {
  onOpen: (memory: Memory, opener: HTMLElement) => void;
  onEdit: (memory: Memory, opener: HTMLElement) => void;
  onLike: (memory: Memory) => void;
  onDelete: (memory: Memory, opener: HTMLElement) => void;
}

interface MemoryGridRowProps extends MemoryActions {
  memories: Memory[];
  mode: MemoryCardProps['mode'];
  columns: number;
  cardWidth: number;
  /** How many memories stand in the rows before, and in all of them. */
  before: number;
  total: number;
  isEager: boolean;
}

/** Some memories beside each other, standing on one line; their places in the whole are told to screen readers. */
export function MemoryGridRow({ memories, columns, before, total, ...props }: MemoryGridRowProps) {
  const { mode, cardWidth, isEager, onOpen, onEdit, onLike, onDelete } = props;
  return (
    <div
      className="grid"
      style={{ columnGap: GAP_PX, gridTemplateColumns: `repeat(${columns}, minmax(0, 1fr))` }}
    >
      {memories.map((memory, column) => (
        <div
          role="listitem"
          key={memory.id}
          aria-posinset={before + column + 1}
          aria-setsize={total}
          className="row-span-2 grid min-w-0 grid-cols-[minmax(0,1fr)] grid-rows-subgrid"
        >
          <MemoryCard
            memory={memory}
            mode={mode}
            width={cardWidth}
            isEager={isEager}
            onOpen={(opener) => onOpen(memory, opener)}
            onEdit={(opener) => onEdit(memory, opener)}
            onLike={() => onLike(memory)}
            onDelete={(opener) => onDelete(memory, opener)}
          />
        </div>
      ))}
    </div>
  );
}
