import type { ReactNode } from 'react';
import type { Memory } from '#shared/memory';
import { GAP_PX } from './grid-layout.ts';

/** How a memory is shown in a grid, in a card so wide. */
export type RenderCard<M extends Memory> = (
  memory: M,
  size: { width: number; isEager: boolean },
) => ReactNode;

interface MemoryGridRowProps<M extends Memory> {
  memories: M[];
  columns: number;
  cardWidth: number;
  /** How many memories stand in the rows before, and in all of them. */
  before: number;
  total: number;
  isEager: boolean;
  renderCard: RenderCard<M>;
}

/** Some memories beside each other, standing on one line; their places in the whole are told to screen readers. */
export function MemoryGridRow<M extends Memory>({
  memories,
  columns,
  cardWidth,
  before,
  total,
  isEager,
  renderCard,
}: MemoryGridRowProps<M>) {
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
          className="row-span-2 grid min-w-0 scroll-my-2 grid-cols-[minmax(0,1fr)] grid-rows-subgrid"
        >
          {renderCard(memory, { width: cardWidth, isEager })}
        </div>
      ))}
    </div>
  );
}
